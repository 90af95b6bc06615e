import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCipher, createRequestHmac } from './encryption.ts'

const { encrypt, decrypt } = createCipher(['a secret key of tests'])

test('an encrypted text is decrypted under its name', () => {
  const text = '{"name":"Zoë 🙂"}'
  assert.equal(decrypt(encrypt(text, 'a'), 'a'), text)
})

test('encrypting the same text twice gives different ciphertexts', () => {
  assert.notEqual(encrypt('text', 'a'), encrypt('text', 'a'))
})

test('a ciphertext is not decrypted under another name or secret, nor after a change', () => {
  const ciphertext = encrypt('text', 'a')
  assert.equal(decrypt(ciphertext, 'b'), undefined)
  assert.equal(createCipher(['another secret key']).decrypt(ciphertext, 'a'), undefined)
  assert.equal(decrypt(`${ciphertext.slice(0, -4)}AAA=`, 'a'), undefined)
  assert.equal(decrypt('', 'a'), undefined)
})

test('an HMAC matches its own text under any of the secrets, and nothing else', () => {
  const { hmac, matchesHmac } = createRequestHmac(['a secret key of tests'])
  const made = hmac('text')
  assert.ok(matchesHmac(made, 'text'))
  assert.ok(createRequestHmac(['the next one', 'a secret key of tests']).matchesHmac(made, 'text'))
  assert.ok(!createRequestHmac(['another secret key']).matchesHmac(made, 'text'))
  for (const wrong of ['', made.slice(1), hmac('other')]) assert.ok(!matchesHmac(wrong, 'text'))
})
