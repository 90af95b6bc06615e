import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { OrderRow } from '#shop/orders/orders/table.ts'
import { catchProblem, catchProblemCode } from '#test/support/problems.ts'
import {
  describeDestination,
  isSameDestination,
  isShippable,
  keepsPrice,
  mergeDestination,
  orderStatusAfter,
  requireBuyersFields,
  requireSamePrice,
  requireShippableOrder,
  requireUnshippedOrder,
} from './rules.ts'
import type { ShippingChoice } from './schema.ts'

const order = (changes: Partial<OrderRow> = {}) => ({
  ...describeDestination({ method: 'standard', recipient: 'Ada', address: { city: 'Bath' } }),
  status: 'pending' as OrderRow['status'],
  shipping_cost: 500,
  shipping_status: 'pending' as OrderRow['shipping_status'],
  carrier: null,
  tracking_number: null,
  tracking_url: null,
  shipped_at: null,
  delivered_at: null,
  ...changes,
})
describe('a new destination', () => {
  for (const [status, parcel_count, expected] of [
    ['pending', 0, undefined],
    ['paid', 0, undefined],
    ['paid', 1, '4091'],
    ['shipped', 1, '4091'],
    ['delivered', 1, '4091'],
    ['cancelled', 0, '4091'],
  ] as const) {
    test(`of a ${status} order with ${parcel_count} parcels: ${expected ?? 'allowed'}`, () => {
      assert.equal(
        catchProblemCode(() => requireUnshippedOrder({ status, parcel_count })),
        expected,
      )
    })
  }
  test('with another total is rejected once the order is paid', () => {
    const paid = { status: 'paid', total: 500 } as const
    assert.equal(
      catchProblemCode(() => requireSamePrice(paid, 501)),
      '4091',
    )
    requireSamePrice(paid, 500)
    requireSamePrice({ ...paid, status: 'pending' }, 501)
  })
  test('is the old one when every field is equal', () => {
    const same = { method: 'standard', recipient: 'Ada', address: { city: 'Bath' } }
    assert.equal(isSameDestination(order(), describeDestination(same)), true)
    assert.equal(isSameDestination(order(), describeDestination({ ...same, method: 'x' })), false)
  })
  test('of another recipient or street keeps its price, unlike another country or method', () => {
    const same = { method: 'standard', recipient: 'Bob', address: { city: 'York' } }
    assert.equal(isSameDestination(order(), describeDestination(same)), false)
    assert.equal(keepsPrice(order(), describeDestination(same)), true)
    for (const address of [{ country: 'DE' }, { region: 'NY' }]) {
      assert.equal(keepsPrice(order(), describeDestination({ ...same, address })), false)
    }
    assert.equal(keepsPrice(order(), describeDestination({ ...same, method: 'x' })), false)
  })
})

describe('what sending an order requires', () => {
  const complete = {
    method: 'standard',
    recipient: 'Ada',
    address: { line1: '1 Main St', city: 'Bath', country: 'GB' },
  } as const
  const { line1, ...noLine } = complete.address
  const cases: readonly [string, ShippingChoice, readonly string[]][] = [
    ['everything', complete, []],
    ['nothing when it is picked up', { method: 'pickup' }, []],
    ['a recipient', { ...complete, recipient: null }, ['shipping.recipient']],
    ['the first line', { ...complete, address: noLine }, ['shipping.address.line1']],
    [
      'city and country',
      { ...complete, method: 'express', address: { line1 } },
      ['shipping.address.city', 'shipping.address.country'],
    ],
  ]
  for (const [name, choice, missing] of cases) {
    test(name, () => {
      const destination = { ...describeDestination(choice), requires_shipping: 1 }
      assert.equal(isShippable({ ...destination, requires_shipping: 0 }), true)
      assert.equal(isShippable(destination), missing.length === 0)
      if (missing.length === 0) return requireShippableOrder(destination)
      const { code, issues } = catchProblem(() => requireShippableOrder(destination))
      assert.deepEqual([code, issues.map(({ field }) => field)], ['4091', missing])
    })
  }
})

describe('a merge patch of a destination', () => {
  const before = describeDestination({
    method: 'express',
    recipient: 'Ada',
    address: { line1: '1 Main St', city: 'Bath', country: 'GB' },
  })
  test('keeps what it does not name', () => {
    assert.deepEqual(mergeDestination(before, {}), before)
    assert.deepEqual(mergeDestination(before, { address: { city: 'York', region: null } }), {
      ...before,
      city: 'York',
    })
    assert.deepEqual(mergeDestination(before, { method: 'pickup' }), {
      ...before,
      shipping_method: 'pickup',
    })
  })
  test('removes what is null', () => {
    assert.deepEqual(mergeDestination(before, { recipient: null, address: { line1: null } }), {
      ...before,
      recipient: null,
      line1: null,
    })
    const erased = mergeDestination(before, { address: null })
    assert.deepEqual(erased, describeDestination({ method: 'express', recipient: 'Ada' }))
  })
})

describe('parcel fields sent by a buyer', () => {
  test('are rejected when they differ from the stored ones', () => {
    assert.equal(
      catchProblemCode(() =>
        requireBuyersFields(order(), { method: 'standard', status: 'in_transit' }),
      ),
      '4031',
    )
    assert.equal(
      catchProblemCode(() =>
        requireBuyersFields(order(), { method: 'standard', carrier: 'Mole Post' }),
      ),
      '4031',
    )
  })
  test('may equal the stored ones', () => {
    requireBuyersFields(order(), { method: 'standard', status: 'pending', carrier: null })
  })
})

describe('the status of a parcel', () => {
  const cases = [
    ['pending', 'pending', 'pending', undefined],
    ['pending', 'paid', 'in_transit', 'shipped'],
    ['pending', 'pending', 'in_transit', '4091'],
    ['pending', 'paid', 'delivered', '4091'],
    ['in_transit', 'shipped', 'delivered', 'delivered'],
    ['in_transit', 'shipped', 'pending', '4091'],
    ['delivered', 'delivered', 'in_transit', '4091'],
  ] as const
  for (const [from, status, to, expected] of cases) {
    test(`${from} to ${to} on a ${status} order: ${expected ?? 'nothing'}`, () => {
      const act = () => orderStatusAfter(order({ shipping_status: from, status }), to)
      if (expected === '4091') assert.equal(catchProblemCode(act), '4091')
      else assert.equal(act(), expected)
    })
  }
})
