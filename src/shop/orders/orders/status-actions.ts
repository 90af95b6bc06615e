import type { Actor } from '#http/declare/actor.ts'
import { requireScope } from '#http/declare/permissions.ts'
import { returnStock } from '#shop/catalogue/products/stock/stock-return-store.ts'
import { recordStockChanges } from '#shop/catalogue/variants/actions.ts'
import { returnDiscountUses } from '#shop/checkout/discounts/store.ts'
import { startCancellation } from '#shop/orders/payments/settlement/cancel.ts'
import type { OwnedPayment } from '#shop/orders/payments/store.ts'
import { deletePurchases } from '#shop/orders/purchases/store.ts'
import { type StartedRefund, startFullRefund } from '#shop/orders/refunds/actions.ts'
import { requireShippableOrder } from '#shop/orders/shipping/rules.ts'
import type { PaymentProvider } from '#shop/providers/provider.ts'
import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import { statusEventType } from './events.ts'
import {
  awaitsBuyer,
  isRefundTransition,
  requireEditableOrder,
  requireNoPaymentInProgress,
  requireRemovableOrder,
  requireStatusTransition,
  returnsMoney,
  statusChange,
} from './rules.ts'
import type { OrderPatch } from './schema.ts'
import * as store from './store.ts'

/** A payment that waits for the buyer and must be cancelled at the provider before its order. */
interface PaymentToCancel {
  readonly cancelling: OwnedPayment
}

/**
 * Removes an order that was never paid and returns the stock of a pending one. With a payment that
 * waits for the buyer, removal only starts here: the caller must cancel the payment in `cancelling`,
 * and then call `removeOrder` again.
 */
export async function removeOrder(
  db: Db,
  order: store.OrderState,
  now: Instant,
): Promise<PaymentToCancel | undefined> {
  if (awaitsBuyer(order)) return { cancelling: await startCancellation(db, order, now) }
  requireRemovableOrder(order)
  const cancelled = { deleted_at: now, status: 'cancelled', expires_at: null } as const
  await store.updateOrder(db, order, cancelled, 'order.deleted', now)
  if (order.status === 'pending') await returnOrders(db, [order], now)
  return undefined
}

/**
 * Returns the uses of discounts and the stock that cancelled orders took, with the events of products
 * that are back in stock.
 */
export async function returnOrders(
  db: Db,
  orders: readonly Pick<store.OrderState, 'id' | 'currency'>[],
  now: Instant,
): Promise<void> {
  const ids = orders.map(({ id }) => id)
  await returnDiscountUses(db, ids, now)
  const changes = await returnStock(db, ids, now)
  await recordStockChanges(db, changes, { currency: orders[0]?.currency ?? '', now })
}

/** Who changes an order, when, and the provider of its payment. */
interface PatchContext {
  readonly actor: Actor
  readonly provider: PaymentProvider
  readonly now: Instant
}

interface PatchOutcome extends Partial<PaymentToCancel> {
  readonly order: store.OrderState
  readonly refunding?: readonly StartedRefund[]
}

/**
 * Changes the note of a pending order or the status of an order. Two transitions only start here. To
 * return the money, the caller must settle the refunds in `refunding`. To cancel an order whose
 * payment waits for the buyer, it must cancel the payment in `cancelling`, and then call
 * `patchOrder` again. Throws 403/4033 for a credential that may not refund what must be returned.
 */
export async function patchOrder(
  db: Db,
  order: store.OrderState,
  { status: to = order.status, note = order.note }: OrderPatch,
  { actor, provider, now }: PatchContext,
): Promise<PatchOutcome> {
  if (to === 'cancelled' && awaitsBuyer(order)) {
    return { order, cancelling: await startCancellation(db, order, now) }
  }
  if (note !== order.note) requireEditableOrder(order)
  if (to === order.status && note === order.note) return { order }
  if (to === order.status) {
    return { order: await store.updateOrder(db, order, { note }, 'order.updated', now) }
  }
  requireStatusTransition(order.status, to, actor.role)
  const isRefund = isRefundTransition(order.status, to)
  if (returnsMoney(order, to)) {
    requireScope('refunds:write', actor)
    return { order, refunding: await startFullRefund(db, order, provider, now) }
  }
  requireNoPaymentInProgress(order)
  if (to === 'shipped') requireShippableOrder(order)
  const change = { ...statusChange(to, now), note }
  const updated = await store.updateOrder(db, order, change, statusEventType(to), now)
  if (isRefund) await deletePurchases(db, order.id)
  if (to === 'cancelled') await returnOrders(db, [order], now)
  return { order: updated }
}
