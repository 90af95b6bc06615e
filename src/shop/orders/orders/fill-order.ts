import {
  findProductSnapshots,
  type ProductToOrder,
  type StockLine,
} from '#shop/catalogue/products/stock/stock-store.ts'
import { findDiscountByCode } from '#shop/checkout/discounts/discounts.ts'
import { type Needs, type YieldingParts, yieldTo } from '#shop/orders/unpaid/yielding.ts'
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

/**
 * Returns the products of an order and its discount, which is locked, once other orders have yielded what
 * they must. Throws a StaleWriteError where others have taken it meanwhile.
 */
export async function readForOrder(
  db: Db,
  needs: Omit<Needs, 'discount'>,
  { code, parts, now }: Reading,
): Promise<Pick<Needs, 'productSnapshots' | 'discount'>> {
  const lockDiscount = async () =>
    code === null ? undefined : await findDiscountByCode(db, code, true)
  const discount = await lockDiscount()
  const hasYielded = await yieldTo(db, { ...needs, discount }, parts, now)
  if (!hasYielded) return { ...needs, discount }
  const productSnapshots = await findProductSnapshots(db, productIdsOf(needs.lines))
  if (shortLines(needs.lines, productSnapshots).size > 0) {
    throw new StaleWriteError('The pieces that were to become free are taken')
  }
  return { productSnapshots, discount: await lockDiscount() }
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
