import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMarker, openSealer } from './encryption.ts'

const { seal, open } = openSealer(['a secret key of tests'])

test('a sealed text opens under its name', () => {
  const text = '{"name":"Zoë 🙂"}'
  assert.equal(open(seal(text, 'a'), 'a'), text)
})

test('sealing the same text twice gives different ciphertexts', () => {
  assert.notEqual(seal('text', 'a'), seal('text', 'a'))
})

test('a sealed text does not open under another name or secret, nor after a change', () => {
  const sealed = seal('text', 'a')
  assert.equal(open(sealed, 'b'), undefined)
  assert.equal(openSealer(['another secret key']).open(sealed, 'a'), undefined)
  assert.equal(open(`${sealed.slice(0, -4)}AAA=`, 'a'), undefined)
  assert.equal(open('', 'a'), undefined)
})

test('an HMAC matches its own text under any of the secrets, and nothing else', () => {
  const { mark, isMarkOf } = openMarker(['a secret key of tests'])
  const made = mark('text')
  assert.ok(isMarkOf(made, 'text'))
  assert.ok(openMarker(['the next one', 'a secret key of tests']).isMarkOf(made, 'text'))
  assert.ok(!openMarker(['another secret key']).isMarkOf(made, 'text'))
  for (const wrong of ['', made.slice(1), mark('other')]) assert.ok(!isMarkOf(wrong, 'text'))
})
