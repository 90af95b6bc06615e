import type { Db } from '#db/database.ts'
import { writeBatch } from '#db/query/write-together.ts'
import type { Role } from '#http/declare/actor.ts'
import { lockCart, removeLines, touchCartStatement } from '#resources/carts/store.ts'
import type { Shop } from '#resources/dependencies.ts'
import { deleteItems, findLines, insertItemsStatement } from '#resources/order-items/store.ts'
import { startRefund } from '#resources/payments/actions.ts'
import type { OwnedPayment } from '#resources/payments/store.ts'
import {
  findProductSnapshots,
  findProductsToOrder,
  returnStock,
  takeStockStatement,
} from '#resources/products/stock-store.ts'
import { describeDestination, shippingCostMinor } from '#resources/shipping/rules.ts'
import type { Instant } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import {
  areSameLines,
  computeTotals,
  type FrozenLine,
  freezeLines,
  isRefundTransition,
  mergeLines,
  type OrderLine,
  type ProductSnapshot,
  paymentWindowMs,
  requireEditable,
  requireExpectedTotal,
  requireFillable,
  requireNoMoneyMoving,
  requireRemovable,
  requireTransition,
  statusChange,
} from './rules.ts'
import type { NewOrder, OrderBody, OrderPatch } from './schema.ts'
import * as store from './store.ts'

/**
 * Places an order of the items in the body, or of the user's cart, which it empties. Freezes prices
 * and takes stock. Runs at most six statements. Throws 4091, 4093 or 4221 when the order cannot be
 * filled.
 */
export async function placeOrder(
  db: Db,
  userId: number,
  body: NewOrder,
  { currency, currencyDigits }: Shop,
  now: Instant,
): Promise<store.OrderState> {
  const requestedLines = body.items ? mergeLines(body.items) : await takeCartLines(db, userId)
  const { productSnapshots, orderId } = await findProductsToOrder(db, productIdsOf(requestedLines))
  const { lines, stockedLines } = fillLines(requestedLines, productSnapshots)
  const destination = describeDestination(body.shipping ?? {})
  const sums = computeTotals(lines, shippingCostMinor(destination.shipping_method, currencyDigits))
  requireExpectedTotal(sums.total_minor, body.expected_total, currencyDigits)
  const { order, write } = store.insertOrderStatement({
    id: orderId,
    user_id: userId,
    status: 'pending',
    currency,
    ...sums,
    ...destination,
    note: body.note ?? null,
    expires_at: now + paymentWindowMs,
    created_at: now,
    updated_at: now,
  })
  await writeBatch(db, [
    ...(body.items ? [] : [touchCartStatement(userId, now)]),
    write,
    ...insertItemsStatement(db, orderId, lines, now),
    // Last, to lock product rows as briefly as possible.
    ...takeStockStatement(db, stockedLines, now),
  ])
  return order
}

async function takeCartLines(db: Db, userId: number): Promise<readonly OrderLine[]> {
  await lockCart(db, userId)
  const lines = await removeLines(db, userId)
  if (lines.length === 0) throw problem('4091', 'cart.empty')
  return lines
}

const productIdsOf = (requestedLines: readonly OrderLine[]) =>
  requestedLines.map(({ product_id }) => product_id)

/**
 * Returns the lines at current prices, and those whose stock is counted. Throws when one cannot be
 * filled.
 */
function fillLines(
  requestedLines: readonly OrderLine[],
  productSnapshots: ReadonlyMap<number, ProductSnapshot>,
) {
  requireFillable(requestedLines, productSnapshots)
  // If the stock is sold meanwhile, taking it fails and the transaction is retried.
  const stockedLines = requestedLines.flatMap((line) => {
    const stock = productSnapshots.get(line.product_id)?.stock ?? null
    return stock === null ? [] : [{ ...line, stock }]
  })
  return { lines: freezeLines(requestedLines, productSnapshots), stockedLines }
}

/**
 * Replaces items, shipping and note of a pending order. Omitted items and shipping stay; identical
 * items keep their prices.
 */
export async function replaceOrder(
  db: Db,
  order: store.OrderState,
  body: OrderBody,
  { currencyDigits }: Shop,
  now: Instant,
): Promise<store.OrderState> {
  requireEditable(order)
  const destination = body.shipping ? describeDestination(body.shipping) : {}
  const cost = body.shipping
    ? shippingCostMinor(body.shipping.method ?? 'standard', currencyDigits)
    : order.shipping_cost_minor
  const requestedLines = body.items && mergeLines(body.items)
  const hasOtherItems =
    requestedLines && !areSameLines(requestedLines, await findLines(db, order.id))
  const sums = hasOtherItems
    ? computeTotals(await replaceItems(db, order.id, requestedLines, now), cost)
    : { shipping_cost_minor: cost, total_minor: order.subtotal_minor + order.tax_minor + cost }
  const change = { ...sums, ...destination, note: body.note ?? null }
  return store.updateOrder(db, order, change, now)
}

async function replaceItems(
  db: Db,
  orderId: number,
  requestedLines: readonly OrderLine[],
  now: Instant,
): Promise<readonly FrozenLine[]> {
  await returnStock(db, [orderId], now)
  await deleteItems(db, orderId)
  const { lines, stockedLines } = fillLines(
    requestedLines,
    await findProductSnapshots(db, productIdsOf(requestedLines)),
  )
  await writeBatch(db, [
    ...insertItemsStatement(db, orderId, lines, now),
    ...takeStockStatement(db, stockedLines, now),
  ])
  return lines
}

/** Removes a pending or cancelled order and returns the stock of a pending one. */
export async function removeOrder(db: Db, order: store.OrderState, now: Instant): Promise<void> {
  requireRemovable(order)
  const cancelled = { deleted_at: now, status: 'cancelled', expires_at: null } as const
  await store.updateOrder(db, order, cancelled, now)
  if (order.status === 'pending') await returnStock(db, [order.id], now)
}

/** Cancels up to 100 pending orders whose payment window is over. Returns how many. */
export async function expireOrders(db: Db, now: Instant): Promise<number> {
  const expired = await store.lockExpiredOrders(db, now, 100)
  if (expired.length === 0) return 0
  await store.updateLockedOrders(db, expired, statusChange('cancelled', now), now)
  const ids = expired.map(({ id }) => id)
  await returnStock(db, ids, now)
  return ids.length
}

/**
 * Changes the note of a pending order or the status of an order. A transition that returns the money
 * only starts here: the caller must still refund the payment in `refunding`.
 */
export async function patchOrder(
  db: Db,
  order: store.OrderState,
  { status: to = order.status, note = order.note }: OrderPatch,
  role: Role | null,
  now: Instant,
): Promise<{ readonly order: store.OrderState; readonly refunding?: OwnedPayment }> {
  if (note !== order.note) requireEditable(order)
  if (to === order.status && note === order.note) return { order }
  if (to === order.status) return { order: await store.updateOrder(db, order, { note }, now) }
  requireTransition(order.status, to, role)
  if (isRefundTransition(order.status, to)) {
    return { order, refunding: await startRefund(db, order, now) }
  }
  requireNoMoneyMoving(order)
  const updated = await store.updateOrder(db, order, { ...statusChange(to, now), note }, now)
  if (to === 'cancelled') await returnStock(db, [order.id], now)
  return { order: updated }
}
