import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '#values/problem.ts'
import { isRenewable, isRepeat, isReuse, parseCredentials } from './rules.ts'

const parse = (body: Parameters<typeof parseCredentials>[0]) => {
  try {
    parseCredentials(body)
  } catch (error) {
    if (error instanceof Problem) return [error.code, error.issues.map(({ field }) => field).join()]
  }
  return 'accepted'
}

test('username and password are both required without a refresh token', () => {
  assert.deepEqual(parse({}), ['4001', 'username,password'])
  assert.deepEqual(parse({ username: 'ada' }), ['4001', 'password'])
  assert.deepEqual(parse({ password: 'secret' }), ['4001', 'username'])
  assert.equal(parseCredentials({ username: '', password: '' }).kind, 'password')
  assert.equal(parseCredentials({ refresh_token: '' }).kind, 'refresh')
})

test('a rejected token counts as reused unless it was unused and has expired', () => {
  assert.equal(isReuse({ used_at: 1, expires_at: 10 }, 5), true)
  assert.equal(isReuse({ used_at: 1, expires_at: 10 }, 10), true)
  // Another request used it after it was read.
  assert.equal(isReuse({ used_at: null, expires_at: 10 }, 5), true)
  assert.equal(isReuse({ used_at: null, expires_at: 10 }, 10), false)
})

test('a refresh token renews its session once, until the millisecond it expires', () => {
  assert.equal(isRenewable({ used_at: null, expires_at: 10 }, 9), true)
  assert.equal(isRenewable({ used_at: null, expires_at: 10 }, 10), false)
  assert.equal(isRenewable({ used_at: 1, expires_at: 10 }, 9), false)
})

test('a used token is repeated within ten seconds, by the same network', () => {
  const use = { used_at: 1000, address: '192.0.2.7' }
  assert.equal(isRepeat(use, '192.0.2.7', 11_000), true)
  assert.equal(isRepeat(use, '192.0.2.7', 11_001), false)
  assert.equal(isRepeat(use, '192.0.2.8', 1001), false)
  assert.equal(isRepeat({ ...use, used_at: null }, '192.0.2.7', 1001), false)
})
