import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Problem } from '#values/problem.ts'
import { visibleUserId } from './access.ts'

const customer = { userId: 7, role: 'customer' } as const
const admin = { userId: 1, role: 'admin' } as const
const isForbidden = (error: unknown) => error instanceof Problem && error.code === '4031'

describe('a list of entries of users', () => {
  test('is limited to the customer without a filter', () =>
    assert.equal(visibleUserId(customer), 7))
  test('is limited to the customer with their own ID as a filter', () => {
    assert.equal(visibleUserId(customer, 7), 7)
  })
  test('is forbidden to a customer with the ID of another user as a filter', () => {
    assert.throws(() => visibleUserId(customer, 8), isForbidden)
  })
  test('has all users for an administrator without a filter', () => {
    assert.equal(visibleUserId(admin), undefined)
  })
  test('is limited to the filtered user for an administrator', () =>
    assert.equal(visibleUserId(admin, 8), 8))
  test('is forbidden to a client without a user', () => {
    assert.throws(() => visibleUserId({ userId: null, role: null }), isForbidden)
  })
})
