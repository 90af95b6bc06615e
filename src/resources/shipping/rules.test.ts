import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { catchProblemCode } from '#test/support/problems.ts'
import {
  describeDestination,
  orderStatusAfter,
  requireBuyersFields,
  requireRedirectable,
  type ShippingFacts,
  shippingCostMinor,
} from './rules.ts'

const order = (changes: Partial<ShippingFacts> = {}): ShippingFacts => ({
  ...describeDestination({ method: 'standard', recipient: 'Ada', address: { city: 'Bath' } }),
  status: 'pending',
  shipping_cost_minor: 500,
  shipping_status: 'pending',
  carrier: null,
  tracking_number: null,
  tracking_url: null,
  shipped_at: null,
  delivered_at: null,
  ...changes,
})
test('the cost of a method follows the decimals of the currency', () => {
  assert.equal(shippingCostMinor('express', 2), 1500)
  assert.equal(shippingCostMinor('express', 0), 15)
  assert.equal(shippingCostMinor('pickup', 2), 0)
})

describe('a new destination', () => {
  const elsewhere = describeDestination({ method: 'standard', recipient: 'Bob' })
  const express = describeDestination({ method: 'express' })
  for (const [status, expected] of [
    ['pending', undefined],
    ['paid', undefined],
    ['shipped', '4091'],
    ['delivered', '4091'],
    ['cancelled', '4091'],
  ] as const) {
    test(`of a ${status} order: ${expected ?? 'allowed'}`, () => {
      assert.equal(
        catchProblemCode(() => requireRedirectable(order({ status }), elsewhere, 2)),
        expected,
      )
    })
  }
  test('by a method of another cost is rejected once it is paid', () => {
    assert.equal(
      catchProblemCode(() => requireRedirectable(order({ status: 'paid' }), express, 2)),
      '4091',
    )
    requireRedirectable(order(), express, 2)
  })
  test('equal to the old one is no change, even after shipping', () => {
    const same = describeDestination({
      method: 'standard',
      recipient: 'Ada',
      address: { city: 'Bath' },
    })
    requireRedirectable(order({ status: 'shipped' }), same, 2)
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
