import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { catchProblemCode } from '#test/support/problems.ts'
import { sortKey } from '#values/sort-key.ts'
import { checkDiscount, type Discount } from './discounts.ts'
import { unusableReason } from './rules.ts'

const body = {
  code: 'SPRING',
  kind: 'percent',
  value: '10',
  minimum_subtotal: null,
  products: [],
  categories: [],
  starts_at: null,
  ends_at: null,
  usage_limit: null,
  usage_limit_per_user: null,
  active: true,
} as const

describe('the value of a discount', () => {
  for (const [kind, value, expected] of [
    ['percent', '10', '10'],
    ['percent', '12.5', '12.5'],
    ['percent', '100', '100'],
    ['percent', '0', '4221'],
    ['percent', 10, '4221'],
    ['percent', null, '4221'],
    ['amount', 250, 250],
    ['amount', 0, '4221'],
    ['amount', '2.50', '4221'],
    ['amount', null, '4221'],
    ['free_shipping', null, null],
    ['free_shipping', '10', '4221'],
  ] as const) {
    test(`${JSON.stringify(value)} of kind ${kind}: ${expected}`, () => {
      const create = () => checkDiscount({ ...body, kind, value }, { value })
      if (expected === '4221') assert.equal(catchProblemCode(create), '4221')
      else assert.equal(create().value, expected)
    })
  }
})

test('a discount of a percentage or amount without a value is 4001', () => {
  for (const kind of ['percent', 'amount'] as const) {
    const create = () => checkDiscount({ ...body, kind, value: null }, {})
    assert.equal(catchProblemCode(create), '4001')
  }
})

test('a discount that ends before it starts is 4221', () => {
  const create = () => checkDiscount({ ...body, starts_at: 2, ends_at: 2 }, {})
  assert.equal(catchProblemCode(create), '4221')
})

describe('a discount', () => {
  const now = 1_000
  const purchase = {
    lines: [{ product_id: 7, variant_of: 6, category: 'books', line_total: 500 }],
    subtotalMinor: 500,
    isUsedUpByUser: false,
  }
  const stored = (changes: Partial<Discount>): Discount => ({
    ...body,
    code_key: 'spring',
    code_sort: sortKey(body.code),
    id: 1,
    used_count: 0,
    revision: 1,
    created_at: 0,
    updated_at: 0,
    deleted_at: null,
    ...changes,
  })
  for (const [name, changes, expected] of [
    ['without limits', {}, undefined],
    ['that is inactive', { active: false }, 'discount.unknown'],
    ['that starts now', { starts_at: now }, undefined],
    ['that starts later', { starts_at: now + 1 }, 'discount.not_started'],
    ['that ends now', { ends_at: now }, 'discount.ended'],
    ['that ends later', { ends_at: now + 1 }, undefined],
    ['with a use left', { usage_limit: 2, used_count: 1 }, undefined],
    ['without uses left', { usage_limit: 2, used_count: 2 }, 'discount.used_up'],
    ['with just its minimum', { minimum_subtotal: 500 }, undefined],
    ['below its minimum', { minimum_subtotal: 501 }, 'discount.minimum'],
    ['for the category', { categories: ['books'] }, undefined],
    ['for another category', { categories: ['toys'] }, 'discount.not_applicable'],
    ['for the product or another category', { products: [7], categories: ['toys'] }, undefined],
    ['for another product', { products: [5] }, 'discount.not_applicable'],
    ['for the product of which it is a variant', { products: [6] }, undefined],
  ] as const) {
    test(`${name}: ${expected ?? 'can be used'}`, () => {
      const reason = unusableReason(stored(changes), 'SPRING', purchase, now)
      assert.equal(reason?.key, expected)
    })
  }

  test('that the user has used as often as each may cannot be used', () => {
    const reason = unusableReason(stored({}), 'SPRING', { ...purchase, isUsedUpByUser: true }, now)
    assert.equal(reason?.key, 'discount.used_up_by_user')
  })

  test('that does not exist cannot be used', () => {
    assert.equal(unusableReason(undefined, 'X', purchase, now)?.key, 'discount.unknown')
  })
})
