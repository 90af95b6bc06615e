import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeDestination } from '#shop/orders/shipping/rules.ts'
import type { BuyerAction, ProviderPayment } from '#shop/providers/provider.ts'
import { catchProblemCode } from '#test/support/problems.ts'
import {
  decisionWindowMs,
  isCancelled,
  isOverdue,
  type PaymentState,
  presentPayment,
  recheckAt,
  requirePayableOrder,
  requireReturnUrl,
  settle,
  unknownOutcomeProblem,
} from './rules.ts'

const now = 1_000_000
const expires_at = now + 600_000
const payment = (changes: Partial<PaymentState> = {}): PaymentState => ({
  status: 'pending',
  amount: 500,
  currency: 'USD',
  provider_reference: null,
  failure: null,
  next_action: null,
  refunded: 0,
  refunding: 0,
  cancel_requested_at: null,
  due_at: now,
  ...changes,
})
const state = (
  status: ProviderPayment['status'],
  changes: Partial<ProviderPayment> = {},
): ProviderPayment => ({
  key: 'k',
  status,
  reference: 'ch_1',
  amountMinor: 500,
  currency: 'USD',
  refundedMinor: status === 'refunded' ? 500 : 0,
  refunds: [],
  ...changes,
})
const pending = { status: 'pending', expires_at } as const
const paid = { status: 'paid', expires_at: null } as const
const cancelled = { status: 'cancelled', expires_at: null } as const
const page: BuyerAction = { type: 'redirect', url: 'https://bank.example/3ds' }

describe('settling a payment', () => {
  for (const status of ['pending', 'action_required'] as const) {
    test(`a success pays a pending order whose payment is ${status}, and nothing is left to do`, () => {
      const open = payment({ status, next_action: 'ciphertext', cancel_requested_at: 5 })
      assert.deepEqual(settle(open, state('succeeded'), pending, now), {
        payment: {
          provider_reference: 'ch_1',
          status: 'succeeded',
          next_action: null,
          cancel_requested_at: null,
          due_at: null,
        },
        order: 'paid',
      })
    })
  }
  test('a repeated or late success changes nothing', () => {
    const succeeded = payment({ status: 'succeeded' })
    for (const late of ['succeeded', 'pending', 'action_required'] as const) {
      assert.equal(settle(succeeded, state(late, { action: page }), paid, now), undefined)
    }
  })
  test('a success of another amount or currency changes nothing', () => {
    for (const lie of [{ amountMinor: 1 }, { currency: 'EUR' }]) {
      assert.equal(settle(payment(), state('succeeded', lie), pending, now), undefined)
    }
  })
  test('a success for an order that is no longer pending is to be returned', () => {
    const settled = settle(payment(), state('succeeded'), cancelled, now)
    assert.deepEqual([settled?.order, settled?.isTooLate], [undefined, true])
    assert.equal(settled?.payment.status, 'succeeded')
  })
  test('a success for a failed payment is to be returned once', () => {
    const failed = payment({ status: 'failed', failure: 'cancelled' })
    const settled = settle(failed, state('succeeded'), pending, now)
    assert.deepEqual([settled?.order, settled?.isTooLate], [undefined, true])
    assert.equal(isCancelled({ ...failed, ...settled?.payment }), false)
    const again = { ...failed, ...settled?.payment }
    assert.equal(settle(again, state('succeeded'), pending, now), undefined)
  })
  test('money that came and went again pays nothing', () => {
    assert.equal(settle(payment(), state('refunded'), pending, now)?.order, undefined)
  })
  for (const status of ['declined', 'cancelled'] as const) {
    test(`a payment that is ${status} fails while it is open and leaves the order alone`, () => {
      for (const open of ['pending', 'action_required'] as const) {
        const before = payment({ status: open, next_action: 'ciphertext' })
        const settled = settle(before, state(status, { reason: 'no funds' }), pending, now)
        assert.equal(settled?.payment.status, 'failed')
        assert.equal(settled?.payment.failure, status === 'declined' ? 'no funds' : 'cancelled')
        assert.equal(settled?.payment.next_action, null)
        assert.equal(settled?.order, undefined)
      }
      const succeeded = payment({ status: 'succeeded' })
      assert.equal(settle(succeeded, state(status), paid, now), undefined)
    })
  }
  test('a payment cancelled before the provider knew it stays open once the provider does', () => {
    const known = payment({ provider_reference: 'ch_1' })
    assert.equal(settle(known, state('cancelled', { reference: null }), pending, now), undefined)
    assert.ok(settle(payment(), state('cancelled', { reference: null }), pending, now))
  })
  test('a pending payment is asked about later, and changes once', () => {
    const settled = settle(payment(), state('pending'), pending, now)
    assert.ok((settled?.payment.due_at ?? 0) > now)
    const known = payment({ provider_reference: 'ch_1' })
    assert.equal(settle(known, state('pending'), pending, now), undefined)
  })
  test('an action of the buyer is recorded once, and asked about when the order expires', () => {
    const soon = { status: 'pending', expires_at: now + 5 } as const
    const asking = state('action_required', { action: page })
    const settled = settle(payment(), asking, soon, now)
    assert.equal(settled?.payment.status, 'action_required')
    assert.equal(settled?.payment.due_at, now + 5)
    assert.deepEqual(settled?.action, page)
    const known = payment({ status: 'action_required', provider_reference: 'ch_1' })
    assert.equal(settle(known, asking, soon, now), undefined)
  })
  test('an action that is over leaves a pending payment', () => {
    const waiting = payment({ status: 'action_required', provider_reference: 'ch_1' })
    const settled = settle(waiting, state('pending'), pending, now)
    assert.equal(settled?.payment.status, 'pending')
    assert.equal(settled?.payment.next_action, null)
  })
})

describe('an open payment', () => {
  const open = {
    status: 'pending',
    cancel_requested_at: null,
    created_at: now,
    expires_at,
  } as const
  const waiting = { ...open, status: 'action_required' } as const
  const cases: readonly [string, Parameters<typeof isOverdue>[0], number, boolean][] = [
    ['that is new is not overdue', open, now, false],
    ['that the provider never decided is overdue', open, now + decisionWindowMs + 1, true],
    ['that is to be cancelled is overdue', { ...open, cancel_requested_at: now }, now, true],
    ['that waits for the buyer is not overdue', waiting, expires_at - 1, false],
    ['that waits for the buyer is overdue once its order expires', waiting, expires_at, true],
    ['of an order that does not expire is overdue', { ...waiting, expires_at: null }, now, true],
  ]
  for (const [name, given, at, expected] of cases) {
    test(name, () => assert.equal(isOverdue(given, at), expected))
  }
  test('is asked about every half minute and when its order expires', () => {
    assert.equal(recheckAt(null, now), now + 30_000)
    assert.equal(recheckAt(now, now), now + 30_000)
    assert.equal(recheckAt(now + 40_000, now), now + 30_000)
    assert.equal(recheckAt(now + 20_000, now), now + 20_000)
  })
})

describe('the return of the buyer', () => {
  const origins = new Set(['https://shop.example', 'http://localhost:3000'])
  for (const [given, expected] of [
    ['https://shop.example', 'https://shop.example/?payment_id=7'],
    ['https://shop.example/thanks', 'https://shop.example/thanks?payment_id=7'],
    [
      'https://shop.example/?a=%20b+c&a=%C3%BC',
      'https://shop.example/?a=%20b+c&a=%C3%BC&payment_id=7',
    ],
    [
      'https://shop.example/?payment_id=3&a=%20b&payment%5Fid=4&my_payment_id=5',
      'https://shop.example/?a=%20b&my_payment_id=5&payment_id=7',
    ],
    ['http://localhost:3000/#done', 'http://localhost:3000/?payment_id=7#done'],
    ['https://evil.example', undefined],
    ['https://shop.example.evil.example', undefined],
    ['https://shop.example:444/', undefined],
    ['http://shop.example/', undefined],
    ['https://shop.example@evil.example/', undefined],
    ['https://user:password@shop.example/', undefined],
    ['//shop.example/', undefined],
    ['/thanks', undefined],
    ['javascript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['', undefined],
  ] as const) {
    test(`to "${given}": ${expected ?? '422'}`, () => {
      if (expected === undefined) {
        assert.equal(
          catchProblemCode(() => requireReturnUrl(given, origins, 7)),
          '4221',
        )
      } else assert.equal(requireReturnUrl(given, origins, 7), expected)
    })
  }
})

test('the representation shows what the buyer has to do', () => {
  const paid = { amount: 5, refunded: 0 }
  assert.deepEqual(presentPayment(paid, page).next_action, page)
  const secret: BuyerAction = { type: 'provider', clientSecret: 'pi_1_secret_2' }
  const shown = { type: 'provider', client_secret: 'pi_1_secret_2' }
  assert.deepEqual(presentPayment(paid, secret).next_action, shown)
  assert.equal(presentPayment({ ...paid, next_action: 'ciphertext' }).next_action, null)
})

describe('paying', () => {
  const order = {
    status: 'pending' as const,
    expires_at: now + 1,
    total: 500,
    open_payment: null,
    ...describeDestination({ method: 'pickup' }),
    requires_shipping: 1,
  }
  const cases: readonly [string, Partial<typeof order> | object, number | undefined, unknown][] = [
    ['a pending order', {}, undefined, undefined],
    ['the exact amount', {}, 500, undefined],
    ['another amount', {}, 499, '4221'],
    ['a paid order', { status: 'paid' }, undefined, '4091'],
    ['a delivered order', { status: 'delivered' }, undefined, '4091'],
    ['a cancelled order', { status: 'cancelled' }, undefined, '4091'],
    ['an order whose time is over', { expires_at: now }, undefined, '4091'],
    ['an order with a payment under way', { open_payment: 'pending' }, undefined, '4091'],
    [
      'an order whose payment waits for the buyer',
      { open_payment: 'action_required' },
      undefined,
      '4091',
    ],
    ['an order to be sent without an address', { shipping_method: 'standard' }, undefined, '4091'],
    [
      'an order of nothing to be sent',
      { shipping_method: 'standard', requires_shipping: 0 },
      undefined,
      undefined,
    ],
  ]
  for (const [name, changes, amount, expected] of cases) {
    test(`${name}: ${expected ?? 'allowed'}`, () => {
      assert.equal(
        catchProblemCode(() => requirePayableOrder({ ...order, ...changes }, amount, now)),
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
