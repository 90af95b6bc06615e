import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roundTripsOf } from './round-trips.ts'

const sent = (sql: string) => ({ connection: 1, sql, parameters: [], isPipelined: false })
const look = sent('select "users"."id", "sessions"."ended_at" from "users" join "sessions"')
const actOf = (waits: number) => ({ statements: [look, sent('insert')], waits, madeId: 1 })

test('the look at who asks is no round trip of an act, each other is', () => {
  const acts = new Map([
    ['add to cart', actOf(2)],
    ['payment', actOf(4)],
  ])
  const cart = roundTripsOf('add to cart', acts, 1)
  assert.deepEqual([cart.server, cart.target], ['1', { text: '≤ 1', met: true }])
  const payment = roundTripsOf('payment', acts, 1)
  assert.deepEqual([payment.server, payment.target], ['3', { text: '≤ 1', met: false }])
})
