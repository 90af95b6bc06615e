import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { openCommonPasswords } from './common-passwords.ts'

const isCommon = openCommonPasswords()

test('a widely used password is found in any case, and with digits or signs at its end', async () => {
  for (const password of ['password', 'PassWord', '12345678', 'iloveyou1', 'Sunshine2026!']) {
    assert.equal(await isCommon(password), true, password)
  }
})

test('any other password is none, nor is anything else in the file', async () => {
  const others = ['correct horse battery staple', 'a password', 'xkcd 936 rules', '', '!!!!!!!!']
  for (const password of others) assert.equal(await isCommon(password), false, password)
})

test('the list has more than 10,000 passwords, none too short to be allowed anyway', async () => {
  const text = await readFile(new URL('./common-passwords.txt', import.meta.url), 'utf8')
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('# '))
  const passwords = lines.filter((line) => line !== '#')
  assert.equal(passwords.length, 17_950)
  assert.ok(passwords.every((each) => each.length >= 8 && each === each.toLowerCase()))
  assert.match(text, /Permission is hereby granted/)
})
