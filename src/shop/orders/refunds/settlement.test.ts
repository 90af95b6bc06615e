import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ProviderPayment, ProviderRefund } from '#shop/providers/provider.ts'
import { hourMs } from '#values/instant.ts'
import {
  changeOfRefund,
  compareRefunds,
  hasNewRefundState,
  providerKeyOf,
  recheckRefundAt,
} from './settlement.ts'
import type { StoredRefund } from './table.ts'

const now = 10 * hourMs
const refund = (changes: Partial<StoredRefund> = {}): StoredRefund => ({
  ...{
    id: 1,
    order_id: 1,
    payment_id: 1,
    return_id: null,
    refund_key: 'r1',
    provider_reference: null,
  },
  ...{ origin: 'shop', amount: 100, items: [], shipping: false, restock: true },
  ...{ reason: 'Dented', status: 'pending', failure: null, retries: 0, due_at: now },
  ...{ revision: 1, created_at: now - 1000, updated_at: now - 1000 },
  ...changes,
})
const listed = (changes: Partial<ProviderRefund> = {}): ProviderRefund => ({
  ...{ key: 'r1', reference: 're_1', status: 'succeeded', amountMinor: 100 },
  ...changes,
})
const payment = { id: 1, order_id: 1, amount: 500, refunded: 0, refunding: 0 }
const state = (refunds: readonly ProviderRefund[], refundedMinor?: number): ProviderPayment => ({
  ...{ key: 'k', reference: 'ch_1', status: 'succeeded', amountMinor: 500, currency: 'USD' },
  refundedMinor:
    refundedMinor ??
    refunds.reduce(
      (sum, { status, amountMinor }) => (status === 'succeeded' ? sum + amountMinor : sum),
      0,
    ),
  refunds,
})
const compare = (
  refunds: readonly StoredRefund[],
  at: ProviderPayment,
  { refunded = 0, returnKey }: { refunded?: number; returnKey?: string } = {},
) => compareRefunds({ ...payment, refunded }, refunds, at, { returnKey, now })

describe('what the provider says about a refund', () => {
  test('decides a pending one, and changes no other', () => {
    assert.deepEqual(changeOfRefund(refund(), listed(), now), {
      ...{ status: 'succeeded', provider_reference: 're_1', failure: null, due_at: null },
    })
    const failed = changeOfRefund(refund(), listed({ status: 'failed', reason: 'no' }), now)
    assert.deepEqual([failed?.status, failed?.failure], ['failed', 'no'])
    for (const status of ['succeeded', 'failed'] as const) {
      assert.equal(changeOfRefund(refund({ status }), listed({ status: 'failed' }), now), undefined)
    }
  })
  test('has it asked again, later and later', () => {
    const waiting = changeOfRefund(refund(), listed({ status: 'pending' }), now)
    assert.deepEqual([waiting?.status, waiting?.due_at], [undefined, now + 30_000])
    assert.equal(recheckRefundAt({ created_at: now - 600_000 }, now), now + 600_000)
    assert.equal(recheckRefundAt({ created_at: 0 }, now), now + hourMs)
  })
  test('does not end the return of a late payment, which gets another key', () => {
    const late = refund({ origin: 'late_payment' })
    const change = changeOfRefund(late, listed({ status: 'failed', reason: 'no' }), now)
    assert.deepEqual([change?.status, change?.retries, change?.failure], [undefined, 1, 'no'])
    assert.equal(providerKeyOf({ ...late, ...change }), 'r1-1')
    assert.equal(providerKeyOf(late), 'r1')
  })
})

describe('comparing refunds with those at the provider', () => {
  test('finds nothing new in what is known', () => {
    const known = refund({ status: 'succeeded', provider_reference: 're_1' })
    const found = compare([known], state([listed()]), { refunded: 100 })
    assert.deepEqual(found, { changed: [], added: [] })
    assert.equal(hasNewRefundState({ ...payment, refunded: 100 }, state([listed()])), false)
    assert.equal(hasNewRefundState(payment, state([listed()])), true)
  })
  test('decides a pending one by its key', () => {
    const { changed, added } = compare([refund()], state([listed()]))
    assert.deepEqual([changed[0]?.change.status, added], ['succeeded', []])
  })
  test('adds one that was made there, without a reason, and knows it by its reference', () => {
    const theirs = listed({ key: null, reference: 're_2', amountMinor: 70 })
    const { added } = compare([], state([theirs]))
    const [one] = added
    assert.deepEqual(
      [one?.amount, one?.reason, one?.status, one?.refund_key, one?.provider_reference],
      [70, null, 'succeeded', null, 're_2'],
    )
    const stored = refund({ status: 'succeeded', refund_key: null, provider_reference: 're_2' })
    assert.deepEqual(compare([stored], state([theirs]), { refunded: 70 }).added, [])
  })
  test('adds a pending one, and decides it later', () => {
    const theirs = listed({ key: null, reference: 're_2', status: 'pending' })
    assert.equal(compare([], state([theirs])).added[0]?.status, 'pending')
    const stored = refund({ refund_key: null, provider_reference: 're_2' })
    const done = compare([stored], state([{ ...theirs, status: 'failed' }]))
    assert.deepEqual([done.changed[0]?.change.status, done.added], ['failed', []])
  })
  test('leaves out one that failed there', () => {
    assert.deepEqual(compare([], state([listed({ key: null, status: 'failed' })])).added, [])
  })
  test('adds what a provider without a list has returned, once nothing is pending', () => {
    assert.deepEqual(
      compare([], state([], 500)).added.map(({ amount }) => amount),
      [500],
    )
    assert.deepEqual(compare([refund()], state([], 500)).added, [])
    const known = refund({ status: 'succeeded', amount: 500 })
    assert.deepEqual(compare([known], state([], 500), { refunded: 500 }).added, [])
  })
  test('takes no answer that returns more than was paid', () => {
    const lies = [
      listed({ key: null, reference: 're_2', amountMinor: 400 }),
      listed({ key: null, reference: 're_3', amountMinor: 400 }),
    ]
    assert.deepEqual(
      compare([], state(lies)).added.map(({ amount }) => amount),
      [400],
    )
  })
  test('returns what is left of a payment that came too late', () => {
    const theirs = listed({ key: null, reference: 're_2', amountMinor: 70 })
    const { added } = compare([], state([theirs]), { returnKey: 'late' })
    assert.deepEqual(
      added.map(({ amount, status, origin }) => [amount, status, origin]),
      [
        [70, 'succeeded', 'provider'],
        [430, 'pending', 'late_payment'],
      ],
    )
    assert.equal(compare([], state([], 500), { returnKey: 'late' }).added.length, 1)
  })
})
