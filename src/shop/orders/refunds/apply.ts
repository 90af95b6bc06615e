import { restockProducts } from '#shop/catalogue/products/stock/stock-return-store.ts'
import { recordStockChanges } from '#shop/catalogue/variants/actions.ts'
import { returnDiscountUses } from '#shop/checkout/discounts/uses.ts'
import { type DomainEvent, eventStatements, recordEvents } from '#shop/events/outbox-store.ts'
import { findLines } from '#shop/orders/order-items/store.ts'
import { type OrderEventType, orderEvent } from '#shop/orders/orders/events.ts'
import { statusChange } from '#shop/orders/orders/rules.ts'
import { type OrderState, updateOrderStatement } from '#shop/orders/orders/store.ts'
import { isUnsent } from '#shop/orders/parcels/quantities.ts'
import { changeBySending } from '#shop/orders/parcels/sending.ts'
import { type OrderToSend, readToSend } from '#shop/orders/parcels/store.ts'
import { refundEvent } from '#shop/orders/payments/events.ts'
import { type OwnedPayment, updatePaymentStatement } from '#shop/orders/payments/store.ts'
import { deletePurchases, reducePurchases } from '#shop/orders/purchases/store.ts'
import { isOpen } from '#shop/orders/returns/claims.ts'
import { returnEvent } from '#shop/orders/returns/events.ts'
import { findReturns } from '#shop/orders/returns/store.ts'
import { returns } from '#shop/orders/returns/table.ts'
import type { Db } from '#store/database.ts'
import { writeBatch } from '#store/query/write-batch.ts'
import { type Instant, storedChangeTime } from '#values/instant.ts'
import { isRefundable, quantitiesToRestock, statusWhenRefunded } from './rules.ts'
import type { ChangedRefund, RefundChanges } from './settlement.ts'
import { insertRefund, updateRefundStatement } from './store.ts'
import type { StoredRefund } from './table.ts'

/** A payment, its order, and the refunds of the order that succeeded or are pending. */
export interface RefundedOrder {
  readonly payment: OwnedPayment
  readonly order: OrderState
  readonly refunds: readonly StoredRefund[]
}

/** The sums that a payment gets by changes of its refunds, in minor units. */
interface Sums {
  readonly succeededMinor: number
  readonly pendingMinor: number
}

/**
 * Stores changes of the refunds of a payment with all that follows once one succeeds: the sums of
 * payment and order, the status of what is refunded in full, purchases, stock, uses of discounts and
 * events. Returns the payment and order afterwards, and the refunds added.
 */
export async function applyRefunds(
  db: Db,
  refunded: RefundedOrder,
  { changed, added }: RefundChanges,
  now: Instant,
): Promise<Omit<RefundedOrder, 'refunds'> & { readonly added: readonly StoredRefund[] }> {
  const { payment, order } = refunded
  const inserted: StoredRefund[] = []
  for (const refund of added) inserted.push(await insertRefund(db, refund, order, now))
  const succeeding = [
    ...changed.filter(({ change }) => change.status === 'succeeded').map(({ refund }) => refund),
    ...inserted.filter(({ status }) => status === 'succeeded'),
  ]
  const updates = changed.map(({ refund, change }) =>
    updateRefundStatement(refund, change, order, now),
  )
  const sums = sumsOf(changed, inserted)
  if (sums.pendingMinor === 0 && succeeding.length === 0) {
    await writeBatch(db, updates)
    return { payment, order, added: inserted }
  }
  const sent = await sentAfter(db, order, changed)
  const next = nextState({ ...refunded, sent }, sums, succeeding.length > 0, now)
  await writeBatch(db, [
    ...updates,
    next.payment.write,
    next.order.write,
    ...eventStatements(db, next.events),
  ])
  if (next.paysBack) {
    if (order.return_count > 0) await endReturns(db, order, succeeding, next.isFull, now)
    // Locks the discount before products, as new orders do.
    if (next.isFull && isUnsent(order)) await returnDiscountUses(db, [order.id], now)
    await returnGoods(db, { ...refunded, succeeding, isFull: next.isFull }, now)
  }
  return {
    payment: { ...next.payment.payment, user_id: payment.user_id },
    order: next.order.order,
    added: inserted,
  }
}

/** Returns what was sent of an order, and the refunds that changes leave; undefined if nothing was sent. */
async function sentAfter(
  db: Db,
  order: OrderState,
  changed: readonly ChangedRefund[],
): Promise<OrderToSend | undefined> {
  if (order.parcel_count === 0) return undefined
  const failed = new Set(
    changed.filter(({ change }) => change.status === 'failed').map(({ refund }) => refund.id),
  )
  return readToSend(db, order, failed)
}

/** What changes moved out of, or into, the pending refunds, and how much of it succeeded. */
function sumsOf(changed: readonly ChangedRefund[], inserted: readonly StoredRefund[]): Sums {
  const sums = { succeededMinor: 0, pendingMinor: 0 }
  for (const { refund, change } of changed) {
    if (change.status === undefined || change.status === 'pending') continue
    sums.pendingMinor -= refund.amount
    if (change.status === 'succeeded') sums.succeededMinor += refund.amount
  }
  for (const { status, amount } of inserted) {
    if (status === 'pending') sums.pendingMinor += amount
    if (status === 'succeeded') sums.succeededMinor += amount
  }
  return sums
}

function nextState(
  { payment, order, sent }: RefundedOrder & { readonly sent: OrderToSend | undefined },
  { succeededMinor, pendingMinor }: Sums,
  hasSucceeded: boolean,
  now: Instant,
) {
  const refunded = payment.refunded + succeededMinor
  const refunding = payment.refunding + pendingMinor
  const isReturned = payment.status === 'succeeded' && refunded >= payment.amount
  const nextPayment = updatePaymentStatement(
    payment,
    { refunded, refunding, ...(isReturned && { status: 'refunded' }) },
    now,
  )
  // The money of a payment that came too late never belonged to the order.
  const paysBack = hasSucceeded && payment.status === 'succeeded' && isRefundable(order.status)
  const isFull = paysBack && isReturned
  const to = statusWhenRefunded(order)
  const moved = payment.status === 'succeeded' && sent ? changeBySending(sent, isFull, now) : null
  const type: OrderEventType = isFull ? `order.${to}` : (moved?.type ?? 'order.updated')
  const nextOrder = updateOrderStatement(
    order,
    {
      ...moved?.change,
      ...(paysBack && { refunded: order.refunded + succeededMinor }),
      ...(isFull && statusChange(to, now, 'refunded')),
    },
    now,
  )
  const isTold = paysBack && succeededMinor > 0
  const events: readonly DomainEvent[] = [
    ...(succeededMinor > 0 ? [refundEvent(nextPayment.payment, succeededMinor, now)] : []),
    ...(isTold || type !== 'order.updated' ? [orderEvent(type, nextOrder.order, now)] : []),
  ]
  return { payment: nextPayment, order: nextOrder, events, paysBack, isFull }
}

/** Marks the returns of refunds that succeeded as refunded, or all that are open once the order is. */
async function endReturns(
  db: Db,
  order: OrderState,
  succeeding: readonly StoredRefund[],
  isFull: boolean,
  now: Instant,
): Promise<void> {
  const refunded = new Set(succeeding.map(({ return_id }) => return_id))
  const open = (await findReturns(db, order)).filter(
    (each) => isOpen(each) && (isFull || refunded.has(each.id)),
  )
  const ended = await returns.reviseRows(
    db,
    { id: open.map(({ id }) => id) },
    { status: 'refunded' },
    storedChangeTime(order, now),
  )
  await recordEvents(
    db,
    ended.map((each) => returnEvent('return.refunded', { ...each, user_id: order.user_id }, now)),
  )
}

interface Returning extends RefundedOrder {
  readonly succeeding: readonly StoredRefund[]
  readonly isFull: boolean
}

/** Subtracts returned items from the purchases and puts them back to the stock. */
async function returnGoods(
  db: Db,
  { order, refunds, succeeding, isFull }: Returning,
  now: Instant,
): Promise<void> {
  const returned = succeeding.flatMap(({ items }) => items)
  if (isFull) await deletePurchases(db, order.id)
  else await reducePurchases(db, order, returned, now)
  if (!isFull && !succeeding.some(({ restock }) => restock)) return
  const items = await findLines(db, order.id)
  const earlier = refunds.filter(({ status }) => status === 'succeeded')
  const restocked = quantitiesToRestock({ ...order, items }, { earlier, succeeding, isFull })
  // What was never counted returns nothing.
  const counted = items.filter(({ taken }) => taken > 0)
  const products = new Map(counted.map(({ id, product_id }) => [id, product_id]))
  const lines = restocked.flatMap(({ order_item_id, quantity }) => {
    const product_id = products.get(order_item_id)
    return product_id === undefined ? [] : [{ product_id, quantity }]
  })
  const changes = await restockProducts(db, lines, now)
  await recordStockChanges(db, changes, { currency: order.currency, now })
}
