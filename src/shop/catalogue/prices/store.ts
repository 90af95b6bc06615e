import { sql } from 'kysely'
import { integer } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { idIn } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { prepareSql } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import type { Minor } from '#values/money.ts'
import { continuesReduction, isOnSale, priceHistoryMs, priorPeriodMs } from './rules.ts'
import { productPrices } from './table.ts'

/** The prices of a product. */
interface Prices {
  readonly price: Minor
  readonly compare_at_price: Minor | null
}

/** A stored product with its prices, and the lowest price before its reduction. */
interface StoredPrices extends Prices {
  readonly id: number
  readonly prior_price: Minor | null
}

const lowestPrices = prepareSql(
  (db: Db, { ids, since }: { ids: readonly number[]; since: Instant }) => sql`
    select product_id, min(price) as price from product_prices
    where ${idIn(db, 'product_prices.product_id', ids)} and (at > ${since} or id = (
      select max(earlier.id) from product_prices as earlier
      where earlier.product_id = product_prices.product_id and earlier.at <= ${since}))
    group by product_id`,
  { product_id: integer, price: integer },
)

/**
 * Returns the lowest price of the 30 days before the reduction of each product after a change, in order; null for one
 * that is not on sale, or has been from its first price on. Call it before the change is stored.
 */
export async function priorPricesAfter(
  db: Db,
  changes: readonly { readonly before: StoredPrices; readonly state: Prices }[],
  now: Instant,
): Promise<readonly (Minor | null)[]> {
  const begun = changes.filter(
    ({ before, state }) => isOnSale(state) && !continuesReduction(before, state),
  )
  const ids = begun.map(({ before }) => before.id)
  const found =
    ids.length === 0 ? [] : await lowestPrices.all(db, { ids, since: now - priorPeriodMs })
  const lowest = new Map(found.map(({ product_id, price }) => [product_id, price]))
  return changes.map(({ before, state }) => {
    if (!isOnSale(state)) return null
    return continuesReduction(before, state) ? before.prior_price : (lowest.get(before.id) ?? null)
  })
}

interface PriceChange {
  readonly id: number
  /** Null for a new product. */
  readonly before: Prices | null
  readonly after: Prices
}

/** Stores the prices of products that are new or have changed. */
export async function recordPrices(
  db: Db,
  changes: readonly PriceChange[],
  now: Instant,
): Promise<void> {
  const changed = changes.filter(
    ({ before, after }) =>
      before?.price !== after.price || before.compare_at_price !== after.compare_at_price,
  )
  const ended = changed.flatMap(({ id, before }) => (before === null ? [] : [id]))
  if (ended.length > 0) {
    const end = { kept_until: now + priceHistoryMs }
    await productPrices.update(db, { product_id: ended, kept_until: null }, end)
  }
  const rows = changed.map(({ id, after: { price, compare_at_price } }) => ({
    ...{ product_id: id, price, compare_at_price },
    at: now,
  }))
  if (rows.length > 0) await productPrices.insertAll(db, rows)
}

/** A price that a product has or had. */
export interface PriceRow extends Prices {
  readonly at: Instant
}

/** Returns one page of the prices of a product, the newest first. */
export const listPrices = (
  db: Db,
  productId: number,
  page: PageRequest,
): Promise<PageResult<PriceRow>> => {
  // The IDs of cursors are positive.
  const position = sql<number>`${sql.lit(Number.MAX_SAFE_INTEGER)} - id`
  const newestFirst = db
    .selectFrom('product_prices')
    .where('product_id', '=', productId)
    .select(['price', 'compare_at_price', 'at', position.as('id')])
  return paginate(
    db,
    db.selectFrom(newestFirst.as('listed')),
    { id: 'id', newest: 'id', created_at: 'id', updated_at: 'id' },
    page,
    (rows) => rows.select(['price', 'compare_at_price', 'at', 'id']),
    { isFew: true },
  )
}
