import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mergedFields, mergePatch } from '../../console/src/forms/values.ts'
import { groupByDay, startOfDay } from '../../console/src/pages/days.ts'
import { piecesLeft } from '../../console/src/pages/order/pieces.ts'
import { leftToRefund } from '../../console/src/pages/order/refund.ts'
import { fromClockTime, setTimeZone, toClockTime } from '../../console/src/zone.ts'

describe('a form of the console', () => {
  const patches: readonly (readonly [string, object, object, object])[] = [
    ['nothing where nothing differs', { a: 1, b: [1] }, { a: 1, b: [1] }, {}],
    ['a changed field', { a: 1, b: 2 }, { a: 1, b: 3 }, { b: 3 }],
    ['null for an emptied field', { a: 'x' }, { a: null }, { a: null }],
    ['a list as a whole', { a: [1, 2] }, { a: [2] }, { a: [2] }],
    [
      'the changed part of an object',
      { a: { b: 1, c: 2 } },
      { a: { b: 1, c: 3 } },
      { a: { c: 3 } },
    ],
    ['null for a removed part', { a: { b: 1, c: 2 } }, { a: { b: 1 } }, { a: { c: null } }],
    ['nothing for a missing field that is null', { a: null }, { a: undefined }, {}],
  ]
  for (const [what, before, after, patch] of patches) {
    test(`sends ${what}`, () => {
      assert.deepEqual(mergePatch(before as never, after as never), patch)
    })
  }

  test('shows what either of two people has changed, and marks what both have', () => {
    const base = { name: 'Kettle', price: 10, stock: 5, sku: 'A' }
    const theirs = { ...base, price: 12, stock: 4 }
    const yours = { ...base, price: 11, name: 'Pot' }
    assert.deepEqual(mergedFields(base, theirs, yours), [
      { name: 'name', base: 'Kettle', theirs: 'Kettle', yours: 'Pot', isConflict: false },
      { name: 'price', base: 10, theirs: 12, yours: 11, isConflict: true },
      { name: 'stock', base: 5, theirs: 4, yours: 5, isConflict: false },
    ])
  })

  test('shows no field to which both gave the same value', () => {
    assert.deepEqual(mergedFields({ price: 1 }, { price: 2 }, { price: 2 }), [])
  })
})

test('revenue is what was paid and not returned, on the day of the order', () => {
  const now = new Date(Date.UTC(2026, 5, 10, 15))
  const at = (day: number) => new Date(Date.UTC(2026, 5, day, 9)).toISOString()
  const orders = [
    { status: 'paid', total: 10, refunded_total: 2.5, created_at: at(10) },
    { status: 'pending', total: 99, refunded_total: 0, created_at: at(10) },
    { status: 'delivered', total: 7, refunded_total: 0, created_at: at(9) },
    { status: 'cancelled', total: 50, refunded_total: 50, created_at: at(9) },
    { status: 'paid', total: 1, refunded_total: 0, created_at: at(1) },
  ]
  assert.deepEqual(
    groupByDay(orders, now, 3).map(({ count, revenue }) => ({ count, revenue })),
    [
      { count: 0, revenue: 0 },
      { count: 2, revenue: 7 },
      { count: 2, revenue: 7.5 },
    ],
  )
})

test('what is left to refund is an amount of the currency', () => {
  assert.equal(leftToRefund({ total: 67.7, refunded_total: 1.1 }), 66.6)
  assert.equal(leftToRefund({ total: 12.345, refunded_total: 0 }), 12.345)
})

test('pieces are left to refund unless a refund has them that did not fail', () => {
  const item = { id: 7, quantity: 5 }
  const refunds = [
    { status: 'succeeded', items: [{ order_item_id: 7, quantity: 2 }] },
    { status: 'pending', items: [{ order_item_id: 7, quantity: 1 }] },
    { status: 'failed', items: [{ order_item_id: 7, quantity: 1 }] },
    { status: 'succeeded', items: [{ order_item_id: 8, quantity: 1 }] },
  ]
  assert.equal(piecesLeft(item, refunds), 2)
})

describe('the console shows and reads times in the time zone of the shop', () => {
  for (const [zone, instant, clock, day] of [
    ['UTC', '2026-11-26T23:30:00.000Z', '2026-11-26T23:30:00', '2026-11-26T00:00:00.000Z'],
    [
      'Europe/Berlin',
      '2026-11-26T23:30:00.000Z',
      '2026-11-27T00:30:00',
      '2026-11-26T23:00:00.000Z',
    ],
    // The day on which the clocks are put forward, at 2:00.
    [
      'Europe/Berlin',
      '2026-03-29T01:30:00.000Z',
      '2026-03-29T03:30:00',
      '2026-03-28T23:00:00.000Z',
    ],
    [
      'Europe/Berlin',
      '2026-10-25T11:00:00.000Z',
      '2026-10-25T12:00:00',
      '2026-10-24T22:00:00.000Z',
    ],
    [
      'America/New_York',
      '2026-03-08T12:00:00.000Z',
      '2026-03-08T08:00:00',
      '2026-03-08T05:00:00.000Z',
    ],
    [
      'Asia/Kathmandu',
      '2026-01-01T00:00:00.000Z',
      '2026-01-01T05:45:00',
      '2025-12-31T18:15:00.000Z',
    ],
  ] as const) {
    test(`${instant} in ${zone}`, () => {
      setTimeZone(zone)
      assert.equal(toClockTime(new Date(instant)), clock)
      assert.equal(fromClockTime(clock).toISOString(), instant)
      assert.equal(startOfDay(new Date(instant)).toISOString(), day)
      setTimeZone('UTC')
    })
  }
})
