import { lockUser } from '#shop/accounts/users/store.ts'
import { type StockChange, stockEvents } from '#shop/catalogue/products/events.ts'
import { returnStock } from '#shop/catalogue/products/stock/stock-return-store.ts'
import {
  findProductSnapshots,
  findProductsToOrder,
  lockProducts,
  type ProductToOrder,
  type StockLine,
  takeStockStatements,
} from '#shop/catalogue/products/stock/stock-store.ts'
import { refreshParents } from '#shop/catalogue/variants/actions.ts'
import { parentsToRefresh } from '#shop/catalogue/variants/rules.ts'
import { removeLines, setDiscountStatement } from '#shop/checkout/carts/store.ts'
import { useDiscountStatements } from '#shop/checkout/discounts/uses.ts'
import { eventStatements } from '#shop/events/outbox-store.ts'
import { findLines, insertItemsStatements } from '#shop/orders/order-items/store.ts'
import { orderItems } from '#shop/orders/order-items/table.ts'
import {
  discountInUse,
  lockUsableDiscount,
  priceAtCurrentRates,
  repriceItems,
  toPriceColumns,
} from '#shop/orders/pricing/order-price.ts'
import { recordPurchasesStatement } from '#shop/orders/purchases/store.ts'
import {
  type Destination,
  describeDestination,
  destinationOf,
  keepsPrice,
} from '#shop/orders/shipping/rules.ts'
import type { Shop } from '#shop/shop.ts'
import type { Db } from '#store/database.ts'
import { writeBatch } from '#store/query/write-batch.ts'
import { isUnchanged } from '#store/unchanged.ts'
import type { Instant } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import { orderEvent } from './events.ts'
import {
  areSameLines,
  mergeLines,
  type OrderLine,
  paymentWindowMs,
  requireAvailableLines,
  requireEditableOrder,
  requireExpectedTotal,
  snapshotLines,
  statusChange,
} from './rules.ts'
import type { NewOrder, OrderBody } from './schema.ts'
import * as store from './store.ts'

/**
 * Places an order of the items in the body, or of the user's cart, which it empties. Freezes prices,
 * takes stock and uses the discount. An order that costs nothing is paid at once. Throws 4091, 4093
 * or 4221 when the order cannot be filled, and 4101 when the user was removed meanwhile.
 */
export async function placeOrder(
  db: Db,
  userId: number,
  body: NewOrder,
  shop: Shop,
  now: Instant,
): Promise<store.OrderState> {
  const requested = await takeRequested(db, userId, body)
  const ids = productIdsOf(requested.lines)
  const origin = await findProductsToOrder(db, userId, ids)
  const { productSnapshots, orderId, contact } = origin
  if (origin.buyerRemovedAt !== null) throw problem('4101', 'detail.gone', { name: 'user' })
  const { lines, stockLines } = fillLines(requested.lines, productSnapshots)
  const { discount_code: entered = requested.code } = body
  const code = entered?.trim() ?? null
  const discount =
    code === null ? undefined : await lockUsableDiscount(db, code, { lines, userId }, now)
  const destination = describeDestination(body.shipping ?? {})
  const price = await priceAtCurrentRates(db, { lines, destination, discount }, shop)
  requireExpectedTotal(price.total, body.expected_total, shop)
  const isFree = price.total === 0
  const { order, write } = store.insertOrderStatement({
    id: orderId,
    user_id: userId,
    status: isFree ? 'paid' : 'pending',
    currency: shop.currency,
    ...toPriceColumns(price, shop),
    discount_id: discount?.id ?? null,
    discount_code: discount?.code ?? null,
    ...contact,
    ...destination,
    note: body.note ?? null,
    expires_at: isFree ? null : now + paymentWindowMs,
    created_at: now,
    updated_at: now,
  })
  const taken = takeStockStatements(db, stockLines, now)
  await writeBatch(db, [
    ...(body.items ? [] : [setDiscountStatement(userId, null, now)]),
    write,
    ...insertItemsStatements(db, orderId, price.lines, now),
    ...(discount ? useDiscountStatements({ discountId: discount.id, orderId, userId, now }) : []),
    // Late, to lock product rows as briefly as possible.
    ...taken.writes,
    ...eventStatements(db, placementEvents(order, taken.changes, now)),
  ])
  if (isFree) await writeBatch(db, [recordPurchasesStatement(order, now)])
  await refreshParents(db, parentsToRefresh(taken.changes), { currency: shop.currency, now })
  return order
}

/** The events of a new order, which is paid if it costs nothing, and of the stock that it takes. */
const placementEvents = (
  order: store.OrderState,
  stockChanges: readonly StockChange[],
  now: Instant,
) => [
  orderEvent('order.created', order, now),
  ...(order.status === 'paid' ? [orderEvent('order.paid', order, now)] : []),
  ...stockEvents(stockChanges, order.currency, now),
]

/** The lines to order, and the code of the discount of the cart. */
interface Requested {
  readonly lines: readonly OrderLine[]
  readonly code: string | null
}

const takeRequested = async (
  db: Db,
  userId: number,
  { items }: Pick<NewOrder, 'items'>,
): Promise<Requested> => (items ? { lines: mergeLines(items), code: null } : takeCart(db, userId))

/** Removes the lines of the cart and returns them with the code of its discount. */
async function takeCart(db: Db, userId: number): Promise<Requested> {
  await lockUser(db, userId)
  const lines = await removeLines(db, userId)
  const [first] = lines
  if (!first) throw problem('4091', 'cart.empty')
  return { lines, code: first.discount_code }
}

const productIdsOf = (requestedLines: readonly OrderLine[]) =>
  requestedLines.map(({ product_id }) => product_id)

/**
 * Returns the lines at current prices, and those whose stock is counted. Throws when one cannot be
 * filled.
 */
function fillLines(
  requestedLines: readonly OrderLine[],
  productSnapshots: ReadonlyMap<number, ProductToOrder>,
) {
  requireAvailableLines(requestedLines, productSnapshots)
  // If the stock is sold meanwhile, taking it fails and the transaction is retried.
  const stockLines = requestedLines.flatMap(({ product_id, quantity }): readonly StockLine[] => {
    const product = productSnapshots.get(product_id)
    const stock = product?.stock ?? null
    return !product || stock === null ? [] : [{ product: { ...product, stock }, quantity }]
  })
  return { lines: snapshotLines(requestedLines, productSnapshots), stockLines }
}

/**
 * Replaces items, shipping and note of a pending order. Omitted items and shipping stay; identical
 * items keep their prices. Other items, another method or another address are priced by the current
 * methods, rates and terms of the discount.
 */
export async function replaceOrder(
  db: Db,
  order: store.OrderState,
  body: OrderBody,
  shop: Shop,
  now: Instant,
): Promise<store.OrderState> {
  requireEditableOrder(order)
  const destination = body.shipping ? describeDestination(body.shipping) : destinationOf(order)
  const requestedLines = body.items && mergeLines(body.items)
  const lines = requestedLines && (await findLines(db, order.id))
  const hasOtherItems = lines && !areSameLines(requestedLines, lines)
  const isMoved = !keepsPrice(order, destination)
  const sums = hasOtherItems
    ? await replaceItems(db, { order, lines, requestedLines, destination }, shop, now)
    : isMoved && (await repriceItems(db, order, destination, shop))
  const change = { ...sums, ...destination, note: body.note ?? null }
  if (!hasOtherItems && isUnchanged(order, change)) return order
  return updatePricedOrder(db, order, change, now)
}

/** Stores a change of an order that may have another price. A pending one that costs nothing is paid. */
export async function updatePricedOrder(
  db: Db,
  order: store.OrderState,
  change: store.OrderChange,
  now: Instant,
): Promise<store.OrderState> {
  const { status, total } = { ...order, ...change }
  if (status !== 'pending' || total > 0) {
    return store.updateOrder(db, order, change, 'order.updated', now)
  }
  const paid = { ...change, ...statusChange('paid', now) }
  const updated = await store.updateOrder(db, order, paid, 'order.paid', now)
  await writeBatch(db, [recordPurchasesStatement(updated, now)])
  return updated
}

interface Replacement {
  readonly order: store.OrderState
  /** The lines of the order so far. */
  readonly lines: readonly OrderLine[]
  readonly requestedLines: readonly OrderLine[]
  readonly destination: Destination
}

/** Replaces the items of an order; returns the columns of its new price. */
async function replaceItems(
  db: Db,
  { order, lines: replaced, requestedLines, destination }: Replacement,
  shop: Shop,
  now: Instant,
) {
  await lockProducts(db, productIdsOf([...replaced, ...requestedLines]))
  const returned = await returnStock(db, [order.id], now)
  await orderItems.delete(db, { order_id: order.id })
  const { lines, stockLines } = fillLines(
    requestedLines,
    await findProductSnapshots(db, productIdsOf(requestedLines)),
  )
  const discount = await discountInUse(db, order.discount_id, lines)
  const price = await priceAtCurrentRates(db, { lines, destination, discount }, shop)
  const taken = takeStockStatements(db, stockLines, now)
  const changes = [...returned, ...taken.changes]
  await writeBatch(db, [
    ...insertItemsStatements(db, order.id, price.lines, now),
    ...taken.writes,
    ...eventStatements(db, stockEvents(changes, shop.currency, now)),
  ])
  await refreshParents(db, parentsToRefresh(changes), { currency: shop.currency, now })
  return toPriceColumns(price, shop)
}
