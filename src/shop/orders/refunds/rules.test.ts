import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { priceOrder } from '#shop/checkout/pricing/price.ts'
import { catchProblemCode } from '#test/support/problems.ts'
import {
  type PaidOrder,
  paidForItem,
  priceRefund,
  quantitiesLeft,
  quantitiesToRestock,
  type RefundedParts,
  requireConsistentBody,
} from './rules.ts'
import type { RefundBody } from './schema.ts'

/** An order of 3 pieces for 10.00 and one for 0.05, sent for 5.00; the prices include tax. */
const order: PaidOrder = {
  status: 'paid',
  parcel_count: 0,
  shipping_cost: 500,
  shipping_tax: 80,
  prices_include_tax: 1,
  items: [
    { id: 1, quantity: 3, sent: 0, line_total: 1100, discount: 100, tax: 160 },
    { id: 2, quantity: 1, sent: 0, line_total: 5, discount: 0, tax: 1 },
  ],
}
const total = 1505
const pieces = (order_item_id: number, quantity: number) => ({ order_item_id, quantity })

/** Refunds one body after the other and returns what each took. */
function refundAll(given: PaidOrder, paidMinor: number, bodies: readonly RefundBody[]) {
  const earlier: ReturnType<typeof priceRefund>[] = []
  let left = paidMinor
  for (const body of bodies) {
    const refund = priceRefund(body, given, earlier, left)
    earlier.push(refund)
    left -= refund.amountMinor
  }
  return earlier
}

describe('the price of a refund', () => {
  const one = { items: [pieces(1, 1)] }
  const cases: readonly [string, readonly RefundBody[], readonly number[]][] = [
    ['of an amount is the amount', [{ amount: 7 }], [7]],
    ['of pieces one by one adds up', [one, one, one], [333, 333, 334]],
    ['of several pieces is theirs', [one, { items: [pieces(1, 2)] }], [333, 667]],
    ['of the same item twice counts both', [{ items: [pieces(1, 1), pieces(1, 2)] }], [1000]],
    ['of shipping alone is the shipping cost', [{ shipping: true }], [500]],
    ['of pieces with shipping is both', [{ ...one, shipping: true }], [833]],
    ['of nothing named is all', [{}], [total]],
    ['of nothing named is what is left', [{ amount: 5 }, { shipping: true }, {}], [5, 500, 1000]],
  ]
  for (const [name, bodies, amounts] of cases) {
    test(name, () => {
      const found = refundAll(order, total, bodies).map(({ amountMinor }) => amountMinor)
      assert.deepEqual(found, amounts)
    })
  }
  test('adds the tax where the prices exclude it', () => {
    const taxed = { ...order, prices_include_tax: 0 }
    const [item, shipping] = refundAll(taxed, 1746, [{ items: [pieces(1, 3)] }, { shipping: true }])
    assert.deepEqual([item?.amountMinor, shipping?.amountMinor], [1160, 580])
  })
  test('of all that is left takes the pieces that are left', () => {
    const [, rest] = refundAll(order, total, [one, {}])
    assert.deepEqual(
      rest?.items.map(({ order_item_id, quantity }) => pieces(order_item_id, quantity)),
      [pieces(1, 2), pieces(2, 1)],
    )
    assert.equal(rest?.shipping, true)
    assert.deepEqual(quantitiesLeft(order, rest ? [{ items: [], shipping: false }, rest] : []), [
      pieces(1, 1),
    ])
  })
  test('puts pieces back to the stock unless the request says otherwise', () => {
    const restock = (body: RefundBody, status: PaidOrder['status'] = 'paid') =>
      priceRefund(body, { ...order, status }, [], total).restock
    assert.equal(restock(one), true)
    assert.equal(restock(one, 'delivered'), true)
    assert.equal(restock({ ...one, restock: false }), false)
    assert.equal(restock({ shipping: true }), false)
    assert.equal(restock({}), true)
    assert.equal(restock({}, 'delivered'), false)
    assert.equal(restock({ restock: true }, 'shipped'), true)
  })

  const rejected: readonly [string, readonly RefundBody[], string][] = [
    ['more than is left', [{ amount: 1000 }, { amount: 506 }], '4091'],
    ['pieces worth more than is left', [{ amount: 1200 }, one], '4091'],
    ['pieces twice', [{ items: [pieces(1, 2)] }, { items: [pieces(1, 2)] }], '4091'],
    ['more pieces than were bought', [{ items: [pieces(2, 2)] }], '4091'],
    ['shipping twice', [{ shipping: true }, { shipping: true }], '4091'],
    ['anything once all is refunded', [{}, {}], '4091'],
    ['an item of another order', [{ items: [pieces(9, 1)] }], '4221'],
  ]
  for (const [name, bodies, code] of rejected) {
    test(`${name}: ${code}`, () => {
      assert.equal(
        catchProblemCode(() => refundAll(order, total, bodies)),
        code,
      )
    })
  }
})

describe('the body of a refund', () => {
  const items = [pieces(1, 1)]
  const cases: readonly [RefundBody, string | undefined][] = [
    [{}, undefined],
    [{ restock: false }, undefined],
    [{ amount: 1, shipping: false }, undefined],
    [{ items, restock: false, shipping: true }, undefined],
    [{ amount: 1, items }, '4221'],
    [{ amount: 1, shipping: true }, '4221'],
    [{ amount: 1, restock: true }, '4221'],
    [{ amount: 1, restock: false }, '4221'],
    [{ shipping: true, restock: true }, '4221'],
    [{ amount: 0 }, '4221'],
    [{ shipping: false }, '4221'],
  ]
  for (const [body, code] of cases) {
    test(`${JSON.stringify(body)}: ${code ?? 'allowed'}`, () => {
      assert.equal(
        catchProblemCode(() => requireConsistentBody(body)),
        code,
      )
    })
  }
})

describe('the pieces that go back to the stock', () => {
  const refund = (items: readonly [number, number][], restock: boolean, shipping = false) => ({
    items: items.map(([id, quantity]) => ({ ...pieces(id, quantity), amount: 1 })),
    shipping,
    restock,
  })
  const all = [pieces(1, 3), pieces(2, 1)]
  test('are those of the refund, if it says so', () => {
    const stock = (restock: boolean) =>
      quantitiesToRestock(order, {
        earlier: [],
        succeeding: [refund([[1, 2]], restock)],
        isFull: false,
      })
    assert.deepEqual(stock(true), [pieces(1, 2)])
    assert.deepEqual(stock(false), [])
  })
  test('are all others too once a paid order is refunded in full', () => {
    const earlier = [refund([[1, 1]], false)]
    const succeeding = [refund([], false)]
    assert.deepEqual(quantitiesToRestock(order, { earlier, succeeding, isFull: true }), [
      pieces(1, 2),
      pieces(2, 1),
    ])
    assert.deepEqual(quantitiesToRestock(order, { earlier: [], succeeding, isFull: true }), all)
  })
  test('of an order that was sent are only those of the refund', () => {
    const sent = { ...order, status: 'shipped' } as const
    const succeeding = [refund([[1, 1]], true)]
    assert.deepEqual(quantitiesToRestock(sent, { earlier: [], succeeding, isFull: true }), [
      pieces(1, 1),
    ])
  })
})

const lines = fc.array(
  fc.record({
    product_id: fc.nat(1000),
    quantity: fc.integer({ min: 1, max: 40 }),
    unit_price: fc.nat(100_000),
    category: fc.constant(null),
  }),
  { minLength: 1, maxLength: 4 },
)

test('the pieces and the shipping of any order add up to its total, in any order and grouping', () => {
  fc.assert(
    fc.property(
      lines,
      fc.nat(2_000),
      fc.nat(300_000),
      fc.boolean(),
      fc.infiniteStream(fc.nat(1_000_000)),
      (given, shippingMinor, rate, isTaxIncluded, choices) => {
        const price = priceOrder({
          lines: given.map((line) => ({
            ...line,
            variant_of: null,
            line_total: line.unit_price * line.quantity,
          })),
          discount: {
            value: { kind: 'percent', percent: rate },
            scope: { products: [], categories: [] },
          },
          shippingMinor,
          taxRules: [{ country: 'DE', region: null, category: null, rate }],
          taxPlace: { country: 'DE', region: null },
          isTaxIncluded,
        })
        const paid: PaidOrder = {
          ...price,
          status: 'paid',
          parcel_count: 0,
          prices_include_tax: isTaxIncluded ? 1 : 0,
          items: price.lines.map((line, index) => ({ ...line, id: index + 1, sent: 0 })),
        }
        const refunds: RefundedParts[] = []
        let left = price.total
        const take = (body: RefundBody) => {
          const refund = priceRefund(body, paid, refunds, left)
          refunds.push(refund)
          left -= refund.amountMinor
        }
        if (shippingMinor > 0) take({ shipping: true })
        for (;;) {
          const open = quantitiesLeft(paid, refunds)
          const choice = choices.next().value
          const line = open[choice % open.length]
          if (!line) break
          take({ items: [pieces(line.order_item_id, 1 + (choice % line.quantity))] })
        }
        assert.equal(left, 0)
      },
    ),
    { numRuns: 200 },
  )
})

test('the k-th of n pieces costs what the contract of pieces says', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999 }), fc.nat(1_000_000), (quantity, T) => {
      const item = { id: 1, quantity, sent: 0, line_total: T, discount: 0, tax: 0 }
      const single = { ...order, items: [item] }
      assert.equal(paidForItem(item, single), T)
      let before: readonly RefundedParts[] = []
      for (let k = 1; k <= Math.min(quantity, 20); k += 1) {
        const refund = priceRefund({ items: [pieces(1, 1)] }, single, before, T)
        const expected = Math.floor((k * T) / quantity) - Math.floor(((k - 1) * T) / quantity)
        assert.equal(refund.amountMinor, expected)
        before = [...before, refund]
      }
    }),
    { numRuns: 100 },
  )
})
