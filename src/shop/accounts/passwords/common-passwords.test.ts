import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { createCommonPasswordCheck } from './common-passwords.ts'

const isCommon = createCommonPasswordCheck()

test('a common password is recognized in any case, also with digits or symbols appended', async () => {
  for (const password of ['password', 'PassWord', '12345678', 'iloveyou1', 'Sunshine2026!']) {
    assert.equal(await isCommon(password), true, password)
  }
})

test('no other password is common, nor is any other text in the file', async () => {
  const others = ['correct horse battery staple', 'a password', 'xkcd 936 rules', '', '!!!!!!!!']
  for (const password of others) assert.equal(await isCommon(password), false, password)
})

test('the list has 17,950 passwords in lower case, each of 8 characters or more, and its license', async () => {
  const text = await readFile(new URL('./common-passwords.txt', import.meta.url), 'utf8')
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('# '))
  const passwords = lines.filter((line) => line !== '#')
  assert.equal(passwords.length, 17_950)
  assert.ok(passwords.every((each) => each.length >= 8 && each === each.toLowerCase()))
  assert.match(text, /Permission is hereby granted/)
})
