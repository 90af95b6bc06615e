import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Problem } from '#values/problem.ts'
import { requireReviewable } from './rules.ts'

describe('a review', () => {
  test('of a product that was bought and not yet reviewed is allowed', () => {
    requireReviewable({ has_bought: true, has_reviewed: false })
  })
  const rejected = [
    { has_bought: false, has_reviewed: false, code: '4031' },
    { has_bought: true, has_reviewed: true, code: '4092' },
    { has_bought: false, has_reviewed: true, code: '4092' },
  ]
  for (const { code, ...purchaseAndReview } of rejected) {
    test(`is rejected with ${code} for ${JSON.stringify(purchaseAndReview)}`, () => {
      const act = () => requireReviewable(purchaseAndReview)
      assert.throws(act, (error) => error instanceof Problem && error.code === code)
    })
  }
})
