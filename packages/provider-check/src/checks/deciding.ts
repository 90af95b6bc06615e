import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StoredPayment } from '../../../../src/shop/providers/provider.ts'
import { type Check, needsToken } from '../check.ts'
import { outcomeName, pay, payWithoutBuyer } from '../shop.ts'
import type { CheckSubject } from '../subject.ts'
import { assertCharged, assertConsistent } from './paying.ts'

type Kind = 'later' | 'action'

const openWord = { later: 'pending', action: 'action_required' } as const

const tokenOf = ({ tokens }: CheckSubject, kind: Kind, how: 'approved' | 'declined'): string =>
  tokens[kind]?.[how] ?? assert.fail(`there is no token ${kind}`)

/** Pays with a token that is decided later. */
async function payOpen(
  subject: CheckSubject,
  kind: Kind,
  how: 'approved' | 'declined' = 'approved',
): Promise<StoredPayment> {
  const { payment, outcome } = await payWithoutBuyer(subject, tokenOf(subject, kind, how))
  assert.equal(outcomeName(outcome), openWord[kind])
  const action = outcome.kind === 'payment' ? outcome.payment.action : undefined
  assert.equal(action !== undefined, kind === 'action', 'the action and the status disagree')
  if (action?.type === 'redirect') assert.match(action.url, /^https?:\/\//)
  else if (action) assert.ok(action.clientSecret !== '')
  await assertCharged(subject, payment, [])
  return payment
}

/** Decides a payment and waits for the decision, which a bank may take its time for. */
async function decide(
  subject: CheckSubject,
  payment: StoredPayment,
  decision: 'approve' | 'refuse',
): Promise<string> {
  await subject.decide?.(payment, decision)
  for (let turn = 0; ; turn += 1) {
    const found = await subject.provider.find(payment)
    const word = outcomeName(found)
    const isOpen = word === 'pending' || word === 'action_required'
    if (!isOpen || turn === 100) {
      const isShown = found.kind === 'payment' && found.payment.action !== undefined
      assert.ok(isOpen || !isShown, 'a decided payment has an action')
      return word
    }
    await sleep(50)
  }
}

const checksOf = (kind: Kind): readonly Check[] => {
  const what = kind === 'later' ? 'that the bank decides later' : 'that the buyer has to act for'
  return [
    {
      name: `a payment ${what} takes money once it is approved, and once only`,
      lacks: needsToken(kind),
      run: async (subject) => {
        const payment = await payOpen(subject, kind)
        assert.equal(await decide(subject, payment, 'approve'), 'succeeded')
        await assertCharged(subject, payment)
        const again = await pay(subject, tokenOf(subject, kind, 'approved'), payment)
        assert.notEqual(outcomeName(again.outcome), 'declined')
        await assertCharged(subject, payment)
      },
    },
    {
      name: `a payment ${what} takes no money when it is declined, now or later`,
      lacks: needsToken(kind),
      run: async (subject) => {
        const payment = await payOpen(subject, kind, 'declined')
        assert.equal(await decide(subject, payment, 'refuse'), 'declined')
        await subject.decide?.(payment, 'approve').catch(() => undefined)
        assert.equal(await assertConsistent(subject, payment), 'declined')
      },
    },
    {
      name: `a payment ${what} takes no money after a cancel that says so`,
      lacks: needsToken(kind),
      run: async (subject) => {
        const payment = await payOpen(subject, kind)
        const cancelled = outcomeName(await subject.provider.cancel(payment))
        // A bank that has begun may refuse to stop.
        assert.ok(cancelled === 'cancelled' || (kind === 'later' && cancelled === 'pending'))
        await subject.decide?.(payment, 'approve').catch(() => undefined)
        if (cancelled !== 'cancelled') return
        assert.equal(await assertConsistent(subject, payment), 'cancelled')
      },
    },
    {
      name: `a payment ${what} ends in one state when it is approved and cancelled at once`,
      lacks: needsToken(kind),
      run: async (subject) => {
        for (let turn = 0; turn < 5; turn += 1) {
          const payment = await payOpen(subject, kind)
          const approving = subject.decide?.(payment, 'approve').catch(() => undefined)
          const [cancelled] = await Promise.all([subject.provider.cancel(payment), approving])
          const found = await decide(subject, payment, 'approve').catch(() => 'unknown')
          if (outcomeName(cancelled) === 'cancelled') assert.equal(found, 'cancelled')
          await assertConsistent(subject, payment)
        }
      },
    },
  ]
}

/** The rules of payments that are not decided at once. */
export const decidingChecks: readonly Check[] = [...checksOf('later'), ...checksOf('action')]
