import type { Sellable } from '#shop/catalogue/products/sellable.ts'
import { lockProducts, type ProductToOrder } from '#shop/catalogue/products/stock/stock-store.ts'
import type { WantedPieces } from '#shop/checkout/carts/actions.ts'
import type { Discount } from '#shop/checkout/discounts/discounts.ts'
import { returnDiscountUses } from '#shop/checkout/discounts/uses.ts'
import { type OrderLine, shortLines } from '#shop/orders/orders/rules.ts'
import { cancelLockedOrders, cancelledAtOnce } from '#shop/orders/orders/status-actions.ts'
import type { PaymentParts } from '#shop/orders/payments/parts.ts'
import { endWaitingPayments } from '#shop/orders/payments/settlement/cancel.ts'
import type { Db } from '#store/database.ts'
import { StaleWriteError } from '#store/stale-write.ts'
import { type Instant, minuteMs } from '#values/instant.ts'
import type { UnpaidOrderRules } from './limit.ts'
import { chooseYieldingOrders, type YieldingOrder } from './rules.ts'
import * as store from './store.ts'

/** How long the first unpaid use of a discount by a network does not yield, in milliseconds. */
const firstUseMs = 10 * minuteMs

/** How long an order does not yield while its payment waits for the buyer, in milliseconds. */
const buyerActsMs = 10 * minuteMs

/** The payments that are ended at once for one order; where more are in the way, the rest follow. */
const maxPaymentsEnded = 20

/** By which rules orders yield, and how payments that are in the way are ended. */
export interface YieldingParts extends PaymentParts {
  readonly unpaidOrders: UnpaidOrderRules
}

/** To whom orders yield, and when. */
interface Yielding {
  readonly network: string
  readonly parts: Pick<YieldingParts, 'unpaidOrders' | 'provider'>
  readonly now: Instant
}

interface WantedStock {
  readonly lines: readonly OrderLine[]
  readonly productSnapshots: ReadonlyMap<number, Sellable>
}

/** What an order needs, of products and of its discount as they were read. */
export interface Needs {
  /** The network that places the order; null for one that an administrator places. */
  readonly network: string | null
  readonly lines: readonly OrderLine[]
  readonly productSnapshots: ReadonlyMap<number, ProductToOrder>
  /** The discount that the order is to use, which must be locked. */
  readonly discount?: Discount | undefined
}

/** What has become of the orders that are in the way of another one. */
export interface Yielded {
  /** True if any was cancelled: then products and discount must be read again. */
  readonly areCancelled: boolean
  /**
   * Ends payments that wait for their buyers, without which orders that must yield are found later, or cancels
   * these where they are many.
   */
  readonly makeWay?: () => Promise<void>
}

const nothingYielded: Yielded = { areCancelled: false }

/**
 * Cancels the unpaid orders of other networks that must yield to an order: those that hold more than the
 * share of their network of the pieces, or uses of the discount, that are missing. Cancels none where the
 * order could not be filled even so, nor where payments must end first, or more orders than one transaction
 * cancels.
 */
export async function yieldTo(
  db: Db,
  needs: Needs,
  parts: YieldingParts,
  now: Instant,
): Promise<Yielded> {
  const to = { network: needs.network ?? '', parts, now }
  const forStock = await findForStock(db, needs, to)
  if (!forStock) return nothingYielded
  const forUses = await findForUses(db, needs.discount, forStock, to)
  if (!forUses) return nothingYielded
  const waiting = [...forStock, ...forUses].filter(({ awaits_buyer }) => awaits_buyer === 1)
  if (waiting.length > 0) {
    // Money may have moved: only what the provider says is committed, whatever becomes of this order.
    const makeWay = () => endWaitingPayments(parts, waiting.slice(0, maxPaymentsEnded))
    return { areCancelled: false, makeWay }
  }
  const yielding = { forStock, forUses }
  const count = forStock.length + forUses.length
  if (count === 0) return nothingYielded
  if (count > cancelledAtOnce) {
    return { areCancelled: false, makeWay: () => cancelInBatches(yielding, parts, now) }
  }
  const productIds = needs.lines.map(({ product_id }) => product_id)
  if ((await cancelUnchanged(db, yielding, productIds, now)) < count) {
    throw new StaleWriteError('The orders have changed since they were read')
  }
  return { areCancelled: true }
}

/** The orders that yield pieces, and those that yield only uses of a discount. */
interface YieldingOrders {
  readonly forStock: readonly YieldingOrder[]
  readonly forUses: readonly YieldingOrder[]
}

/**
 * Cancels the orders that are as they were read; returns their number. Locks the products of their lines and
 * these other ones.
 */
async function cancelUnchanged(
  db: Db,
  { forStock, forUses }: YieldingOrders,
  otherProductIds: readonly number[],
  now: Instant,
): Promise<number> {
  const stockHolders = await store.lockUnchanged(db, forStock)
  const useHolders = await store.lockUnchanged(db, forUses)
  const ids = [...stockHolders, ...useHolders].map(({ id }) => id)
  // Discounts before products, and all products in one order, as every other transaction locks them.
  await returnDiscountUses(db, ids, now)
  await lockProducts(db, [...(await store.findProductIds(db, ids)), ...otherProductIds])
  if (stockHolders.length > 0) await cancelLockedOrders(db, stockHolders, 'stock_needed', now)
  if (useHolders.length > 0) await cancelLockedOrders(db, useHolders, 'discount_needed', now)
  return ids.length
}

/** Cancels orders, as many in each transaction as one cancels. Those that have changed stay. */
async function cancelInBatches(
  { forStock, forUses }: YieldingOrders,
  { transaction }: Pick<YieldingParts, 'transaction'>,
  now: Instant,
): Promise<void> {
  const cancel = (orders: YieldingOrders) =>
    transaction((db) => cancelUnchanged(db, orders, [], now))
  for (const batch of batchesOf(forStock)) await cancel({ forStock: batch, forUses: [] })
  for (const batch of batchesOf(forUses)) await cancel({ forStock: [], forUses: batch })
}

const batchesOf = (orders: readonly YieldingOrder[]): readonly (readonly YieldingOrder[])[] =>
  Array.from({ length: Math.ceil(orders.length / cancelledAtOnce) }, (_, at) =>
    orders.slice(at * cancelledAtOnce, (at + 1) * cancelledAtOnce),
  )

/** True if unpaid orders of other networks would yield what the stock lacks of a quantity of a product. */
export async function wouldYield(
  db: Db,
  { product, quantity, network }: WantedPieces,
  parts: Yielding['parts'],
  now: Instant,
): Promise<boolean> {
  const wanted = {
    lines: [{ product_id: product.id, quantity }],
    productSnapshots: new Map([[product.id, product]]),
  }
  const found = await findForStock(db, wanted, { network: network ?? '', parts, now })
  return found !== undefined && found.length > 0
}

/** The payments that do not keep orders from yielding. */
const waitingPayments = ({ parts: { provider }, now }: Yielding): store.WaitingPayments => ({
  provider: provider.name,
  startedBefore: now - buyerActsMs,
})

/** Returns the orders that yield their pieces; undefined where these are not enough. */
async function findForStock(
  db: Db,
  { lines, productSnapshots }: WantedStock,
  to: Yielding,
): Promise<readonly YieldingOrder[] | undefined> {
  const { network } = to
  const { stockShare: share } = to.parts.unpaidOrders
  const missing = shortLines(lines, productSnapshots)
  if (missing.size === 0) return []
  const ids = [...missing.keys()]
  const holders = await store.findHolders(db, { ids, network, share })
  if (holders.length === 0) return undefined
  const networks = [...new Set(holders.map((holder) => holder.network))]
  const unpaidLines = await store.findYieldingLines(db, {
    ...{ ids, networks },
    ...waitingPayments(to),
  })
  return chooseYieldingOrders(missing, holders, unpaidLines, share)
}

/**
 * Returns the orders, besides those that yield anyway, that yield their uses of a discount; undefined where
 * these are not enough.
 */
async function findForUses(
  db: Db,
  discount: Discount | undefined,
  yielding: readonly YieldingOrder[],
  to: Yielding,
): Promise<readonly YieldingOrder[] | undefined> {
  const { usage_limit = null, used_count = 0, id: discountId = 0 } = discount ?? {}
  const known = new Set(
    yielding.filter(({ discount_id }) => discount_id === discountId).map(({ id }) => id),
  )
  const missing = usage_limit === null ? 0 : used_count + 1 - usage_limit - known.size
  if (missing <= 0) return []
  // Fewer uses are allowed than before: one order does not make others end for that.
  if (missing > 1) return undefined
  const found = await store.findYieldingUses(db, {
    ...{ discountId, network: to.network, firstBefore: to.now - firstUseMs },
    ...{ count: missing + known.size },
    ...waitingPayments(to),
  })
  const others = found.filter(({ id }) => !known.has(id)).slice(0, missing)
  return others.length < missing ? undefined : others
}
