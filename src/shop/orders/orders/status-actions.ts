import type { Actor } from '#http/declare/actor.ts'
import { requireScope } from '#http/declare/permissions.ts'
import { returnStock } from '#shop/catalogue/products/stock/stock-return-store.ts'
import { recordStockChanges } from '#shop/catalogue/variants/actions.ts'
import { returnDiscountUses } from '#shop/checkout/discounts/uses.ts'
import { deletePurchases } from '#shop/orders/purchases/store.ts'
import { type StartedRefund, startFullRefund } from '#shop/orders/refunds/actions.ts'
import { requireShippableOrder } from '#shop/orders/shipping/rules.ts'
import type { PaymentProvider } from '#shop/providers/provider.ts'
import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import { statusEventType } from './events.ts'
import {
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

/** Returns an order whose payment was cancelled. Throws 409 when the buyer has paid meanwhile. */
export async function readUnpaidOrder(db: Db, orderId: number): Promise<store.OrderState> {
  const order = await store.findOrder(db, orderId)
  if (order?.status === 'pending' || order?.status === 'cancelled') return order
  throw problem('4091', 'order.transition', { from: order?.status ?? '', to: 'cancelled' })
}

/**
 * Removes an order that was never paid and returns the stock of a pending one; does nothing for an
 * order that is removed. Throws 409 for any other.
 */
export async function removeOrder(db: Db, order: store.OrderState, now: Instant): Promise<void> {
  if (order.deleted_at !== null) return
  requireRemovableOrder(order)
  const cancelled = { deleted_at: now, status: 'cancelled', expires_at: null } as const
  await store.updateOrder(db, order, cancelled, 'order.deleted', now)
  if (order.status === 'pending') await returnOrders(db, [order], now)
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

interface PatchOutcome {
  readonly order: store.OrderState
  readonly refunding?: readonly StartedRefund[]
}

/**
 * Changes the note of a pending order or the status of an order. Where money must be returned, this
 * only begins it: the caller must settle the refunds in `refunding`. Throws 403/4033 for a credential
 * that may not refund, and 409 while a payment is in progress.
 */
export async function patchOrder(
  db: Db,
  order: store.OrderState,
  { status: to = order.status, note = order.note }: OrderPatch,
  { actor, provider, now }: PatchContext,
): Promise<PatchOutcome> {
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
