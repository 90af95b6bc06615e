import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Problem } from '#values/problem.ts'
import { requireFirstHand } from './rules.ts'

describe('a review', () => {
  test('of a product that was bought and not yet reviewed is allowed', () => {
    requireFirstHand({ has_bought: true, has_reviewed: false })
  })
  const refused = [
    { has_bought: false, has_reviewed: false, code: '4031' },
    { has_bought: true, has_reviewed: true, code: '4092' },
    { has_bought: false, has_reviewed: true, code: '4092' },
  ]
  for (const { code, ...purchaseAndReview } of refused) {
    test(`is refused with ${code} where ${JSON.stringify(purchaseAndReview)}`, () => {
      const act = () => requireFirstHand(purchaseAndReview)
      assert.throws(act, (error) => error instanceof Problem && error.code === code)
    })
  }
})
