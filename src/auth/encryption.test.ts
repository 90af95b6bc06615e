import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCipher, createRequestHmac } from './encryption.ts'

const { seal, open } = createCipher(['a secret key of tests'])

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
  assert.equal(createCipher(['another secret key']).open(sealed, 'a'), undefined)
  assert.equal(open(`${sealed.slice(0, -4)}AAA=`, 'a'), undefined)
  assert.equal(open('', 'a'), undefined)
})

test('an HMAC matches its own text under any of the secrets, and nothing else', () => {
  const { hmac, matchesHmac } = createRequestHmac(['a secret key of tests'])
  const made = hmac('text')
  assert.ok(matchesHmac(made, 'text'))
  assert.ok(createRequestHmac(['the next one', 'a secret key of tests']).matchesHmac(made, 'text'))
  assert.ok(!createRequestHmac(['another secret key']).matchesHmac(made, 'text'))
  for (const wrong of ['', made.slice(1), hmac('other')]) assert.ok(!matchesHmac(wrong, 'text'))
})
