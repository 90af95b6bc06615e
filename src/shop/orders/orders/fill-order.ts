import { isDeepStrictEqual } from 'node:util'
import { syncAvailability } from '#shop/catalogue/products/sellable.ts'
import {
  findProductSnapshots,
  type ProductToOrder,
  type StockLine,
} from '#shop/catalogue/products/stock/stock-store.ts'
import { type Discount, findDiscountByCode } from '#shop/checkout/discounts/discounts.ts'
import {
  type Needs,
  type Yielded,
  type YieldingParts,
  yieldTo,
} from '#shop/orders/unpaid/yielding.ts'
import type { Shop } from '#shop/shop.ts'
import type { Db } from '#store/database.ts'
import { StaleWriteError } from '#store/stale-write.ts'
import type { Instant } from '#values/instant.ts'
import {
  type LineOrigin,
  type OrderLine,
  requireAvailableLines,
  shortLines,
  snapshotLines,
} from './rules.ts'

/** The rules of the shop that orders follow, and what ends payments that are in their way. */
export interface OrderParts extends YieldingParts {
  readonly shop: Shop
}

/** Returns the IDs of the products of lines. */
export const productIdsOf = (requestedLines: readonly OrderLine[]) =>
  requestedLines.map(({ product_id }) => product_id)

interface Reading {
  readonly code: string | null
  readonly parts: YieldingParts
  readonly now: Instant
}

/** What an order is made of, as it was read. */
interface OrderReading extends Pick<Needs, 'productSnapshots' | 'discount'>, ToYield {}

/** What is still to become of other orders before an order can be written. */
interface ToYield extends Pick<Yielded, 'makeWay'> {
  /** The pieces that they are to yield, by product. */
  readonly pieces: ReadonlyMap<number, number>
}

const nothingToYield: ToYield = { pieces: new Map() }

/**
 * Returns the products of an order and its discount, which is locked, once other orders have yielded what
 * they must; where payments or many orders must end first, as they will be then: `requireYielded` must be called once
 * nothing else is in the way of the order. Throws a StaleWriteError where others have taken it meanwhile.
 */
export async function readForOrder(
  db: Db,
  needs: Omit<Needs, 'discount'>,
  { code, parts, now }: Reading,
): Promise<OrderReading> {
  const { lines, productSnapshots } = needs
  const lockDiscount = async () =>
    code === null ? undefined : await findDiscountByCode(db, code, true)
  const discount = await lockDiscount()
  const { areCancelled, makeWay } = await yieldTo(db, { ...needs, discount }, parts, now)
  if (makeWay) {
    const toYield = { pieces: shortLines(lines, productSnapshots), makeWay }
    return {
      ...toYield,
      productSnapshots: addPieces(productSnapshots, toYield),
      discount: discount && withUseLeft(discount),
    }
  }
  const isShort = shortLines(lines, productSnapshots).size > 0
  if (!areCancelled && !isShort) return { ...nothingToYield, productSnapshots, discount }
  const next = await findProductSnapshots(db, productIdsOf(lines))
  // Others may have freed pieces after the products and before the orders were read, or taken them.
  const stockOf = (products: typeof productSnapshots) =>
    productIdsOf(lines).map((id) => products.get(id)?.stock)
  const hasChanged = areCancelled || !isDeepStrictEqual(stockOf(next), stockOf(productSnapshots))
  if (hasChanged && shortLines(lines, next).size > 0) {
    throw new StaleWriteError('The pieces that were free or to become it are taken')
  }
  return { ...nothingToYield, productSnapshots: next, discount: await lockDiscount() }
}

/** Returns products as they will be with the pieces that orders are to yield. */
export const addPieces = (
  productSnapshots: ReadonlyMap<number, ProductToOrder>,
  { pieces }: ToYield,
): ReadonlyMap<number, ProductToOrder> =>
  new Map(
    [...productSnapshots].map(([id, product]) => {
      const more = pieces.get(id)
      if (more === undefined || product.stock === null) return [id, product]
      return [id, syncAvailability({ ...product, stock: product.stock + more })]
    }),
  )

/** Returns a discount as it will be with the use that an order is to yield. */
const withUseLeft = (discount: Discount): Discount => {
  const { usage_limit, used_count } = discount
  if (usage_limit === null) return discount
  return { ...discount, used_count: Math.min(used_count, usage_limit - 1) }
}

/**
 * Throws a StaleWriteError where payments of other orders, or many orders, must end before this one is written;
 * the next attempt finds them ended. Whatever may refuse the order comes before: nobody ends anything by an
 * order that is not placed.
 */
export function requireYielded({ makeWay }: Pick<ToYield, 'makeWay'>): void {
  if (makeWay) throw new StaleWriteError('Others must make way first', makeWay)
}

/**
 * Returns the lines at current prices, and those whose stock is counted. Throws when one cannot be
 * filled.
 */
export function fillLines(
  requestedLines: readonly OrderLine[],
  productSnapshots: ReadonlyMap<number, ProductToOrder>,
  origin: LineOrigin = {},
) {
  requireAvailableLines(requestedLines, productSnapshots, origin)
  // If the stock is sold meanwhile, taking it fails and the transaction is retried.
  const stockLines = requestedLines.flatMap(({ product_id, quantity }): readonly StockLine[] => {
    const product = productSnapshots.get(product_id)
    const stock = product?.stock ?? null
    return !product || stock === null ? [] : [{ product: { ...product, stock }, quantity }]
  })
  return { lines: snapshotLines(requestedLines, productSnapshots), stockLines }
}
