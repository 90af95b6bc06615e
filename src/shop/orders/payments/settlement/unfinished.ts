import { type PaymentParts, toStoredPayment } from '#shop/orders/payments/parts.ts'
import { isOverdue, recheckAt } from '#shop/orders/payments/rules.ts'
import * as store from '#shop/orders/payments/store.ts'
import { payments } from '#shop/orders/payments/table.ts'
import type { FindOutcome, PaymentProvider } from '#shop/providers/provider.ts'
import type { Db } from '#store/database.ts'
import { postpone } from '#store/due.ts'
import type { Instant } from '#values/instant.ts'
import { recordOutcome } from './record.ts'

/**
 * Settles payments whose requests ended without an outcome, and those that wait for the provider or
 * the buyer, by asking the provider. Returns how many were asked about. Processes may run this
 * concurrently, because each payment is claimed first.
 */
export async function settleUnfinished(parts: PaymentParts, db: Db): Promise<number> {
  const now = parts.clock()
  let settled = 0
  for (const payment of await store.findUnsettled(db, parts.provider.name, now)) {
    if (!(await postpone(db, payments, payment, recheckAt(payment.expires_at, now)))) continue
    await settlePayment(parts, payment)
    settled++
  }
  return settled
}

/**
 * Cancels a payment whose cancellation is requested or whose time is over, and asks the provider about
 * any other. Records the outcome; returns it, and the payment after it.
 */
export async function settlePayment(parts: PaymentParts, payment: store.DuePayment) {
  const { provider, clock } = parts
  const outcome = await askProvider(provider, payment, clock())
  return { outcome, payment: await recordOutcome(parts, payment, outcome) }
}

async function askProvider(
  provider: PaymentProvider,
  payment: store.DuePayment,
  now: Instant,
): Promise<FindOutcome> {
  const stored = toStoredPayment(payment)
  if (isOverdue(payment, now)) return provider.cancel(stored)
  const found = await provider.find(stored)
  // Nobody will confirm it any more: the process of its request has ended.
  return found.kind === 'absent' || found.kind === 'unconfirmed' ? provider.cancel(stored) : found
}
