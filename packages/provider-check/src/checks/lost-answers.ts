import assert from 'node:assert/strict'
import type { Check } from '../check.ts'
import {
  newPayment,
  outcomeName,
  pay,
  reconcile,
  start,
  startUnconfirmed,
  withReference,
} from '../shop.ts'
import type { CheckSubject } from '../subject.ts'
import { assertCharged, assertConsistent } from './paying.ts'

/** Loses an answer of paying and asserts that the shop finds out what became of it. */
async function payInDoubt(
  subject: CheckSubject,
  call: 'start' | 'confirm',
  when: 'before' | 'after',
): Promise<void> {
  if (call === 'confirm' && !(await startUnconfirmed(subject))) return
  subject.loseAnswer(call, when)
  const { payment, outcome } = await pay(subject, subject.tokens.succeeds)
  assert.equal(outcome.kind, 'unknown', 'a lost answer is taken for one')
  const resolved = await reconcile(subject, payment)
  const ends = ['succeeded', 'cancelled', 'action_required']
  assert.ok(ends.includes(outcomeName(resolved)), outcomeName(resolved))
  const known = withReference(payment, resolved)
  const isCharged = outcomeName(resolved) === 'succeeded'
  await assertCharged(subject, known, isCharged ? [known.amountMinor] : [])
  // The request may have been slow instead of lost.
  if (known.reference !== null) {
    await subject.provider.confirm(known, { token: subject.tokens.succeeds })
  }
  await start(subject, known, subject.tokens.succeeds)
  await assertCharged(subject, known, isCharged ? [known.amountMinor] : [])
}

const lossChecks = (['start', 'confirm'] as const).flatMap((call) =>
  (['before', 'after'] as const).map(
    (when): Check => ({
      name: `a ${call} whose answer is lost ${when} its effect charges at most once`,
      run: (subject) => payInDoubt(subject, call, when),
    }),
  ),
)

/** The rules of finding out and cancelling. */
export const lostAnswerChecks: readonly Check[] = [
  ...lossChecks,
  {
    name: 'a payment that the provider does not know is absent',
    run: async (subject) => {
      assert.equal(outcomeName(await subject.provider.find(newPayment(subject))), 'absent')
    },
  },
  {
    name: 'a find whose answer is lost says so, and the next one returns the state',
    run: async (subject) => {
      const { payment } = await pay(subject, subject.tokens.succeeds)
      subject.loseAnswer('find', 'before')
      assert.equal((await subject.provider.find(payment)).kind, 'unknown')
      assert.equal(await assertConsistent(subject, payment), 'succeeded')
    },
  },
  {
    name: 'the state of another amount or currency is garbage',
    run: async (subject) => {
      const { payment } = await pay(subject, subject.tokens.succeeds)
      const currency = payment.currency === 'USD' ? 'EUR' : 'USD'
      for (const change of [{ amountMinor: payment.amountMinor + 1 }, { currency }]) {
        const found = await subject.provider.find({ ...payment, ...change })
        assert.equal(outcomeName(found), 'garbage', JSON.stringify(change))
      }
    },
  },
  {
    name: 'what is cancelled before the provider knows it takes no money later',
    run: async (subject) => {
      const payment = newPayment(subject)
      const cancelled = await subject.provider.cancel(payment)
      assert.equal(outcomeName(cancelled), 'cancelled')
      // A request that was on its way. The shop does not confirm what it has cancelled.
      const late = await start(subject, payment, subject.tokens.succeeds)
      assert.notEqual(outcomeName(late), 'succeeded')
      await assertCharged(subject, payment, [])
    },
  },
  {
    name: 'a payment that has succeeded is not cancelled',
    run: async (subject) => {
      const { payment } = await pay(subject, subject.tokens.succeeds)
      assert.equal(outcomeName(await subject.provider.cancel(payment)), 'succeeded')
      assert.equal(await assertConsistent(subject, payment), 'succeeded')
      assert.deepEqual((await subject.readBooks(payment)).refunded, [])
    },
  },
  {
    name: 'cancelling twice, or ten times at once, is cancelling',
    run: async (subject) => {
      const payment = (await startUnconfirmed(subject)) ?? newPayment(subject)
      const calls = Array.from({ length: 10 }, () => subject.provider.cancel(payment))
      const words = (await Promise.all(calls)).map(outcomeName)
      assert.ok(words.includes('cancelled'), words.join())
      assert.equal(outcomeName(await subject.provider.cancel(payment)), 'cancelled')
      await assertCharged(subject, payment, [])
    },
  },
  ...(['before', 'after'] as const).map(
    (when): Check => ({
      name: `a cancel whose answer is lost ${when} its effect can be repeated`,
      run: async (subject) => {
        const payment = await startUnconfirmed(subject)
        const open = payment ?? newPayment(subject)
        subject.loseAnswer('cancel', when)
        const lost = await subject.provider.cancel(open)
        if (payment) assert.equal(lost.kind, 'unknown', 'a lost answer is taken for one')
        assert.equal(outcomeName(await subject.provider.cancel(open)), 'cancelled')
        await assertCharged(subject, open, [])
      },
    }),
  ),
  {
    name: 'a cancel that races with paying ends in one or the other',
    run: async (subject) => {
      for (let turn = 0; turn < 5; turn += 1) {
        const started = await startUnconfirmed(subject)
        const payment = started ?? newPayment(subject)
        const { succeeds: token } = subject.tokens
        const paying = started
          ? subject.provider.confirm(payment, { token })
          : start(subject, payment, token)
        const [paid, cancelled] = await Promise.all([paying, subject.provider.cancel(payment)])
        const words = [outcomeName(paid), outcomeName(cancelled)]
        const found = await assertConsistent(subject, withReference(payment, paid))
        // The page of a payment that was cancelled before the provider knew it is never shown.
        const isUnseen = found === 'action_required' && words.includes('cancelled')
        assert.ok(isUnseen || ['succeeded', 'cancelled', 'unconfirmed'].includes(found), found)
        if (words.includes('cancelled')) assert.notEqual(found, 'succeeded', words.join())
      }
    },
  },
]
