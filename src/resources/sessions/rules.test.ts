import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '#values/problem.ts'
import { isReuse, parseCredentials } from './rules.ts'

const fieldsOf = (body: Parameters<typeof parseCredentials>[0]) => {
  try {
    parseCredentials(body)
  } catch (error) {
    if (error instanceof Problem) return [error.code, error.issues.map(({ field }) => field).join()]
  }
  return 'accepted'
}

test('username and password are needed both, unless there is a refresh token', () => {
  assert.deepEqual(fieldsOf({}), ['4001', 'username,password'])
  assert.deepEqual(fieldsOf({ username: 'ada' }), ['4001', 'password'])
  assert.deepEqual(fieldsOf({ password: 'secret' }), ['4001', 'username'])
  assert.equal(parseCredentials({ username: '', password: '' }).kind, 'password')
  assert.equal(parseCredentials({ refresh_token: '' }).kind, 'refresh')
})

test('a token that could not be spent was used before, unless all that happened is that it expired', () => {
  assert.equal(isReuse({ used_at: 1, expires_at: 10 }, 5), true)
  assert.equal(isReuse({ used_at: 1, expires_at: 10 }, 10), true)
  // Used between its reading and its spending, by somebody else.
  assert.equal(isReuse({ used_at: null, expires_at: 10 }, 5), true)
  assert.equal(isReuse({ used_at: null, expires_at: 10 }, 10), false)
})
