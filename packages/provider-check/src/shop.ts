import { randomUUID } from 'node:crypto'
import type {
  ConfirmOutcome,
  FindOutcome,
  PaymentOutcome,
  RefundOutcome,
  StartOutcome,
  StoredPayment,
} from '../../../src/shop/providers/provider.ts'
import type { CheckSubject } from './subject.ts'

/** Any outcome of the interface. */
type Outcome = StartOutcome | ConfirmOutcome | FindOutcome | RefundOutcome

/** A payment as the shop has stored it, and what paying returned. */
interface Paid {
  readonly payment: StoredPayment
  readonly outcome: ConfirmOutcome | FindOutcome
}

const callbackUrl = 'https://shop.example.com/payment-notifications'

/** Returns a payment that no provider knows yet; of the first amount by default. */
export function newPayment(
  { amounts }: CheckSubject,
  changes: Partial<StoredPayment> = {},
): StoredPayment {
  const [{ currency, amountMinor } = { currency: 'USD', amountMinor: 1900 }] = amounts
  return {
    ...{ key: `order-1-${randomUUID()}`, reference: null, currency, amountMinor },
    orderId: 1,
    paymentId: 1,
    createdAt: Date.now(),
    ...changes,
  }
}

/** Starts a payment. */
export const start = (
  { provider }: CheckSubject,
  payment: StoredPayment,
  token: string,
): Promise<StartOutcome> => provider.start({ ...payment, token, callbackUrl })

/** Pays, and where the buyer has to act for it, has the buyer approve or decline as the token says. */
export async function pay(
  subject: CheckSubject,
  token: string,
  given: StoredPayment = newPayment(subject),
): Promise<Paid> {
  const { tokens, decide, provider } = subject
  const paid = await payWithoutBuyer(subject, token, given)
  const isDecided = token === tokens.succeeds || token === tokens.declined
  if (!isDecided || !decide || outcomeName(paid.outcome) !== 'action_required') return paid
  await decide(paid.payment, token === tokens.succeeds ? 'approve' : 'refuse')
  return { ...paid, outcome: await provider.find(paid.payment) }
}

/** Pays as the shop does: it stores the reference between the two steps of a provider that has two. */
export async function payWithoutBuyer(
  subject: CheckSubject,
  token: string,
  given: StoredPayment = newPayment(subject),
): Promise<Paid> {
  const started = await start(subject, given, token)
  if (started.kind === 'unconfirmed') {
    const payment = { ...given, reference: started.reference }
    return { payment, outcome: await subject.provider.confirm(payment, { token }) }
  }
  return { payment: withReference(given, started), outcome: started }
}

/** Starts a payment until the shop has stored its reference; undefined for a provider of one step. */
export async function startUnconfirmed(subject: CheckSubject): Promise<StoredPayment | undefined> {
  const payment = newPayment(subject)
  const started = await start(subject, payment, subject.tokens.succeeds)
  return started.kind === 'unconfirmed' ? { ...payment, reference: started.reference } : undefined
}

/** Finds out what became of a payment without an answer, as the shop does: cancels what has not happened. */
export async function reconcile(
  { provider }: CheckSubject,
  payment: StoredPayment,
): Promise<PaymentOutcome> {
  const found = await provider.find(payment)
  return found.kind === 'payment' || found.kind === 'unknown' ? found : provider.cancel(payment)
}

/** Stores the reference in an outcome. */
export function withReference(payment: StoredPayment, outcome: Outcome): StoredPayment {
  const reference = outcome.kind === 'payment' ? outcome.payment.reference : payment.reference
  return { ...payment, reference }
}

/** Names an outcome by its status, the reason of a missing answer, or its kind. */
export function outcomeName(outcome: Outcome): string {
  if (outcome.kind === 'payment') return outcome.payment.status
  if (outcome.kind === 'refund') return outcome.refund.status
  return outcome.kind === 'unknown' ? outcome.because : outcome.kind
}

/** Adds amounts up. */
export const sum = (amounts: readonly number[]): number => amounts.reduce((a, b) => a + b, 0)
