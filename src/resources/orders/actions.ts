import type { Db } from '#db/database.ts'
import { writeTogether } from '#db/query/write-together.ts'
import type { Role } from '#http/declare/actor.ts'
import { holdCart, takeLines, touchCartStatement } from '#resources/carts/store.ts'
import type { Shop } from '#resources/dependencies.ts'
import { findLines, insertItemsStatement, removeItems } from '#resources/order-items/store.ts'
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
  addUp,
  areSameLines,
  type FrozenLine,
  freeze,
  isRefunding,
  mergeLines,
  movedTo,
  type ProductSnapshot,
  paymentWindowMs,
  requireEditable,
  requireExpectedTotal,
  requireFilled,
  requireNoMoneyMoving,
  requireRemovable,
  requireTransition,
  type Wanted,
} from './rules.ts'
import type { NewOrder, OrderBody, OrderPatch } from './schema.ts'
import * as store from './store.ts'

/**
 * Places an order of the items in the body, or of the user's cart, which is then empty. Prices are
 * frozen and stock is taken; where anything is refused, nothing is. Six statements at most.
 */
export async function placeOrder(
  db: Db,
  userId: number,
  body: NewOrder,
  { currency, currencyDigits }: Shop,
  now: Instant,
): Promise<store.OrderState> {
  const wanted = body.items ? mergeLines(body.items) : await takeCart(db, userId)
  const { productSnapshots, orderId } = await findProductsToOrder(db, idsOf(wanted))
  const { lines, counted } = fill(wanted, productSnapshots)
  const destination = describeDestination(body.shipping ?? {})
  const sums = addUp(lines, shippingCostMinor(destination.shipping_method, currencyDigits))
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
  await writeTogether(db, [
    ...(body.items ? [] : [touchCartStatement(userId, now)]),
    write,
    ...insertItemsStatement(db, orderId, lines, now),
    // Last, since others may wait for what it locks.
    ...takeStockStatement(db, counted, now),
  ])
  return order
}

async function takeCart(db: Db, userId: number): Promise<readonly Wanted[]> {
  await holdCart(db, userId)
  const lines = await takeLines(db, userId)
  if (lines.length === 0) throw problem('4091', 'cart.empty')
  return lines
}

const idsOf = (wanted: readonly Wanted[]) => wanted.map(({ product_id }) => product_id)

/** What is wanted at the prices of now, and of which stock is taken; refused where it is short. */
function fill(wanted: readonly Wanted[], productSnapshots: ReadonlyMap<number, ProductSnapshot>) {
  requireFilled(wanted, productSnapshots)
  // Should somebody buy the rest in between, taking it fails, and all of this is run again.
  const counted = wanted.flatMap((line) => {
    const stock = productSnapshots.get(line.product_id)?.stock ?? null
    return stock === null ? [] : [{ ...line, stock }]
  })
  return { lines: freeze(wanted, productSnapshots), counted }
}

/**
 * Replaces items, shipping and note of a pending order; items and shipping not sent stay, and so
 * do, with their prices, items that are the same.
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
  const wanted = body.items && mergeLines(body.items)
  const isOther = wanted && !areSameLines(wanted, await findLines(db, order.id))
  const sums = isOther
    ? addUp(await exchangeItems(db, order.id, wanted, now), cost)
    : { shipping_cost_minor: cost, total_minor: order.subtotal_minor + order.tax_minor + cost }
  const change = { ...sums, ...destination, note: body.note ?? null }
  return store.reviseOrder(db, order, change, now)
}

async function exchangeItems(
  db: Db,
  orderId: number,
  wanted: readonly Wanted[],
  now: Instant,
): Promise<readonly FrozenLine[]> {
  await returnStock(db, [orderId], now)
  await removeItems(db, orderId)
  const { lines, counted } = fill(wanted, await findProductSnapshots(db, idsOf(wanted)))
  await writeTogether(db, [
    ...insertItemsStatement(db, orderId, lines, now),
    ...takeStockStatement(db, counted, now),
  ])
  return lines
}

/** Removes a pending or cancelled order; what a pending one holds goes back on the shelf. */
export async function removeOrder(db: Db, order: store.OrderState, now: Instant): Promise<void> {
  requireRemovable(order)
  const cancelled = { deleted_at: now, status: 'cancelled', expires_at: null } as const
  await store.reviseOrder(db, order, cancelled, now)
  if (order.status === 'pending') await returnStock(db, [order.id], now)
}

/** Cancels pending orders that were not paid in time, some at a time; tells how many. */
export async function expireOrders(db: Db, now: Instant): Promise<number> {
  const expired = await store.holdExpired(db, now, 100)
  if (expired.length === 0) return 0
  await store.changeHeld(db, expired, movedTo('cancelled', now), now)
  const ids = expired.map(({ id }) => id)
  await returnStock(db, ids, now)
  return ids.length
}

/**
 * Changes the note of a pending order, or moves an order along its machine. A move that gives the
 * money back is only begun here: the payment returned has still to be refunded.
 */
export async function moveOrder(
  db: Db,
  order: store.OrderState,
  { status: to = order.status, note = order.note }: OrderPatch,
  role: Role | null,
  now: Instant,
): Promise<{ readonly order: store.OrderState; readonly refunding?: OwnedPayment }> {
  if (note !== order.note) requireEditable(order)
  if (to === order.status && note === order.note) return { order }
  if (to === order.status) return { order: await store.reviseOrder(db, order, { note }, now) }
  requireTransition(order.status, to, role)
  if (isRefunding(order.status, to)) {
    return { order, refunding: await startRefund(db, order, now) }
  }
  requireNoMoneyMoving(order)
  const moved = await store.reviseOrder(db, order, { ...movedTo(to, now), note }, now)
  if (to === 'cancelled') await returnStock(db, [order.id], now)
  return { order: moved }
}
