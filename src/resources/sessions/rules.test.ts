import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '#values/problem.ts'
import { isRenewable, isReuse, proofOf } from './rules.ts'

const fieldsOf = (body: Parameters<typeof proofOf>[0]) => {
  try {
    proofOf(body)
  } catch (error) {
    if (error instanceof Problem) return [error.code, error.issues.map(({ field }) => field).join()]
  }
  return 'accepted'
}

test('username and password are needed both, unless there is a refresh token', () => {
  assert.deepEqual(fieldsOf({}), ['4001', 'username,password'])
  assert.deepEqual(fieldsOf({ username: 'ada' }), ['4001', 'password'])
  assert.deepEqual(fieldsOf({ password: 'secret' }), ['4001', 'username'])
  assert.equal(proofOf({ username: '', password: '' }).kind, 'password')
  assert.equal(proofOf({ refresh_token: '' }).kind, 'refresh')
})

test('a token that could not be spent was used before, unless all that happened is that it expired', () => {
  assert.equal(isReuse({ used_at: 1, expires_at: 10 }, 5), true)
  assert.equal(isReuse({ used_at: 1, expires_at: 10 }, 10), true)
  // Used between its reading and its spending, by somebody else.
  assert.equal(isReuse({ used_at: null, expires_at: 10 }, 5), true)
  assert.equal(isReuse({ used_at: null, expires_at: 10 }, 10), false)
})

test('a refresh token renews its session once, until the millisecond it expires', () => {
  assert.equal(isRenewable({ used_at: null, expires_at: 10 }, 9), true)
  assert.equal(isRenewable({ used_at: null, expires_at: 10 }, 10), false)
  assert.equal(isRenewable({ used_at: 1, expires_at: 10 }, 9), false)
})
