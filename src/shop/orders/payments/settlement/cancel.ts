import type { Context } from '#http/declare/context.ts'
import { AfterCommit } from '#http/declare/results.ts'
import { findOrder, type OrderState, updateOrderStatement } from '#shop/orders/orders/store.ts'
import { type PaymentDependencies, toStoredPayment } from '#shop/orders/payments/dependencies.ts'
import { isOpen, settlementDelayMs, unknownOutcomeProblem } from '#shop/orders/payments/rules.ts'
import * as store from '#shop/orders/payments/store.ts'
import type { Db } from '#store/database.ts'
import { writeBatch } from '#store/query/write-batch.ts'
import { requireWrittenRow } from '#store/stale-write.ts'
import type { Instant } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import { recordOutcome } from './record.ts'

/**
 * Stores the request to cancel the payment of an order that waits for the buyer, before the provider
 * is called. Throws a StaleWriteError when there is none any more.
 */
export async function startCancellation(
  db: Db,
  order: OrderState,
  now: Instant,
): Promise<store.OwnedPayment> {
  const payment = requireWrittenRow(await store.findPaymentAwaitingBuyer(db, order.id))
  const request = { cancel_requested_at: now, settle_after: now + settlementDelayMs }
  const next = store.updatePaymentStatement(payment, request, now)
  await writeBatch(db, [updateOrderStatement(order, {}, now).write, next.write])
  return next.payment
}

/**
 * Cancels a payment at the provider and stores what became of it. Throws 409 when the provider still
 * works on it, and 5021, 5031 or 5041 when it did not answer: then the settlement job cancels it.
 */
async function cancelPayment(
  dependencies: PaymentDependencies,
  payment: store.OwnedPayment,
): Promise<void> {
  const outcome = await dependencies.provider.cancel(toStoredPayment(payment))
  const settled = await recordOutcome(dependencies, payment, outcome)
  if (!isOpen(settled)) return
  if (outcome.kind === 'unknown') throw unknownOutcomeProblem(outcome.because)
  throw problem('4091', 'order.payment_under_way')
}

/**
 * Cancels the payment of an order at the provider, and then runs `finish` in a transaction of its
 * own. Throws 409 when the buyer has paid meanwhile.
 */
export const afterCancelling = <R>(
  dependencies: PaymentDependencies,
  payment: store.OwnedPayment,
  finish: (db: Db, order: OrderState) => Promise<R>,
): AfterCommit<R> =>
  new AfterCommit(payment.order_id, async (ctx: Context) => {
    await cancelPayment(dependencies, payment)
    return ctx.transaction(async (db) => {
      const order = await findOrder(db, payment.order_id)
      if (order?.status === 'pending' || order?.status === 'cancelled') return finish(db, order)
      throw problem('4091', 'order.transition', { from: order?.status ?? '', to: 'cancelled' })
    })
  })
