import type { Actor } from '#http/declare/actor.ts'
import { requireScope } from '#http/declare/permissions.ts'
import { returnStock } from '#shop/catalogue/products/stock/stock-return-store.ts'
import { recordStockChanges } from '#shop/catalogue/variants/actions.ts'
import { returnDiscountUses } from '#shop/checkout/discounts/uses.ts'
import { settleItemsStatement } from '#shop/orders/order-items/store.ts'
import { deliverAll, sendAll } from '#shop/orders/parcels/actions.ts'
import { deletePurchases } from '#shop/orders/purchases/store.ts'
import { type StartedRefund, startFullRefund } from '#shop/orders/refunds/actions.ts'
import type { PaymentProvider } from '#shop/providers/provider.ts'
import type { Db } from '#store/database.ts'
import { writeBatch } from '#store/query/write-batch.ts'
import { isUnchanged } from '#store/unchanged.ts'
import type { Instant } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import { statusEventType } from './events.ts'
import {
  isRefundTransition,
  requireEditableOrder,
  requireNoPaymentInProgress,
  requireRemovableOrder,
  requireStatusTransition,
  requireUnsent,
  returnsMoney,
  statusChange,
} from './rules.ts'
import type { CancelReason, OrderPatch } from './schema.ts'
import * as store from './store.ts'
import type { OrderRow } from './table.ts'

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
  const cancelled = order.status === 'pending' && statusChange('cancelled', now)
  await store.updateOrder(
    db,
    order,
    { ...cancelled, deleted_at: now, external_id: null },
    'order.deleted',
    now,
  )
  if (order.status === 'pending') await returnOrders(db, [order], now)
}

/** The orders that a transaction cancels at most, with up to 100 lines each: SQLite blocks the event loop meanwhile. */
export const cancelledAtOnce = 10

/**
 * Cancels orders that the transaction has locked, and returns what they took.
 */
export async function cancelLockedOrders(
  db: Db,
  locked: readonly OrderRow[],
  reason: CancelReason,
  now: Instant,
): Promise<void> {
  const change = statusChange('cancelled', now, reason)
  await store.updateLockedOrders(db, locked, change, 'order.cancelled', now)
  await returnOrders(db, locked, now)
}

/**
 * Returns the uses of discounts and the stock that cancelled orders took, with the events of products
 * that are back in stock.
 */
async function returnOrders(
  db: Db,
  orders: readonly Pick<store.OrderState, 'id' | 'currency'>[],
  now: Instant,
): Promise<void> {
  const ids = orders.map(({ id }) => id)
  await writeBatch(db, [settleItemsStatement(ids)])
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
 * Changes the note of a pending order, the external ID or the status of an order. Where money must be returned, this
 * only begins it: the caller must settle the refunds in `refunding`. Throws 403/4033 for a credential
 * that may not refund, and 409 while a payment is in progress.
 */
export async function patchOrder(
  db: Db,
  order: store.OrderState,
  { status: to = order.status, note = order.note, external_id = order.external_id }: OrderPatch,
  { actor, provider, now }: PatchContext,
): Promise<PatchOutcome> {
  if (note !== order.note) requireEditableOrder(order)
  const fields = { note, external_id }
  if (to === order.status && isUnchanged(order, fields)) return { order }
  if (to === order.status) {
    return { order: await store.updateOrder(db, order, fields, 'order.updated', now) }
  }
  requireStatusTransition(order.status, to, actor.role)
  if (to === 'cancelled') requireUnsent(order)
  const isRefund = isRefundTransition(order.status, to)
  if (returnsMoney(order, to)) {
    requireScope('refunds:write', actor)
    return { order, refunding: await startFullRefund(db, order, provider, now) }
  }
  requireNoPaymentInProgress(order)
  if (to === 'shipped') return { order: await sendAll(db, order, fields, now) }
  if (to === 'delivered') return { order: await deliverAll(db, order, fields, now) }
  const change = { ...statusChange(to, now), ...fields }
  const updated = await store.updateOrder(db, order, change, statusEventType(to), now)
  if (isRefund) await deletePurchases(db, order.id)
  if (to === 'cancelled') await returnOrders(db, [order], now)
  return { order: updated }
}
