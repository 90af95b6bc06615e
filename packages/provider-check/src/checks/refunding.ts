import assert from 'node:assert/strict'
import type { RefundOutcome, StoredPayment } from '../../../../src/shop/providers/provider.ts'
import { type Check, needs } from '../check.ts'
import { newPayment, outcomeName, pay, sum } from '../shop.ts'
import type { CheckSubject } from '../subject.ts'

/** A payment that has succeeded, and a hundredth of it. */
async function paid(subject: CheckSubject): Promise<{ payment: StoredPayment; part: number }> {
  const { payment, outcome } = await pay(subject, subject.tokens.succeeds)
  assert.equal(outcomeName(outcome), 'succeeded')
  return { payment, part: payment.amountMinor / 100 }
}

/** A refund that is accepted: made, or on its way. */
const isAccepted = (outcome: RefundOutcome): boolean =>
  outcome.kind === 'refund' && outcome.refund.status !== 'failed'

function assertAccepted(outcome: RefundOutcome): void {
  assert.ok(isAccepted(outcome), `the refund is ${outcomeName(outcome)}`)
}

/** Asserts what the books of the provider say was returned. */
async function assertRefunded(
  { readBooks }: CheckSubject,
  payment: StoredPayment,
  refunds: readonly number[],
): Promise<void> {
  const { refunded } = await readBooks(payment)
  const ascending = (amounts: readonly number[]) => amounts.toSorted((a, b) => a - b)
  assert.deepEqual(ascending(refunded), ascending(refunds), 'what was refunded')
}

const readRefunds = async ({ provider }: CheckSubject, payment: StoredPayment) => {
  const found = await provider.find(payment)
  return found.kind === 'payment' ? found.payment : assert.fail(outcomeName(found))
}

/** The rules of refunds. */
export const refundingChecks: readonly Check[] = [
  {
    name: 'a part is refunded, and find lists it under its key',
    run: async (subject) => {
      const { payment, part } = await paid(subject)
      const made = await subject.provider.refund(payment, { key: 'r1', amountMinor: part })
      assertAccepted(made)
      const { status, refundedMinor, refunds } = await readRefunds(subject, payment)
      assert.equal(status, 'succeeded')
      assert.equal(refunds.length, 1)
      assert.deepEqual(made.kind === 'refund' && made.refund, refunds[0])
      assert.equal(refunds[0]?.key, 'r1')
      if (outcomeName(made) === 'succeeded') assert.equal(refundedMinor, part)
      await assertRefunded(subject, payment, [part])
    },
  },
  {
    name: 'a payment is refunded once all of it was returned, in parts or at once',
    run: async (subject) => {
      const { payment, part } = await paid(subject)
      const rest = payment.amountMinor - part
      assertAccepted(await subject.provider.refund(payment, { key: 'r1', amountMinor: part }))
      assertAccepted(await subject.provider.refund(payment, { key: 'r2', amountMinor: rest }))
      assert.equal((await readRefunds(subject, payment)).status, 'refunded')
      const whole = await paid(subject)
      const { amountMinor } = whole.payment
      assertAccepted(await subject.provider.refund(whole.payment, { key: 'w1', amountMinor }))
      assert.equal((await readRefunds(subject, whole.payment)).refundedMinor, amountMinor)
      await assertRefunded(subject, whole.payment, [amountMinor])
    },
  },
  {
    name: 'refunding twice under one key refunds once',
    run: async (subject) => {
      const { payment, part } = await paid(subject)
      for (let turn = 0; turn < 3; turn += 1) {
        assertAccepted(await subject.provider.refund(payment, { key: 'r1', amountMinor: part }))
      }
      await assertRefunded(subject, payment, [part])
    },
  },
  {
    name: 'refunding ten times at once under one key refunds once',
    run: async (subject) => {
      const { payment, part } = await paid(subject)
      const request = { key: 'r1', amountMinor: part }
      const calls = Array.from({ length: 10 }, () => subject.provider.refund(payment, request))
      assert.ok((await Promise.all(calls)).some(isAccepted), 'none was accepted')
      assertAccepted(await subject.provider.refund(payment, request))
      await assertRefunded(subject, payment, [part])
    },
  },
  {
    name: 'one key with another amount refunds nothing more',
    run: async (subject) => {
      const { payment, part } = await paid(subject)
      assertAccepted(await subject.provider.refund(payment, { key: 'r1', amountMinor: part }))
      const other = await subject.provider.refund(payment, { key: 'r1', amountMinor: part * 2 })
      const amount = other.kind === 'refund' && other.refund.amountMinor
      assert.ok(!isAccepted(other) || amount === part, 'it is reported as made')
      await assertRefunded(subject, payment, [part])
    },
  },
  {
    name: 'two keys refund twice, also the same amount',
    run: async (subject) => {
      const { payment, part } = await paid(subject)
      for (const key of ['r1', 'r2']) {
        assertAccepted(await subject.provider.refund(payment, { key, amountMinor: part }))
      }
      await assertRefunded(subject, payment, [part, part])
    },
  },
  {
    name: 'more than is left fails and refunds nothing',
    run: async (subject) => {
      const { payment, part } = await paid(subject)
      assertAccepted(await subject.provider.refund(payment, { key: 'r1', amountMinor: part }))
      const { amountMinor } = payment
      const tooMuch = await subject.provider.refund(payment, { key: 'r2', amountMinor })
      assert.equal(outcomeName(tooMuch), 'failed')
      assert.ok(tooMuch.kind === 'refund' && tooMuch.refund.reason, 'there is no reason')
      await assertRefunded(subject, payment, [part])
    },
  },
  {
    name: 'refunds that race never return more than was paid',
    run: async (subject) => {
      const { payment, part } = await paid(subject)
      const most = payment.amountMinor - part
      const calls = ['r1', 'r2', 'r3'].map((key) =>
        subject.provider.refund(payment, { key, amountMinor: most }),
      )
      assert.equal((await Promise.all(calls)).filter(isAccepted).length, 1)
      await assertRefunded(subject, payment, [most])
    },
  },
  ...(['before', 'after'] as const).map(
    (when): Check => ({
      name: `a refund whose answer is lost ${when} its effect is made once when it is repeated`,
      run: async (subject) => {
        const { payment, part } = await paid(subject)
        const request = { key: 'r1', amountMinor: part }
        subject.loseAnswer('refund', when)
        const lost = await subject.provider.refund(payment, request)
        assert.equal(lost.kind, 'unknown', 'a lost answer is taken for one')
        assertAccepted(await subject.provider.refund(payment, request))
        await assertRefunded(subject, payment, [part])
      },
    }),
  ),
  {
    name: 'a refund is made once also after the provider has forgotten its keys',
    lacks: needs('forgetKeys'),
    run: async (subject) => {
      const { payment, part } = await paid(subject)
      const request = { key: 'r1', amountMinor: part }
      subject.loseAnswer('refund', 'after')
      await subject.provider.refund(payment, request)
      subject.forgetKeys?.()
      assertAccepted(await subject.provider.refund(payment, request))
      await assertRefunded(subject, payment, [part])
    },
  },
  {
    name: 'a refund made by other means is listed without a key, and counts',
    lacks: needs('refundElsewhere'),
    run: async (subject) => {
      const { payment, part } = await paid(subject)
      await subject.refundElsewhere?.(payment, part)
      const { refunds, refundedMinor } = await readRefunds(subject, payment)
      assert.deepEqual(
        refunds.map(({ key, amountMinor }) => ({ key, amountMinor })),
        [{ key: null, amountMinor: part }],
      )
      assert.equal(refundedMinor, part)
      const whole = { key: 'r1', amountMinor: payment.amountMinor }
      assert.equal(outcomeName(await subject.provider.refund(payment, whole)), 'failed')
    },
  },
  {
    name: 'what was never paid is not refunded',
    run: async (subject) => {
      const unknown = newPayment(subject)
      const request = { key: 'r1', amountMinor: unknown.amountMinor }
      assert.equal(outcomeName(await subject.provider.refund(unknown, request)), 'absent')
      const { payment } = await pay(subject, subject.tokens.declined)
      assert.equal(outcomeName(await subject.provider.refund(payment, request)), 'failed')
      await assertRefunded(subject, payment, [])
    },
  },
  {
    name: 'the refunds of a payment never exceed it, whatever is asked for',
    run: async (subject) => {
      const { payment, part } = await paid(subject)
      const asked = [60, 30, 20, 10, 5, 1].map((parts) => parts * part)
      for (const [at, amountMinor] of asked.entries()) {
        await subject.provider.refund(payment, { key: `r${at}`, amountMinor })
      }
      const { refunded } = await subject.readBooks(payment)
      assert.ok(sum(refunded) <= payment.amountMinor)
      assert.equal((await readRefunds(subject, payment)).refundedMinor, sum(refunded))
    },
  },
]
