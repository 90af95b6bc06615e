import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { DiscountValue } from './discount-amount.ts'
import { wholePercent } from './percent.ts'
import { type PriceInput, priceOrder } from './price.ts'

interface Line {
  readonly product_id: number
  readonly variant_of: number | null
  readonly category: string | null
  readonly quantity: number
  readonly line_total: number
}
type Input = PriceInput<Line>

const category = fc.constantFrom(null, 'books', 'food', 'toys')
const line = fc.record({
  product_id: fc.integer({ min: 1, max: 20 }),
  variant_of: fc.option(fc.integer({ min: 1, max: 20 })),
  category,
  quantity: fc.integer({ min: 1, max: 999 }),
  line_total: fc.integer({ min: 0, max: 80_000_000_000_000 }),
})
const percent = fc.integer({ min: 0, max: wholePercent })
const value: fc.Arbitrary<DiscountValue> = fc.oneof(
  fc.record({ kind: fc.constant('percent' as const), percent }),
  fc.record({
    kind: fc.constant('amount' as const),
    amountMinor: fc.integer({ min: 0, max: 1_000_000_000_000_000 }),
  }),
  fc.constant({ kind: 'free_shipping' as const }),
)
const scope = fc.record({
  products: fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 3 }),
  categories: fc.array(fc.constantFrom('books', 'food', 'toys'), { maxLength: 2 }),
})
const taxRule = fc.record({
  country: fc.constantFrom('DE', 'US'),
  region: fc.constantFrom(null, 'NY'),
  category,
  rate: percent,
})
const input: fc.Arbitrary<Input> = fc.record({
  lines: fc.array(line, { maxLength: 12 }),
  discount: fc.option(fc.record({ value, scope })),
  shippingMinor: fc.integer({ min: 0, max: 100_000 }),
  taxRules: fc.array(taxRule, { maxLength: 6 }),
  taxPlace: fc.record({
    country: fc.constantFrom(null, 'DE', 'US'),
    region: fc.constantFrom(null, 'NY', 'ny'),
  }),
  isTaxIncluded: fc.boolean(),
})

const sum = (amounts: readonly number[]) => amounts.reduce((added, amount) => added + amount, 0)

describe('the price of an order', () => {
  test('adds up, and no part of it is negative', () => {
    fc.assert(
      fc.property(input, (given) => {
        const price = priceOrder(given)
        const { subtotal, discount_total, shipping_cost, tax } = price
        assert.equal(subtotal, sum(given.lines.map((item) => item.line_total)))
        assert.equal(discount_total, sum(price.lines.map((item) => item.discount)))
        assert.equal(tax, sum(price.lines.map((item) => item.tax)) + price.shipping_tax)
        const beforeTax = subtotal - discount_total + shipping_cost
        assert.equal(price.total, beforeTax + (given.isTaxIncluded ? 0 : tax))
        assert.ok(!given.isTaxIncluded || tax <= beforeTax)
        const amounts = price.lines.flatMap((item) => [
          item.discount,
          item.tax,
          item.line_total - item.discount,
        ])
        for (const amount of [...amounts, price.total, tax, shipping_cost]) {
          assert.ok(Number.isSafeInteger(amount) && amount >= 0)
        }
      }),
      { numRuns: 100_000 },
    )
  })

  test('has sums that do not depend on the order of the lines', () => {
    fc.assert(
      fc.property(input, (given) => {
        const sums = (lines: readonly Line[]) => {
          const price = priceOrder({ ...given, lines })
          return [price.item_count, price.subtotal, price.discount_total]
        }
        assert.deepEqual(sums(given.lines), sums(given.lines.toReversed()))
      }),
      { numRuns: 5_000 },
    )
  })

  test('with 100 % off everything is exactly the shipping and its tax', () => {
    fc.assert(
      fc.property(input, (given) => {
        const price = priceOrder({
          ...given,
          discount: {
            value: { kind: 'percent', percent: wholePercent },
            scope: { products: [], categories: [] },
          },
        })
        const added = given.isTaxIncluded ? 0 : price.shipping_tax
        assert.equal(price.total, given.shippingMinor + added)
        assert.ok(price.lines.every(({ tax }) => tax === 0))
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('a discount', () => {
  const own = { variant_of: null }
  const priced = (discount: Input['discount']) =>
    priceOrder({
      lines: [
        { ...own, product_id: 1, category: 'books', quantity: 1, line_total: 1_000 },
        { ...own, product_id: 2, category: 'toys', quantity: 1, line_total: 999 },
        { ...own, product_id: 3, category: null, quantity: 2, line_total: 1 },
      ],
      discount,
      shippingMinor: 500,
      taxRules: [],
      taxPlace: { country: null, region: null },
      isTaxIncluded: true,
    })

  for (const [name, value, products, categories, shares, total] of [
    ['of a percentage', { kind: 'percent', percent: 125_000 }, [], [], [125, 125, 0], 2_250],
    ['of an amount', { kind: 'amount', amountMinor: 300 }, [], [], [150, 150, 0], 2_200],
    ['above the price', { kind: 'amount', amountMinor: 9_999 }, [], [], [1_000, 999, 1], 500],
    ['on a category', { kind: 'percent', percent: 500_000 }, [], ['toys'], [0, 500, 0], 2_000],
    ['on a product', { kind: 'amount', amountMinor: 300 }, [1], [], [300, 0, 0], 2_200],
    ['on either', { kind: 'percent', percent: wholePercent }, [3], ['books'], [1_000, 0, 1], 1_499],
    ['of the shipping', { kind: 'free_shipping' }, [], [], [0, 0, 0], 2_000],
  ] as const) {
    test(`${name} is shared between the lines that it applies to`, () => {
      const price = priced({ value, scope: { products, categories } })
      assert.deepEqual(
        price.lines.map(({ discount }) => discount),
        shares,
      )
      assert.equal(price.total, total)
    })
  }
})
