import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Role } from '#http/declare/actor.ts'
import { catchProblem, catchProblemCode } from '#test/support/problems.ts'
import { sortKey } from '#values/sort-key.ts'
import {
  canTransition,
  isRefundTransition,
  mergeLines,
  type ProductSnapshot,
  requireAvailableLines,
  requireEditableOrder,
  requireExpectedTotal,
  requireRemovableOrder,
  requireStatusTransition,
  snapshotLines,
  statusChange,
  subtotalOf,
} from './rules.ts'
import type { OrderStatus } from './schema.ts'

const statuses: readonly OrderStatus[] = [
  'pending',
  'paid',
  'shipped',
  'delivered',
  'cancelled',
  'refunded',
]
describe('the status of an order', () => {
  const byOwner = new Set(['pending>cancelled'])
  const byAdmin = new Set([
    ...byOwner,
    'paid>shipped',
    'paid>cancelled',
    'shipped>delivered',
    'delivered>refunded',
  ])
  for (const from of statuses) {
    for (const to of statuses.filter((status) => status !== from)) {
      const move = `${from}>${to}`
      for (const [role, allowed] of [
        ['customer', byOwner],
        ['admin', byAdmin],
      ] as [Role, Set<string>][]) {
        const expected = allowed.has(move) ? undefined : byAdmin.has(move) ? '4031' : '4091'
        test(`${from} to ${to} by ${role}: ${expected ?? 'allowed'}`, () => {
          assert.equal(
            catchProblemCode(() => requireStatusTransition(from, to, role)),
            expected,
          )
          assert.equal(canTransition(from, to, role), expected === undefined)
        })
      }
    }
  }
  test('only cancelling a paid order and refunding a delivered one return money', () => {
    const moves = statuses.flatMap((from) =>
      statuses.filter((to) => isRefundTransition(from, to)).map((to) => `${from}>${to}`),
    )
    assert.deepEqual(moves, ['paid>cancelled', 'delivered>refunded'])
  })
  test('an order that is no longer pending no longer expires', () => {
    const ended = { expires_at: null, network: null }
    assert.deepEqual(statusChange('cancelled', 5, 'expired'), {
      ...ended,
      status: 'cancelled',
      cancel_reason: 'expired',
    })
    assert.deepEqual(statusChange('paid', 5), { ...ended, status: 'paid' })
    assert.equal(statusChange('shipped', 5).status, 'shipped')
  })
  test('a shipped order is in transit from that time', () => {
    assert.deepEqual(statusChange('shipped', 7), {
      status: 'shipped',
      shipping_status: 'in_transit',
      shipped_at: 7,
    })
  })
})

describe('changing an order', () => {
  const order = (
    status: OrderStatus,
    isPaying = false,
    refund_pending = false,
    money_taken = false,
  ) => ({
    status,
    open_payment: isPaying ? ('pending' as const) : null,
    refund_pending,
    money_taken,
  })
  test('is rejected unless it is pending without a payment in progress', () => {
    for (const status of statuses) {
      const expected = status === 'pending' ? undefined : '4091'
      assert.equal(
        catchProblemCode(() => requireEditableOrder(order(status))),
        expected,
      )
    }
    assert.equal(
      catchProblemCode(() => requireEditableOrder(order('pending', true))),
      '4091',
    )
  })
  test('removing is rejected unless it is pending or cancelled and no money moved or is moving', () => {
    const removable = statuses.filter(
      (status) => catchProblemCode(() => requireRemovableOrder(order(status))) === undefined,
    )
    assert.deepEqual(removable, ['pending', 'cancelled'])
    assert.equal(
      catchProblemCode(() => requireRemovableOrder(order('pending', true))),
      '4091',
    )
    assert.equal(
      catchProblemCode(() => requireRemovableOrder(order('cancelled', false, true))),
      '4091',
    )
    assert.equal(
      catchProblemCode(() => requireRemovableOrder(order('cancelled', false, false, true))),
      '4091',
    )
  })
})

const productSnapshot = (
  id: number,
  changes: Partial<ProductSnapshot> = {},
): [number, ProductSnapshot] => [
  id,
  {
    id,
    name: `Article ${id}`,
    name_sort: sortKey(`Article ${id}`),
    sku: null,
    variant_of: null,
    options: null,
    effective_category: null,
    effective_tax_class: null,
    price: 250,
    availability: 'in_stock',
    stock: null,
    variant_count: 0,
    deleted_at: null,
    status: 'active',
    backorder: 0,
    parent_status: null,
    requires_shipping: 1,
    ...changes,
  },
]

describe('filling an order', () => {
  test('lines of the same product are merged', () => {
    const lines = [
      { product_id: 1, quantity: 2 },
      { product_id: 2, quantity: 1 },
      { product_id: 1, quantity: 3 },
    ]
    assert.deepEqual(mergeLines(lines), [
      { product_id: 1, quantity: 5 },
      { product_id: 2, quantity: 1 },
    ])
  })
  test('a merged line of more than 999 pieces is rejected', () => {
    const lines = [
      { product_id: 1, quantity: 999 },
      { product_id: 1, quantity: 1 },
    ]
    assert.equal(
      catchProblemCode(() => mergeLines(lines)),
      '4221',
    )
  })
  test('every short item has an issue', () => {
    const productSnapshots = new Map([
      productSnapshot(1, { stock: 1 }),
      productSnapshot(2, { stock: 0 }),
      productSnapshot(3),
    ])
    const wanted = [1, 2, 3].map((product_id) => ({ product_id, quantity: 2 }))
    const rejected = catchProblem(() => requireAvailableLines(wanted, productSnapshots))
    assert.equal(rejected.code, '4093')
    assert.deepEqual(
      rejected.issues.map(({ field }) => field),
      ['items[0].quantity', 'items[1].quantity'],
    )
  })
  test('an unknown or removed product makes it a validation error', () => {
    const productSnapshots = new Map([productSnapshot(1, { deleted_at: 1 })])
    const wanted = [1, 2].map((product_id) => ({ product_id, quantity: 1 }))
    const rejected = catchProblem(() => requireAvailableLines(wanted, productSnapshots))
    assert.equal(rejected.code, '4221')
    assert.equal(rejected.issues.length, 2)
  })
  test('discontinued products conflict, preorders do not', () => {
    const productSnapshots = new Map([
      productSnapshot(1, { availability: 'discontinued' }),
      productSnapshot(2, { availability: 'preorder' }),
    ])
    const wanted = [1, 2].map((product_id) => ({ product_id, quantity: 1 }))
    const rejected = catchProblem(() => requireAvailableLines(wanted, productSnapshots))
    assert.equal(rejected.code, '4091')
    assert.deepEqual(
      rejected.issues.map(({ field }) => field),
      ['items[0].product_id'],
    )
  })
})

describe('the totals of an order', () => {
  const lines = snapshotLines(
    [
      { product_id: 1, quantity: 3 },
      { product_id: 2, quantity: 1 },
    ],
    new Map([productSnapshot(1, { price: 1999 }), productSnapshot(2, { price: 1 })]),
  )
  test('has the subtotal of its lines, exactly', () => {
    assert.equal(subtotalOf(lines), 5998)
  })
  test('a total other than the expected one is rejected', () => {
    const dollars = { currency: 'USD', currencyDigits: 2 }
    assert.equal(
      catchProblemCode(() => requireExpectedTotal(6498, 6499, dollars)),
      '4091',
    )
    requireExpectedTotal(6498, 6498, dollars)
    requireExpectedTotal(6498, undefined, dollars)
  })
})
