import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { catchProblemCode } from '#test/support/problems.ts'
import { dayMs } from '#values/instant.ts'
import {
  type Cart,
  type CartLine,
  cartChangeTimes,
  cartProblems,
  cartRevision,
  cartStatus,
  priceCart,
  requireAddableProduct,
  subtotalMinor,
  totalQuantity,
} from './rules.ts'
import { maxLines, maxQuantity } from './schema.ts'

const line = (changes: Partial<CartLine> = {}): CartLine => ({
  id: 1,
  user_id: 1,
  product_id: 1,
  quantity: 2,
  name: 'Kettle',
  price: 1050,
  variant_of: null,
  options: null,
  category: null,
  availability: 'in_stock',
  stock: null,
  variant_count: 0,
  status: 'active',
  parent_status: null,
  backorder: 0,
  product_revision: 1,
  product_updated_at: 0,
  product_deleted_at: null,
  discount_code: null,
  created_at: 0,
  updated_at: 0,
  ...changes,
})
const cart = (lines: readonly CartLine[]): Cart => ({
  user_id: 1,
  revision: 3,
  user_created_at: 0,
  created_at: 0,
  updated_at: 0,
  discount_code: null,
  discount: undefined,
  confirmed_email: null,
  is_discount_used_up: false,
  checkout_method: 'standard',
  lines,
})

describe('a cart', () => {
  test('without lines is empty at any age', () => {
    assert.equal(cartStatus(cart([]), 9 * dayMs), 'empty')
  })
  test('with lines is abandoned 24 hours after its last change', () => {
    assert.equal(cartStatus(cart([line()]), dayMs - 1), 'active')
    assert.equal(cartStatus(cart([line()]), dayMs), 'abandoned')
  })
  test('sums quantities and prices exactly', () => {
    const lines = [line(), line({ quantity: 3, price: 1 })]
    assert.equal(totalQuantity(lines), 5)
    assert.equal(subtotalMinor(lines), 2103)
  })
  test('has a new revision when a product in it changes or it becomes abandoned', () => {
    const revisionOf = (own: CartLine, now: number) =>
      cartRevision(priceCart(cart([own]), now), now)
    const before = revisionOf(line(), 0)
    assert.notEqual(revisionOf(line({ product_revision: 2 }), 0), before)
    assert.notEqual(revisionOf(line(), dayMs), before)
    assert.equal(revisionOf(line(), 1), before)
  })
})

describe('adding ten units of a product to a cart', () => {
  const product = {
    ...{
      name: 'Kettle',
      availability: 'in_stock' as const,
      stock: null,
      variant_count: 0,
      deleted_at: null,
      status: 'active' as const,
      backorder: 0,
      parent_status: null,
    },
    ...{ quantity_in_cart: null, lines_in_cart: 0 },
  }
  const cases: readonly [string, Partial<Parameters<typeof requireAddableProduct>[0]>, string?][] =
    [
      ['uncounted stock', {}],
      ['stock equal to the quantity', { stock: 10 }],
      ['stock below the quantity', { stock: 9 }, '4093'],
      ['stock equal to the quantity including the cart', { stock: 12, quantity_in_cart: 2 }],
      ['stock below the quantity including the cart', { stock: 12, quantity_in_cart: 3 }, '4093'],
      ['stock 0 on backorder', { stock: 0, availability: 'backorder', backorder: 1 }],
      ['stock below the quantity on backorder', { stock: 9, backorder: 1 }],
      ['units owed', { stock: -1, availability: 'out_of_stock' }, '4093'],
      ['stock 0', { stock: 0, availability: 'out_of_stock' }, '4093'],
      ['preorder', { availability: 'preorder' }],
      ['uncounted and out of stock', { availability: 'out_of_stock' }, '4091'],
      ['discontinued', { availability: 'discontinued' }, '4091'],
      ['removed', { deleted_at: 1 }, '4221'],
      ['a draft', { status: 'draft' }, '4221'],
      ['archived', { status: 'archived' }, '4221'],
      ['a variant of a draft', { parent_status: 'draft' }, '4221'],
      ['the last line within the limit', { lines_in_cart: maxLines - 1 }],
      ['one line above the limit', { lines_in_cart: maxLines }, '4091'],
      ['an existing line of a full cart', { lines_in_cart: maxLines, quantity_in_cart: 1 }],
      ['a quantity at the limit', { quantity_in_cart: maxQuantity - 10 }],
      ['a quantity above the limit', { quantity_in_cart: maxQuantity - 9 }, '4091'],
    ]
  for (const [name, changes, code] of cases) {
    test(`${name}: ${code ?? 'allowed'}`, () => {
      assert.equal(
        catchProblemCode(() => requireAddableProduct({ ...product, ...changes }, 10)),
        code,
      )
    })
  }
  test('an unknown product: 4221', () => {
    assert.equal(
      catchProblemCode(() => requireAddableProduct(undefined, 1)),
      '4221',
    )
  })
})

describe('the problems of a cart', () => {
  const cases: readonly [string, Partial<CartLine>, string | undefined][] = [
    ['uncounted stock', {}, undefined],
    ['enough stock', { stock: 2 }, undefined],
    ['too little stock', { stock: 1 }, 'insufficient_stock'],
    ['no stock', { stock: 0, availability: 'out_of_stock' }, 'out_of_stock'],
    ['an uncounted product out of stock', { availability: 'out_of_stock' }, 'unavailable'],
    ['a discontinued product', { availability: 'discontinued' }, 'unavailable'],
    ['a removed product', { product_deleted_at: 1, stock: 0 }, 'unavailable'],
    ['a product on preorder', { availability: 'preorder' }, undefined],
  ]
  for (const [name, changes, code] of cases) {
    test(`${name}: ${code ?? 'nothing'}`, () => {
      assert.deepEqual(
        cartProblems(priceCart(cart([line(changes)]), 0), 0, { currencyDigits: 2 }).map(
          (problem) => problem.code,
        ),
        code === undefined ? [] : [code],
      )
    })
  }
  test('the change times include lines, products and the abandonment', () => {
    const full = cart([line({ updated_at: 5, product_updated_at: 7 })])
    assert.equal(Math.max(...cartChangeTimes(full, dayMs - 1)), 7)
    assert.equal(Math.max(...cartChangeTimes(full, dayMs)), dayMs)
    assert.equal(Math.max(...cartChangeTimes(cart([]), dayMs)), 0)
  })
})
