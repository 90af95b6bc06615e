import assert from 'node:assert/strict'
import type { StoredPayment } from '../../../../src/shop/providers/provider.ts'
import { type Check, needs } from '../check.ts'
import { newPayment, outcomeName, pay, reconcile, start, startUnconfirmed } from '../shop.ts'
import type { CheckSubject } from '../subject.ts'

/** Asserts what the books of the provider say about a payment. */
export async function assertCharged(
  { readBooks }: CheckSubject,
  payment: StoredPayment,
  charges: readonly number[] = [payment.amountMinor],
): Promise<void> {
  assert.deepEqual((await readBooks(payment)).charged, charges, 'what was charged')
}

/** Asserts that the state and the books agree: succeeded and charged once, or neither. */
export async function assertConsistent(
  subject: CheckSubject,
  payment: StoredPayment,
): Promise<string> {
  const found = outcomeName(await subject.provider.find(payment))
  await assertCharged(subject, payment, found === 'succeeded' ? [payment.amountMinor] : [])
  return found
}

/** The rules of paying. */
export const payingChecks: readonly Check[] = [
  {
    name: 'the provider has a name, and receives callbacks under /payment-notifications',
    run: async ({ provider }) => {
      assert.match(provider.name, /^[a-z][a-z0-9-]{1,30}$/)
      assert.match(provider.callbackPath, /^\/payment-notifications(?:\/[a-z0-9-]+)?$/)
    },
  },
  {
    name: 'a good card is charged once and in full, and the outcome has all fields',
    run: async (subject) => {
      const { payment, outcome } = await pay(subject, subject.tokens.succeeds)
      assert.equal(outcome.kind === 'payment' && outcome.payment.status, 'succeeded')
      const { key, amountMinor, currency } = payment
      const { reference, ...found } = outcome.kind === 'payment' ? outcome.payment : assert.fail()
      const expected = { key, amountMinor, currency, status: 'succeeded' }
      assert.deepEqual(found, { ...expected, refundedMinor: 0, refunds: [] })
      assert.ok(typeof reference === 'string' && reference !== '', 'there is no reference')
      await assertCharged(subject, payment)
    },
  },
  {
    name: 'find returns the same as paying did',
    run: async (subject) => {
      const { payment, outcome } = await pay(subject, subject.tokens.succeeds)
      assert.deepEqual(await subject.provider.find(payment), outcome)
    },
  },
  {
    name: 'a started payment takes no money before it is confirmed',
    run: async (subject) => {
      const payment = await startUnconfirmed(subject)
      if (!payment) return
      await assertCharged(subject, payment, [])
      assert.equal(outcomeName(await subject.provider.find(payment)), 'unconfirmed')
    },
  },
  {
    name: 'a started payment that is cancelled takes no money when it is confirmed after all',
    run: async (subject) => {
      const payment = await startUnconfirmed(subject)
      if (!payment) return
      assert.equal(outcomeName(await subject.provider.cancel(payment)), 'cancelled')
      const late = await subject.provider.confirm(payment, { token: subject.tokens.succeeds })
      assert.notEqual(outcomeName(late), 'succeeded')
      await assertCharged(subject, payment, [])
    },
  },
  {
    name: 'every currency is charged exactly',
    run: async (subject) => {
      assert.ok(subject.amounts.length > 1, 'fewer than two amounts are given')
      for (const amount of subject.amounts) {
        const { payment, outcome } = await pay(
          subject,
          subject.tokens.succeeds,
          newPayment(subject, amount),
        )
        assert.equal(outcomeName(outcome), 'succeeded', JSON.stringify({ amount, outcome }))
        const { currency, amountMinor } = outcome.kind === 'payment' ? outcome.payment : payment
        assert.deepEqual({ currency, amountMinor }, amount)
        await assertCharged(subject, payment)
      }
    },
  },
  {
    name: 'an amount that the provider does not take is rejected, naming the amount',
    lacks: needs('rejectedAmount'),
    run: async (subject) => {
      const payment = newPayment(subject, subject.rejectedAmount)
      const started = await start(subject, payment, subject.tokens.succeeds)
      assert.equal(started.kind === 'rejected' && started.field, 'amount')
      await assertCharged(subject, payment, [])
    },
  },
  {
    name: 'a declined card takes no money, and stays declined',
    run: async (subject) => {
      const { payment, outcome } = await pay(subject, subject.tokens.declined)
      assert.equal(outcomeName(outcome), 'declined')
      assert.ok(outcome.kind === 'payment' && outcome.payment.reason, 'there is no reason')
      assert.equal(outcomeName(await subject.provider.find(payment)), 'declined')
      assert.equal(outcomeName(await subject.provider.cancel(payment)), 'declined')
      await assertCharged(subject, payment, [])
    },
  },
  {
    name: 'a declined payment takes no other card',
    run: async (subject) => {
      const { payment } = await pay(subject, subject.tokens.declined)
      await subject.provider.confirm(payment, { token: subject.tokens.succeeds })
      await start(subject, payment, subject.tokens.succeeds)
      await assertCharged(subject, payment, [])
    },
  },
  {
    name: 'an unknown token takes no money and is declined or rejected for good',
    lacks: ({ tokens }) => (tokens.unknown === undefined ? 'tokens.unknown' : undefined),
    run: async (subject) => {
      const { unknown = '' } = subject.tokens
      const { payment, outcome } = await pay(subject, unknown)
      assert.ok(['declined', 'rejected'].includes(outcomeName(outcome)), outcomeName(outcome))
      assert.ok(outcome.kind !== 'rejected' || outcome.field === 'token', 'it names the amount')
      await pay(subject, unknown, payment)
      await assertCharged(subject, payment, [])
    },
  },
  {
    name: 'paying twice under one key charges once',
    run: async (subject) => {
      const { payment } = await pay(subject, subject.tokens.succeeds)
      const again = await pay(subject, subject.tokens.succeeds, { ...payment, reference: null })
      assert.equal(again.payment.reference, payment.reference, 'it is another payment')
      await assertCharged(subject, payment)
    },
  },
  {
    name: 'starting ten times at once under one key charges at most once',
    run: async (subject) => {
      const payment = newPayment(subject)
      const calls = Array.from({ length: 10 }, () => pay(subject, subject.tokens.succeeds, payment))
      const paid = await Promise.all(calls)
      const known = paid.find(({ payment: { reference } }) => reference !== null)
      if (known) await assertConsistent(subject, known.payment)
      assert.ok((await subject.readBooks(known?.payment ?? payment)).charged.length <= 1)
      const references = new Set(paid.map((each) => each.payment.reference).filter(Boolean))
      assert.ok(references.size <= 1, 'one key stands for several payments')
    },
  },
  {
    name: 'confirming ten times at once charges once',
    run: async (subject) => {
      const payment = await startUnconfirmed(subject)
      if (!payment) return
      const means = { token: subject.tokens.succeeds }
      const calls = Array.from({ length: 10 }, () => subject.provider.confirm(payment, means))
      await Promise.all(calls)
      assert.equal(await assertConsistent(subject, payment), 'succeeded')
    },
  },
  {
    name: 'two keys are two payments',
    run: async (subject) => {
      const first = await pay(subject, subject.tokens.succeeds)
      const second = await pay(subject, subject.tokens.succeeds)
      assert.notEqual(first.payment.reference, second.payment.reference)
      for (const { payment } of [first, second]) await assertCharged(subject, payment)
    },
  },
  {
    name: 'paying again after the provider has forgotten its keys charges once',
    lacks: needs('forgetKeys'),
    run: async (subject) => {
      const { payment } = await pay(subject, subject.tokens.succeeds)
      subject.forgetKeys?.()
      const again = await subject.provider.confirm(payment, { token: subject.tokens.succeeds })
      assert.equal(outcomeName(again), 'succeeded')
      await assertCharged(subject, payment)
    },
  },
  {
    name: 'no outcome repeats the token',
    run: async (subject) => {
      for (const token of Object.values(subject.tokens).filter(
        (each) => typeof each === 'string',
      )) {
        const { payment, outcome } = await pay(subject, token)
        const text = JSON.stringify([outcome, await reconcile(subject, payment)])
        assert.ok(!text.includes(token), `an outcome shows ${token}`)
      }
    },
  },
]
