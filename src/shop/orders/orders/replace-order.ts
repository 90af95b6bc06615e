import { createMessage } from '#i18n/message.ts'
import { stockEvents } from '#shop/catalogue/products/events.ts'
import { returnStock } from '#shop/catalogue/products/stock/stock-return-store.ts'
import {
  findProductSnapshots,
  lockProducts,
  takeStockStatements,
} from '#shop/catalogue/products/stock/stock-store.ts'
import { refreshParents } from '#shop/catalogue/variants/actions.ts'
import { parentsToRefresh } from '#shop/catalogue/variants/rules.ts'
import { returnDiscountUses } from '#shop/checkout/discounts/uses.ts'
import { eventStatements } from '#shop/events/outbox-store.ts'
import {
  findLines,
  insertItemsStatements,
  settleItemsStatement,
} from '#shop/orders/order-items/store.ts'
import { orderItems, type ProductItemRow } from '#shop/orders/order-items/table.ts'
import {
  findPriceTerms,
  priceAnew,
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
import type { Db } from '#store/database.ts'
import { writeBatch } from '#store/query/write-batch.ts'
import { isUnchanged } from '#store/unchanged.ts'
import type { Instant } from '#values/instant.ts'
import { fieldProblem } from '#values/problem.ts'
import { textKey } from '#values/text-key.ts'
import {
  addPieces,
  fillLines,
  type OrderParts,
  productIdsOf,
  readForOrder,
  requireYielded,
} from './fill-order.ts'
import {
  areSameLines,
  mergeLines,
  type OrderLine,
  requireEditableOrder,
  statusChange,
} from './rules.ts'
import type { OrderBody } from './schema.ts'
import * as store from './store.ts'

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
  const { note = null, external_id = order.external_id } = body
  const change = { ...sums, ...discount, ...destination, note, external_id }
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
  const { status, total, source } = { ...order, ...change }
  if (status !== 'pending' || total > 0 || source === 'import') {
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
  readonly lines: readonly ProductItemRow[]
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
  if (code === null || (used !== null && textKey(code) === textKey(used))) return code === null
  throw fieldProblem([{ field: 'discount_code', message: createMessage('order.other_discount') }])
}

/** Returns the lines with what they need beyond the pieces that others have taken. */
const linesBeyond = (
  lines: readonly OrderLine[],
  others: readonly Pick<ProductItemRow, 'product_id' | 'taken'>[],
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
  parts: OrderParts,
  now: Instant,
) {
  const { shop } = parts
  const added = linesBeyond(requestedLines, replaced)
  const productSnapshots = await findProductSnapshots(db, productIdsOf(added))
  const needs = { network: order.network, lines: added, productSnapshots }
  const read = await readForOrder(db, needs, { code: null, parts, now })
  await lockProducts(db, productIdsOf([...replaced, ...requestedLines]))
  const returned = await returnStock(db, [order.id], now)
  await orderItems.delete(db, { order_id: order.id })
  const { lines, stockLines } = fillLines(
    requestedLines,
    addPieces(await findProductSnapshots(db, productIdsOf(requestedLines)), read),
  )
  const terms = await findPriceTerms(db, destination, shop)
  const price = await priceAnew(db, order, { lines, destination, terms }, shop)
  requireYielded(read)
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
