import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { estimateBits } from './estimated-bits.ts'

const generators = {
  'openssl rand -base64 32': () => randomBytes(32).toString('base64'),
  'openssl rand -hex 32': () => randomBytes(32).toString('hex'),
  'openssl rand -hex 16': () => randomBytes(16).toString('hex'),
  'two UUIDs': () => `${randomUUID()}${randomUUID()}`,
  'one UUID': () => randomUUID(),
  'a generated secret key': () => randomBytes(32).toString('base64url'),
}

for (const [title, generate] of Object.entries(generators)) {
  test(`${title} always has more than 60 bits`, () => {
    for (let times = 0; times < 5_000; times += 1) {
      const key = generate()
      assert.ok(estimateBits(key) > 60, key)
    }
  })
}

test('a guessable text has less than 60 bits at any length', () => {
  const weak = [
    'a'.repeat(1024),
    'ab'.repeat(32),
    'changeme'.repeat(4),
    'change-me_'.repeat(40),
    'passwordpasswordpasswordpassword',
    'SuperSecretPassword1234567890!!!',
    '0123456789'.repeat(4),
    '0123456789abcdef'.repeat(4),
    'abcdefghijklmnopqrstuvwxyz0123456789',
    'zyxwvutsrqponmlkjihgfedcba9876543210',
    'qwertyuiopasdfghjklzxcvbnm1234567890',
    'deadbeef'.repeat(8),
    'please-change-this-secret-key-now',
    'secret secret secret secret secret 1',
    ' '.repeat(32),
  ]
  for (const text of weak) assert.ok(estimateBits(text) < 60, `${text}: ${estimateBits(text)}`)
  assert.equal(estimateBits(''), 0)
})
