import { awaitsBuyer } from '#shop/orders/orders/rules.ts'
import { findOrder, type OrderState, updateOrderStatement } from '#shop/orders/orders/store.ts'
import type { PaymentParts } from '#shop/orders/payments/parts.ts'
import { isOpen, settlementDelayMs, unknownOutcomeProblem } from '#shop/orders/payments/rules.ts'
import * as store from '#shop/orders/payments/store.ts'
import type { Db } from '#store/database.ts'
import { writeBatch } from '#store/query/write-batch.ts'
import { requireWrittenRow } from '#store/stale-write.ts'
import type { Instant } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import { settlePayment } from './unfinished.ts'

/**
 * Stores the request to cancel the payment of an order that waits for the buyer. Once it is
 * committed, the caller carries it out, and the settlement job if the caller's process ends. Throws
 * a StaleWriteError when there is no such payment any more, and 409 for one of another provider, at which
 * nobody can cancel it.
 */
export async function requestCancellation(
  { provider }: PaymentParts,
  db: Db,
  order: OrderState,
  now: Instant,
): Promise<store.DuePayment> {
  const payment = requireWrittenRow(await store.findPaymentAwaitingBuyer(db, order.id))
  if (payment.provider !== provider.name) throw problem('4091', 'order.payment_under_way')
  const request = { cancel_requested_at: now, due_at: now + settlementDelayMs }
  const next = store.updatePaymentStatement(payment, request, now)
  await writeBatch(db, [updateOrderStatement(order, {}, now).write, next.write])
  return { ...next.payment, expires_at: order.expires_at }
}

/**
 * Cancels a payment whose cancellation is requested, as the settlement job does. Throws 409 when the
 * provider still works on it, and 5021, 5031 or 5041 when it did not answer: then the job goes on.
 */
export async function carryOutCancellation(
  parts: PaymentParts,
  payment: store.DuePayment,
): Promise<void> {
  const { payment: settled, outcome } = await settlePayment(parts, payment)
  if (!isOpen(settled)) return
  if (outcome.kind === 'unknown') throw unknownOutcomeProblem(outcome.because)
  throw problem('4091', 'order.payment_under_way')
}

/**
 * Ends the payments of orders that wait for their buyers, unless an order has changed since it was read: first
 * stores the requests, which the settlement job goes on with, then cancels at the provider and records what
 * it says, also that it has taken the money.
 */
export async function endWaitingPayments(
  parts: PaymentParts,
  read: readonly Pick<OrderState, 'id' | 'revision'>[],
): Promise<void> {
  // In one order, which keeps concurrent transactions from a deadlock.
  const sorted = read.toSorted((one, other) => one.id - other.id)
  const requested = await parts.transaction(async (db) => {
    const payments: store.DuePayment[] = []
    for (const { id, revision } of sorted) {
      const order = await findOrder(db, id)
      if (order?.revision !== revision || !awaitsBuyer(order)) continue
      payments.push(await requestCancellation(parts, db, order, parts.clock()))
    }
    return payments
  })
  await Promise.all(requested.map((payment) => settlePayment(parts, payment)))
}
