import { createMessage } from '#i18n/message.ts'
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
import { codeKey, findDiscountByCode } from '#shop/checkout/discounts/discounts.ts'
import { returnDiscountUses, useDiscountStatements } from '#shop/checkout/discounts/uses.ts'
import { eventStatements } from '#shop/events/outbox-store.ts'
import {
  findLines,
  insertItemsStatements,
  settleItemsStatement,
} from '#shop/orders/order-items/store.ts'
import { type OrderItemRow, orderItems } from '#shop/orders/order-items/table.ts'
import {
  discountInUse,
  priceAtCurrentRates,
  repriceItems,
  requireUsableDiscount,
  toPriceColumns,
} from '#shop/orders/pricing/order-price.ts'
import { recordPurchasesStatement } from '#shop/orders/purchases/store.ts'
import {
  type Destination,
  describeDestination,
  destinationOf,
  keepsPrice,
} from '#shop/orders/shipping/rules.ts'
import { requireFewUnpaidOrders, type UnpaidOrderRules } from '#shop/orders/unpaid/limit.ts'
import { type Needs, yieldTo } from '#shop/orders/unpaid/yielding.ts'
import type { Shop } from '#shop/shop.ts'
import type { Db } from '#store/database.ts'
import type { PreparedWrite } from '#store/query/prepared.ts'
import { writeBatch } from '#store/query/write-batch.ts'
import { StaleWriteError } from '#store/stale-write.ts'
import { isUnchanged } from '#store/unchanged.ts'
import type { Instant } from '#values/instant.ts'
import { fieldProblem, problem } from '#values/problem.ts'
import { orderEvent } from './events.ts'
import {
  areSameLines,
  mergeLines,
  type OrderLine,
  paymentWindowMs,
  requireAvailableLines,
  requireEditableOrder,
  requireExpectedTotal,
  shortLines,
  snapshotLines,
  statusChange,
} from './rules.ts'
import type { NewOrder, OrderBody } from './schema.ts'
import * as store from './store.ts'

/** The rules of the shop that orders follow. */
export interface OrderParts {
  readonly shop: Shop
  readonly unpaidOrders: UnpaidOrderRules
}

/** An order to be placed. */
interface Placement {
  readonly userId: number
  readonly body: NewOrder
  /** The network of the request; null for one that an administrator sends. */
  readonly network: string | null
}

/**
 * Places an order of the items in the body, or of the user's cart, which it empties. Freezes prices,
 * takes stock and uses the discount, for which unpaid orders of other networks may yield. An order that
 * costs nothing is paid at once. Throws 4091, 4093 or 4221 when the order cannot be filled, 4291 when too
 * many wait for payment, and 4101 when the user was removed meanwhile.
 */
export async function placeOrder(
  db: Db,
  placement: Placement,
  { shop, unpaidOrders }: OrderParts,
  now: Instant,
): Promise<store.OrderState> {
  const { userId, body, network } = placement
  if (network !== null) await requireFewUnpaidOrders(db, { userId, network }, unpaidOrders, now)
  const requested = await takeRequested(db, userId, body)
  const origin = await findProductsToOrder(db, userId, productIdsOf(requested.lines))
  const { orderId, contact } = origin
  if (origin.buyerRemovedAt !== null) throw problem('4101', 'detail.gone', { name: 'user' })
  const { discount_code: entered = requested.code } = body
  const code = entered?.trim() || null
  const read = await readForOrder(
    db,
    { network, lines: requested.lines, productSnapshots: origin.productSnapshots },
    { code, unpaidOrders, now },
  )
  const { lines, stockLines } = fillLines(requested.lines, read.productSnapshots)
  const buyer = { userId, email: contact.contact_email }
  const discount =
    code === null
      ? undefined
      : await requireUsableDiscount(db, { code, discount: read.discount }, { lines, buyer }, now)
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
    network: isFree ? null : network,
    created_at: now,
    updated_at: now,
  })
  const used = discount && { discountId: discount.id, orderId, ...buyer, now }
  await writeOrder(db, { order, write, lines: price.lines, stockLines }, [
    ...(body.items ? [] : [setDiscountStatement(userId, null, now)]),
    ...(used ? useDiscountStatements(used) : []),
  ])
  return order
}

interface WrittenOrder extends ReturnType<typeof store.insertOrderStatement> {
  readonly lines: Parameters<typeof insertItemsStatements>[2]
  readonly stockLines: readonly StockLine[]
}

/** Writes a new order, what it takes, and what else is written with it. */
async function writeOrder(
  db: Db,
  { order, write, lines, stockLines }: WrittenOrder,
  others: readonly PreparedWrite[],
): Promise<void> {
  const { currency, created_at: now } = order
  const isFree = order.status === 'paid'
  const taken = takeStockStatements(db, stockLines, now)
  await writeBatch(db, [
    write,
    ...insertItemsStatements(db, { id: order.id, isFree }, lines, now),
    ...others,
    // Late, to lock product rows as briefly as possible.
    ...taken.writes,
    ...eventStatements(db, placementEvents(order, taken.changes, now)),
  ])
  if (isFree) await writeBatch(db, [recordPurchasesStatement(order, now)])
  await refreshParents(db, parentsToRefresh(taken.changes), { currency, now })
}

interface Reading {
  readonly code: string | null
  readonly unpaidOrders: UnpaidOrderRules
  readonly now: Instant
}

/**
 * Returns the products of an order and its discount, which is locked, once other orders have yielded what
 * they must. Throws a StaleWriteError where others have taken it meanwhile.
 */
async function readForOrder(
  db: Db,
  needs: Omit<Needs, 'discount'>,
  { code, unpaidOrders, now }: Reading,
): Promise<Pick<Needs, 'productSnapshots' | 'discount'>> {
  const lockDiscount = async () =>
    code === null ? undefined : await findDiscountByCode(db, code, true)
  const discount = await lockDiscount()
  const hasYielded = await yieldTo(db, { ...needs, discount }, unpaidOrders, now)
  if (!hasYielded) return { ...needs, discount }
  const productSnapshots = await findProductSnapshots(db, productIdsOf(needs.lines))
  if (shortLines(needs.lines, productSnapshots).size > 0) {
    throw new StaleWriteError('The pieces that were to become free are taken')
  }
  return { productSnapshots, discount: await lockDiscount() }
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
 * Replaces items, shipping and note of a pending order, and removes its discount where its code is null.
 * Omitted items and shipping stay; identical items keep their prices. Other items, another method or
 * another address are priced by the current methods, rates and terms of the discount.
 */
export async function replaceOrder(
  db: Db,
  order: store.OrderState,
  body: OrderBody,
  parts: OrderParts,
  now: Instant,
): Promise<store.OrderState> {
  requireEditableOrder(order)
  const destination = body.shipping ? describeDestination(body.shipping) : destinationOf(order)
  const requestedLines = body.items && mergeLines(body.items)
  const lines = requestedLines && (await findLines(db, order.id))
  const hasOtherItems = lines && !areSameLines(requestedLines, lines)
  const isUndiscounted = removesDiscount(order, body) && order.discount_code !== null
  if (isUndiscounted) await returnDiscountUses(db, [order.id], now)
  const discount = isUndiscounted && { discount_id: null, discount_code: null }
  const priced = { ...order, ...discount }
  const isMoved = isUndiscounted || !keepsPrice(order, destination)
  const sums = hasOtherItems
    ? await replaceItems(db, { order: priced, lines, requestedLines, destination }, parts, now)
    : isMoved && (await repriceItems(db, priced, destination, parts.shop))
  const change = { ...sums, ...discount, ...destination, note: body.note ?? null }
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
  await writeBatch(db, [settleItemsStatement([order.id]), recordPurchasesStatement(updated, now)])
  return updated
}

interface Replacement {
  readonly order: store.OrderState
  /** The lines of the order so far. */
  readonly lines: readonly OrderItemRow[]
  readonly requestedLines: readonly OrderLine[]
  readonly destination: Destination
}

/** True where the code is to be removed. Throws 422/4221 for one that the order does not have. */
function removesDiscount(
  { discount_code: used }: Pick<store.OrderState, 'discount_code'>,
  { discount_code: entered }: OrderBody,
): boolean {
  if (entered === undefined) return false
  const code = entered?.trim() || null
  if (code === null || (used !== null && codeKey(code) === codeKey(used))) return code === null
  throw fieldProblem([{ field: 'discount_code', message: createMessage('order.other_discount') }])
}

/** Returns the lines with what they need beyond the pieces that others have taken. */
const linesBeyond = (
  lines: readonly OrderLine[],
  others: readonly Pick<OrderItemRow, 'product_id' | 'taken'>[],
): readonly OrderLine[] => {
  const taken = new Map(others.map((line) => [line.product_id, line.taken]))
  return lines.flatMap(({ product_id, quantity }) => {
    const more = quantity - (taken.get(product_id) ?? 0)
    return more > 0 ? [{ product_id, quantity: more }] : []
  })
}

/** Replaces the items of an order; returns the columns of its new price. */
async function replaceItems(
  db: Db,
  { order, lines: replaced, requestedLines, destination }: Replacement,
  { shop, unpaidOrders }: OrderParts,
  now: Instant,
) {
  const added = linesBeyond(requestedLines, replaced)
  const productSnapshots = await findProductSnapshots(db, productIdsOf(added))
  const needs = { network: order.network, lines: added, productSnapshots }
  await readForOrder(db, needs, { code: null, unpaidOrders, now })
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
    ...insertItemsStatements(db, { id: order.id, isFree: price.total === 0 }, price.lines, now),
    ...taken.writes,
    ...eventStatements(db, stockEvents(changes, shop.currency, now)),
  ])
  await refreshParents(db, parentsToRefresh(changes), { currency: shop.currency, now })
  return toPriceColumns(price, shop)
}
