import type { Db } from '#store/database.ts'
import { idIn, isUnset } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { hasTimeLimits } from '#store/query/time-limits.ts'
import { discontinued } from './store.ts'
import type { ProductRow } from './table.ts'

/** The maximum number of related products embedded in a product. */
export const maxEmbeddedRelated = 10

/** The number of most recent orders of a product in which products bought with it are counted. */
const maxRecentOrders = 500

/**
 * Starts a query with `together`: for each product (`base_id`), those bought with it. A variant counts
 * as its parent.
 */
const withBoughtTogether = (db: Db, ids: readonly number[], perCategory: number) =>
  withSold(db, ids, perCategory).with('together', (query) =>
    query
      .selectFrom('sold')
      .innerJoin('purchases as mine', 'mine.product_id', 'sold.id')
      .innerJoin('purchases as other', 'other.order_id', 'mine.order_id')
      .innerJoin('products as bought', 'bought.id', 'other.product_id')
      .innerJoin('products', (join) =>
        join.on('products.id', '=', (eb) => eb.fn.coalesce('bought.variant_of', 'bought.id')),
      )
      .whereRef('mine.order_id', '>=', 'sold.since_order')
      .whereRef('products.id', '<>', 'sold.base_id')
      .where(isUnset('products.deleted_at'))
      .where('products.availability', '<>', discontinued)
      .select(['sold.base_id', 'products.id as product_id'])
      .select((eb) => eb.fn.count<number>('other.order_id').distinct().as('score'))
      .select('products.category')
      .groupBy(['sold.base_id', 'products.id', 'products.category']),
  )

/**
 * Starts a query with `related`: for each product, those bought with it and the first `perCategory`
 * of its category, each with the number of orders that have both (`score`).
 */
const withRelated = (db: Db, ids: readonly number[], perCategory: number) =>
  withBoughtTogether(db, ids, perCategory)
    .with('alike', (query) =>
      query
        .selectFrom('base')
        .innerJoin('products', 'products.category', 'base.category')
        .where((eb) => eb('products.is_variant', '=', eb.lit(0)))
        .whereRef('products.id', '<>', 'base.id')
        .whereRef('products.id', '<=', 'base.last_product_id')
        .where('products.deleted_at', 'is', null)
        .where('products.availability', '<>', discontinued)
        .select(['base.id as base_id', 'products.id as product_id'])
        .select((eb) => eb.lit(0).$castTo<number>().as('score')),
    )
    .with('related', (query) =>
      query
        .selectFrom(
          query
            .selectFrom('together')
            .select(['base_id', 'product_id', 'score'])
            .unionAll(query.selectFrom('alike').select(['base_id', 'product_id', 'score']))
            .as('found'),
        )
        .select(['found.base_id', 'found.product_id'])
        .select((eb) => eb.fn.max('found.score').as('score'))
        .groupBy(['found.base_id', 'found.product_id']),
    )

/**
 * Starts a query with `sold`: the requested products (`base_id`) and their variants, each with the
 * oldest order that counts (`since_order`), which reads a bounded part of an index.
 */
const withSold = (db: Db, ids: readonly number[], perCategory: number) =>
  withBase(db, ids, perCategory).with('sold', (query) =>
    query
      .selectFrom(
        query
          .selectFrom('products as own')
          .select(['own.id as base_id', 'own.id'])
          .where(idIn(db, 'own.id', ids))
          .unionAll(
            query
              .selectFrom('products as variant')
              .select(['variant.variant_of as base_id', 'variant.id'])
              .where(idIn(db, 'variant.variant_of', ids))
              .where('variant.variant_of', 'is not', null)
              .$narrowType<{ base_id: number }>(),
          )
          .as('sold'),
      )
      .selectAll('sold')
      .select((eb) =>
        eb.fn
          .coalesce(
            eb
              .selectFrom('purchases')
              .select('order_id')
              .whereRef('product_id', '=', 'sold.id')
              .orderBy('order_id', 'desc')
              .limit(eb.lit(1))
              .offset(eb.lit(maxRecentOrders - 1)),
            eb.lit(0),
          )
          .$castTo<number>()
          .as('since_order'),
      ),
  )

/**
 * Starts a query with `base`: the requested products, each with the last product of its category that
 * can be needed (`last_product_id`). It reads a bounded part of an index, for any size of the category:
 * a range of one category, since for an equal category in the order of IDs PostgreSQL may read all
 * products.
 */
function withBase(db: Db, ids: readonly number[], perCategory: number) {
  return db.with('base', (query) =>
    query
      .selectFrom('products')
      .where(idIn(db, 'products.id', ids))
      .select((eb) => [
        'products.id',
        'products.category',
        eb.fn
          .coalesce(
            eb
              .selectFrom('products as shelf')
              .select('shelf.id')
              .where((shelf) =>
                shelf.between(
                  'shelf.category',
                  shelf.ref('products.category'),
                  shelf.ref('products.category'),
                ),
              )
              .where((shelf) => shelf('shelf.is_variant', '=', shelf.lit(0)))
              .where('shelf.deleted_at', 'is', null)
              .where('shelf.availability', '<>', discontinued)
              .orderBy('shelf.category')
              .orderBy('shelf.id')
              .limit(eb.lit(1))
              .offset(eb.lit(perCategory - 1)),
            eb.lit(Number.MAX_SAFE_INTEGER),
          )
          .$castTo<number>()
          .as('last_product_id'),
      ]),
  )
}

type BaseProduct = Pick<ProductRow, 'id' | 'category' | 'availability'>

/** Counts the other products of the category, by counters, and those bought with it from others. */
async function countRelated(db: Db, { id, category, availability }: BaseProduct): Promise<number> {
  const isCountedItself = category !== null && availability !== 'discontinued'
  const { elsewhere, alike } = await withBoughtTogether(db, [id], 1)
    .selectNoFrom((eb) => [
      eb
        .selectFrom('together')
        .select((found) => found.fn.countAll<number>().as('number'))
        .where('together.category', 'is distinct from', category)
        .as('elsewhere'),
      eb
        .selectFrom('product_counts')
        .select((counters) =>
          counters.cast<number>(counters.fn.sum('number'), 'bigint').as('number'),
        )
        // Without a category the result is discarded below.
        .where('category', '=', category ?? 'none')
        .where('availability', '<>', discontinued)
        .where('is_variant', '=', 0)
        .as('alike'),
    ])
    .executeTakeFirstOrThrow()
  const ofCategory = category === null ? 0 : (alike ?? 0)
  return (elsewhere ?? 0) + ofCategory - (isCountedItself ? 1 : 0)
}

/**
 * Returns one page of the products related to a product, in two queries: first those most often
 * bought with it, then those of its category, of which only as many are read as a page by relevance
 * needs. Ascending `relevance` starts with the closest.
 */
export function listRelated(
  db: Db,
  base: BaseProduct,
  page: PageRequest,
): Promise<PageResult<ProductRow>> {
  const { cursor, order, limit, times } = page
  const isByRelevance = page.sort === 'relevance' && !hasTimeLimits(times)
  const isCursorInCategory = cursor !== undefined && Number(cursor.value) === 0
  const ranked = withBoughtTogether(db, [base.id], 1)
    .with('alike', (query) =>
      query
        .selectFrom('products')
        .select('products.id as product_id')
        .select((eb) => eb.lit(0).$castTo<number>().as('distance'))
        .where((eb) => eb.between('products.category', base.category, base.category))
        .where('products.id', '<>', base.id)
        .where((eb) => eb('products.is_variant', '=', eb.lit(0)))
        .where('products.deleted_at', 'is', null)
        .where('products.availability', '<>', discontinued)
        .where('products.id', 'not in', (eb) => eb.selectFrom('together').select('product_id'))
        .$if(isByRelevance && isCursorInCategory, (alike) =>
          alike.where('products.id', order === 'asc' ? '>' : '<', cursor?.id ?? 0),
        )
        .$if(isByRelevance, (alike) =>
          alike
            .orderBy('products.category', order)
            .orderBy('products.id', order)
            .limit(cursor === undefined ? page.page * limit + 1 : limit + 1),
        ),
    )
    .with('ranked', (query) =>
      query
        .selectFrom('together')
        .select('product_id')
        .select((eb) => eb.neg(eb.ref('score')).$castTo<number>().as('distance'))
        .unionAll(query.selectFrom('alike').select(['product_id', 'distance'])),
    )
    .selectFrom('ranked')
    .innerJoin('products', 'products.id', 'ranked.product_id')
  const columns = {
    id: 'products.id',
    relevance: 'ranked.distance',
    created_at: 'products.created_at',
    updated_at: 'products.updated_at',
  } as const
  return paginate(ranked, columns, page, (rows) => rows.selectAll('products'), {
    length: countRelated(db, base),
    isFew: !isByRelevance,
  })
}

/** Returns up to `maxEmbeddedRelated` related products of each product, in one query. */
export async function loadRelated<P extends { readonly id: number }>(
  db: Db,
  products: readonly P[],
): Promise<ReadonlyMap<P, readonly ProductRow[]>> {
  const ids = products.map(({ id }) => id)
  // One more than the maximum, because the category includes the product itself.
  const rows = await withRelated(db, ids, maxEmbeddedRelated + 1)
    .with('placed', (query) =>
      query.selectFrom('related').select((eb) => [
        'base_id',
        'product_id',
        eb.fn
          .agg<number>('row_number')
          .over((over) =>
            over.partitionBy('base_id').orderBy('score', 'desc').orderBy('product_id'),
          )
          .as('place'),
      ]),
    )
    .selectFrom('placed')
    .innerJoin('products', 'products.id', 'placed.product_id')
    .where('placed.place', '<=', maxEmbeddedRelated)
    .selectAll('products')
    .select('placed.base_id')
    .orderBy('placed.place')
    .execute()
  const byBase = Map.groupBy(rows, ({ base_id }) => base_id)
  return new Map(products.map((product) => [product, byBase.get(product.id) ?? []]))
}
