import { sql } from 'kysely'
import { nullable } from '#schema/words.ts'
import { integer } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { idIn } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { prepareSql } from '#store/query/prepared.ts'
import { hasTimeLimits } from '#store/query/time-limits.ts'
import { exactly, type Total } from '#store/query/total.ts'
import { type ProductRow, products } from './table.ts'

/** The maximum number of related products embedded in a product. */
export const maxEmbeddedRelated = 10

/** The number of most recent orders of a product in which products bought with it are counted. */
const maxRecentOrders = 500

/**
 * CTEs, each of which reads a bounded part of an index. `base`: the requested products, each with the last
 * product of its category that can be needed, found in a range of one category: for an equal category in
 * the order of IDs, PostgreSQL may read all products. `sold`: these products and their variants, each
 * with the oldest order that counts. `together`: for each requested product, those bought with it,
 * with the number of orders that have both (`score`). A variant counts as its parent. The availability
 * is no parameter, and the section no equality, since PostgreSQL would estimate too few products.
 */
const boughtTogether = (db: Db, ids: readonly number[], perCategory: number) => sql`
  base as (
    select id, category, coalesce((
      select shelf.id from products as shelf
      where shelf.category between products.category and products.category
        and shelf.section = 0 and shelf.deleted_at is null
        and shelf.availability <> 'discontinued'
      order by shelf.category, shelf.id limit 1 offset ${sql.lit(perCategory - 1)}
    ), ${sql.lit(Number.MAX_SAFE_INTEGER)}) as last_product_id
    from products where ${idIn(db, 'products.id', ids)}),
  sold as (
    select own.base_id, own.id, coalesce((
      select order_id from purchases where product_id = own.id
      order by order_id desc limit 1 offset ${sql.lit(maxRecentOrders - 1)}
    ), 0) as since_order
    from (
      select id as base_id, id from products where ${idIn(db, 'products.id', ids)}
      union all
      select variant_of as base_id, id from products
      where ${idIn(db, 'products.variant_of', ids)} and variant_of is not null
    ) as own),
  together as (
    select sold.base_id, products.id as product_id, products.category,
      count(distinct other.order_id) as score
    from sold
    join purchases as mine on mine.product_id = sold.id
    join purchases as other on other.order_id = mine.order_id
    join products as bought on bought.id = other.product_id
    join products on products.id = coalesce(bought.variant_of, bought.id)
    where mine.order_id >= sold.since_order and products.id <> sold.base_id
      and (products.deleted_at > 0) is not true and (products.section > 0) is not true
      and products.availability <> 'discontinued'
    group by sold.base_id, products.id, products.category)`

type BaseProduct = Pick<ProductRow, 'id' | 'category' | 'availability' | 'section'>

const relatedCounts = prepareSql(
  (db: Db, param: { ids: readonly number[]; category: string | null; counted: string }) => sql`
    with ${boughtTogether(db, param.ids, 1)}
    select
      (select count(*) from together where category is distinct from ${param.category}) as elsewhere,
      (select cast(sum(number) as bigint) from product_counts
        where category = ${param.counted} and availability <> 'discontinued' and section = 0
      ) as alike`,
  { elsewhere: integer, alike: nullable(integer) },
)

/** Counts the other products of the category, by counters, and those bought with it from others. */
async function countRelated(
  db: Db,
  { id, category, availability, section }: BaseProduct,
): Promise<Total> {
  const isCountedItself = category !== null && availability !== 'discontinued' && section === 0
  // Without a category, the count of the category is discarded.
  const counted = category ?? 'none'
  const found = await relatedCounts.first(db, { ids: [id], category, counted })
  const ofCategory = category === null ? 0 : (found?.alike ?? 0)
  return exactly((found?.elsewhere ?? 0) + ofCategory - (isCountedItself ? 1 : 0))
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
  const { cursor, limit, times } = page
  const [order, after] = page.order === 'asc' ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`]
  const isByRelevance = page.sort === 'relevance' && !hasTimeLimits(times)
  const isCursorInCategory = isByRelevance && cursor !== undefined && Number(cursor.value) === 0
  const count = cursor === undefined ? page.page * limit + 1 : limit + 1
  const ranked = sql<{ product_id: number; distance: number }>`(
    with ${boughtTogether(db, [base.id], 1)},
    alike as (
      select id as product_id, 0 as distance from products
      where category between ${base.category} and ${base.category} and id <> ${base.id}
        and section = 0 and deleted_at is null and availability <> 'discontinued'
        and id not in (select product_id from together)
        ${isCursorInCategory ? sql`and id ${after} ${cursor.id}` : sql``}
        ${isByRelevance ? sql`order by category ${order}, id ${order} limit ${count}` : sql``})
    select product_id, -score as distance from together
    union all
    select product_id, distance from alike)`
  const columns = {
    id: 'products.id',
    relevance: 'ranked.distance',
    created_at: 'products.created_at',
    updated_at: 'products.updated_at',
  } as const
  return paginate(
    db,
    db.selectFrom(ranked.as('ranked')).innerJoin('products', 'products.id', 'ranked.product_id'),
    columns,
    page,
    (rows) => rows.selectAll('products'),
    { length: countRelated(db, base), isFew: !isByRelevance },
  )
}

// One more than the maximum is needed of a category, because it includes the product itself.
const embeddedRelated = prepareSql(
  (db: Db, param: { ids: readonly number[] }) => sql`
    with ${boughtTogether(db, param.ids, maxEmbeddedRelated + 1)},
    alike as (
      select base.id as base_id, products.id as product_id, 0 as score
      from base join products on products.category = base.category
      where products.section = 0 and products.id <> base.id
        and products.id <= base.last_product_id
        and products.deleted_at is null and products.availability <> 'discontinued'),
    related as (
      select found.base_id, found.product_id, max(found.score) as score from (
        select base_id, product_id, score from together
        union all
        select base_id, product_id, score from alike
      ) as found group by found.base_id, found.product_id),
    placed as (
      select base_id, product_id,
        row_number() over (partition by base_id order by score desc, product_id) as place
      from related)
    select products.*, placed.base_id
    from placed join products on products.id = placed.product_id
    where placed.place <= ${sql.lit(maxEmbeddedRelated)} order by placed.place`,
  { ...products.schemas, base_id: integer },
)

/** Returns up to `maxEmbeddedRelated` related products of each product, in one query. */
export async function loadRelated<P extends { readonly id: number }>(
  db: Db,
  bases: readonly P[],
): Promise<ReadonlyMap<P, readonly ProductRow[]>> {
  const rows = await embeddedRelated.all(db, { ids: bases.map(({ id }) => id) })
  const byBase = Map.groupBy(rows, ({ base_id }) => base_id)
  return new Map(bases.map((base) => [base, byBase.get(base.id) ?? []]))
}
