import type { Db } from '#db/database.ts'
import { idIn, withoutIndex } from '#db/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#db/query/page.ts'
import { discontinued } from './store.ts'
import type { ProductRow } from './table.ts'

/** The maximum number of related products embedded in a product. */
export const maxEmbeddedRelated = 10

/** The number of most recent orders of a product in which products bought with it are counted. */
const maxRecentOrders = 500

/** Starts a query with `together`: for each product (`base_id`), those bought with it. */
const withBoughtTogether = (db: Db, ids: readonly number[], perCategory: number) =>
  withBase(db, ids, perCategory).with('together', (query) =>
    query
      .selectFrom('base')
      .innerJoin('purchases as mine', 'mine.product_id', 'base.id')
      .innerJoin('purchases as other', 'other.order_id', 'mine.order_id')
      .innerJoin('products', 'products.id', 'other.product_id')
      .whereRef('mine.order_id', '>=', 'base.since_order')
      .whereRef('other.product_id', '<>', 'base.id')
      .where(withoutIndex('products.deleted_at'), 'is', null)
      .where('products.availability', '<>', discontinued)
      .select(['base.id as base_id', 'other.product_id as product_id'])
      .select((eb) => eb.fn.count<number>('other.order_id').distinct().as('score'))
      .select('products.category')
      .groupBy(['base.id', 'other.product_id', 'products.category']),
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
        .whereRef('products.id', '<>', 'base.id')
        .whereRef('products.id', '<=', 'base.until_product')
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
 * Starts a query with `base`: the requested products, each with the oldest order that counts
 * (`since_order`) and the last product of its category that can be needed (`until_product`). Both
 * read a bounded part of an index, for any number of orders and any size of the category: a range of
 * one category, since for an equal category in the order of IDs PostgreSQL may read all products.
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
              .selectFrom('purchases')
              .select('order_id')
              .whereRef('product_id', '=', 'products.id')
              .orderBy('order_id', 'desc')
              .limit(eb.lit(1))
              .offset(eb.lit(maxRecentOrders - 1)),
            eb.lit(0),
          )
          .$castTo<number>()
          .as('since_order'),
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
              .where('shelf.deleted_at', 'is', null)
              .where('shelf.availability', '<>', discontinued)
              .orderBy('shelf.category')
              .orderBy('shelf.id')
              .limit(eb.lit(1))
              .offset(eb.lit(perCategory - 1)),
            eb.lit(Number.MAX_SAFE_INTEGER),
          )
          .$castTo<number>()
          .as('until_product'),
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
        .as('alike'),
    ])
    .executeTakeFirstOrThrow()
  const ofCategory = category === null ? 0 : (alike ?? 0)
  return (elsewhere ?? 0) + ofCategory - (isCountedItself ? 1 : 0)
}

/**
 * Returns one page of the products related to a product, in two queries: first those most often
 * bought with it, then those of its category, of which only as many are read as the page needs.
 * Ascending `relevance` starts with the closest.
 */
export function listRelated(
  db: Db,
  base: BaseProduct,
  page: PageRequest,
): Promise<PageResult<ProductRow>> {
  const { cursor, order, limit } = page
  const isCursorInCategory = cursor !== undefined && Number(cursor.value) === 0
  const ranked = withBoughtTogether(db, [base.id], 1)
    .with('alike', (query) =>
      query
        .selectFrom('products')
        .select('products.id as product_id')
        .select((eb) => eb.lit(0).$castTo<number>().as('distance'))
        .where((eb) => eb.between('products.category', base.category, base.category))
        .where('products.id', '<>', base.id)
        .where('products.deleted_at', 'is', null)
        .where('products.availability', '<>', discontinued)
        .where('products.id', 'not in', (eb) => eb.selectFrom('together').select('product_id'))
        .$if(isCursorInCategory, (alike) =>
          alike.where('products.id', order === 'asc' ? '>' : '<', cursor?.id ?? 0),
        )
        .orderBy('products.category', order)
        .orderBy('products.id', order)
        .limit(cursor === undefined ? page.page * limit + 1 : limit + 1),
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
  const columns = { id: 'products.id', relevance: 'ranked.distance' } as const
  return paginate(ranked, columns, page, (rows) => rows.selectAll('products'), {
    length: countRelated(db, base),
  })
}

/** Returns up to `embeddedRelated` related products of each product, in one query. */
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
