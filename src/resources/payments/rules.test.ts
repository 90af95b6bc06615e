import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Charge } from '#src/payments/provider.ts'
import { catchProblemCode } from '#test/support/problems.ts'
import { type PaymentState, requirePayable, settle, unknownOutcomeProblem } from './rules.ts'

const now = 1_000_000
const payment = (changes: Partial<PaymentState> = {}): PaymentState => ({
  status: 'pending',
  amount_minor: 500,
  currency: 'USD',
  provider_reference: null,
  failure: null,
  sequence: 0,
  refund_requested_at: null,
  settle_after: now,
  ...changes,
})
const charge = (status: Charge['status'], changes: Partial<Charge> = {}): Charge => ({
  key: 'k',
  status,
  reference: 'ch_1',
  amountMinor: 500,
  currency: 'USD',
  sequence: 1,
  ...changes,
})

describe('settling a payment', () => {
  test('a success pays a pending order and needs no further settling', () => {
    assert.deepEqual(settle(payment(), charge('succeeded'), 'pending', now), {
      payment: {
        sequence: 1,
        provider_reference: 'ch_1',
        status: 'succeeded',
        settle_after: null,
      },
      order: 'paid',
    })
  })
  test('a repeated or late success changes nothing', () => {
    const paid = payment({ status: 'succeeded', sequence: 1 })
    assert.equal(settle(paid, charge('succeeded'), 'paid', now), undefined)
    assert.equal(settle(paid, charge('succeeded', { sequence: 2 }), 'paid', now), undefined)
    assert.equal(settle(paid, charge('pending', { sequence: 2 }), 'paid', now), undefined)
  })
  test('an older state than the last one applied changes nothing', () => {
    const known = payment({ sequence: 3 })
    assert.equal(settle(known, charge('declined', { sequence: 2 }), 'pending', now), undefined)
  })
  test('a success of another amount or currency changes nothing', () => {
    for (const lie of [{ amountMinor: 1 }, { currency: 'EUR' }]) {
      assert.equal(settle(payment(), charge('succeeded', lie), 'pending', now), undefined)
    }
  })
  test('a success for an order that is no longer pending requests a refund', () => {
    const settled = settle(payment(), charge('succeeded'), 'cancelled', now)
    assert.equal(settled?.order, undefined)
    assert.equal(settled?.payment.refund_requested_at, now)
    assert.equal(settled?.payment.settle_after, now)
  })
  test('a success for a failed payment requests one refund', () => {
    const failed = payment({ status: 'failed' })
    const settled = settle(failed, charge('succeeded'), 'pending', now)
    assert.equal(settled?.payment.refund_requested_at, now)
    assert.equal(settled?.order, undefined)
    const again = payment({ status: 'failed', refund_requested_at: 5, sequence: 1 })
    assert.equal(settle(again, charge('succeeded'), 'pending', now), undefined)
  })
  for (const status of ['declined', 'voided'] as const) {
    test(`a charge that is ${status} fails a pending payment and leaves the order alone`, () => {
      const settled = settle(payment(), charge(status, { reason: 'no funds' }), 'pending', now)
      assert.equal(settled?.payment.status, 'failed')
      assert.equal(settled?.payment.failure, 'no funds')
      assert.equal(settled?.order, undefined)
      const paid = payment({ status: 'succeeded' })
      assert.equal(settle(paid, charge(status), 'paid', now), undefined)
    })
  }
  test('a refund is applied to the order once', () => {
    const paid = payment({ status: 'succeeded', sequence: 1, refund_requested_at: 5 })
    const settled = settle(paid, charge('refunded', { sequence: 2 }), 'paid', now)
    assert.equal(settled?.order, 'refunded')
    assert.equal(settled?.payment.status, 'refunded')
    assert.equal(settled?.payment.refund_requested_at, null)
    const refunded = payment({ status: 'refunded', sequence: 2 })
    assert.equal(
      settle(refunded, charge('refunded', { sequence: 2 }), 'paid', now)?.order,
      undefined,
    )
  })
  test('a void of a charge to be refunded counts as a refund', () => {
    const paid = payment({ status: 'succeeded', refund_requested_at: 5 })
    assert.equal(settle(paid, charge('voided'), 'paid', now)?.order, 'refunded')
  })
  test('a pending charge is queried again later', () => {
    const settled = settle(payment(), charge('pending'), 'pending', now)
    assert.ok((settled?.payment.settle_after ?? 0) > now)
    assert.equal(settled?.payment.status, undefined)
  })
})

describe('paying', () => {
  const order = {
    status: 'pending' as const,
    expires_at: now + 1,
    total_minor: 500,
    payment_pending: false,
  }
  const cases: readonly [string, Partial<typeof order> | object, number | undefined, unknown][] = [
    ['a pending order', {}, undefined, undefined],
    ['the exact amount', {}, 500, undefined],
    ['another amount', {}, 499, '4221'],
    ['a paid order', { status: 'paid' }, undefined, '4091'],
    ['a delivered order', { status: 'delivered' }, undefined, '4091'],
    ['a cancelled order', { status: 'cancelled' }, undefined, '4091'],
    ['an order whose time is over', { expires_at: now }, undefined, '4091'],
    ['an order with a payment under way', { payment_pending: true }, undefined, '4091'],
  ]
  for (const [name, changes, amount, expected] of cases) {
    test(`${name}: ${expected ?? 'allowed'}`, () => {
      assert.equal(
        catchProblemCode(() => requirePayable({ ...order, ...changes }, amount, now)),
        expected,
      )
    })
  }
  test('each unknown outcome has its own problem', () => {
    assert.equal(unknownOutcomeProblem('garbage').status, 502)
    assert.equal(unknownOutcomeProblem('unreachable').status, 503)
    assert.equal(unknownOutcomeProblem('timeout').status, 504)
  })
})
