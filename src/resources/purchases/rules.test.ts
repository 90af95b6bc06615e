import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Problem } from '#values/problem.ts'
import { buyerShownTo } from './rules.ts'

const customer = { userId: 7, role: 'customer' } as const
const admin = { userId: 1, role: 'admin' } as const
const refused = (error: unknown) => error instanceof Problem && error.code === '4031'

describe('a list of purchases', () => {
  test('shows a customer their own', () => assert.equal(buyerShownTo(customer), 7))
  test('shows a customer their own when asked for them', () => {
    assert.equal(buyerShownTo(customer, 7), 7)
  })
  test("is refused to a customer who asks for somebody else's", () => {
    assert.throws(() => buyerShownTo(customer, 8), refused)
  })
  test("shows an administrator everybody's", () => {
    assert.equal(buyerShownTo(admin), undefined)
  })
  test("shows an administrator anybody's", () => assert.equal(buyerShownTo(admin, 8), 8))
  test('is refused to a caller who is no user', () => {
    assert.throws(() => buyerShownTo({ userId: null, role: null }), refused)
  })
})
