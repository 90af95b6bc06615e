import { type SqlBool, sql } from 'kysely'
import { hasVariantWith } from '#shop/catalogue/variants/option-store.ts'
import type { Db } from '#store/database.ts'
import { sortColumnsOf } from '#store/entity-fields.ts'
import { dialectOf, hasSeveral, idInQuery, isOneOf, withoutIndex } from '#store/query/dialect.ts'
import type { SortColumn } from '#store/query/ordering.ts'
import {
  type PageOptions,
  type PageRequest,
  type PageResult,
  type Partitions,
  paginate,
} from '#store/query/page.ts'
import { limitsUpdatedAt, type TimeLimits, whereTimes } from '#store/query/time-limits.ts'
import type { Tables } from '#store/tables.ts'
import { fields } from './fields.ts'
import {
  combinesOptions,
  fieldValues,
  findsOne,
  hasVariants,
  optionFilters,
  sectionsOf,
} from './filters.ts'
import type { ProductFilters } from './schema.ts'
import type { ProductRow } from './table.ts'

/** The columns by which products are sorted. */
export const productSorts = {
  ...(sortColumnsOf(fields) as Readonly<Record<string, SortColumn<Tables, 'products'>>>),
  id: 'products.id',
  created_at: 'created_at',
  updated_at: 'products.updated_at',
  rating: { nullable: 'rating_average' },
} as const

/** The products of a list. */
function selectListed(db: Db, filters: ProductFilters) {
  const rows = db.selectFrom('products')
  const sections = sectionsOf(filters)
  const [only] = sections
  if (findsOne(filters)) {
    return filters.status === undefined
      ? rows
      : rows.where(withoutIndex<number>('products.section'), 'in', sections.map(sql.lit))
  }
  return sections.length > 1
    ? rows.where('products.section', 'in', sections.map(sql.lit))
    : rows.where('products.section', '=', sql.lit(only))
}

/** Each index begins with `section`, so that a list of several sections has a range of each. */
export function partitionsOf(filters: ProductFilters): Partitions | undefined {
  if (findsOne(filters)) return undefined
  const sections = sectionsOf(filters)
  return sections.length > 1
    ? sections.map((section) => sql`products.section = ${sql.lit(section)}`)
    : undefined
}

/** How products are read. */
export interface Reading {
  /** True if the matches are many, so that some conditions bypass their own index. */
  readonly isMany?: boolean
  /** The same of the condition on prices. */
  readonly isManyPriced?: boolean
}

/** Selects the products that match the filters. */
export function filteredProducts(
  db: Db,
  filters: ProductFilters,
  { isMany = false, isManyPriced = isMany }: Reading = {},
) {
  const { category, availability, price_min, price_max, buyer, handle } = filters
  const price = withoutIndex<number>('list_price', isManyPriced)
  let query = selectListed(db, filters).where('deleted_at', 'is', null)
  if (category) {
    const isBypassed = isMany && (availability === undefined || hasSeveral(category))
    query = query.where(isOneOf(db, 'category', category, isBypassed))
  }
  if (availability) query = query.where(isOneOf(db, 'availability', availability, isMany))
  for (const [name, value] of fieldValues(filters)) {
    query = query.where(sql<SqlBool>`${sql.ref(`products.${name}`)} = ${value}`)
  }
  if (price_min !== undefined) query = query.where(price, '>=', price_min)
  if (price_max !== undefined) query = query.where(price, '<=', price_max)
  if (handle !== undefined) query = query.where(idInQuery(db, 'products.id', havingHandle(handle)))
  if (combinesOptions(filters)) query = query.where(hasVariantWith(db, optionFilters(filters)))
  if (buyer === undefined) return query
  return query.where(idInQuery(db, 'products.id', boughtBy(db, buyer, filters)))
}

/** The product that has a handle, or had it before. */
const havingHandle = (handle: string) => sql`(
  select id from products where handle = ${handle}
  union all select product_id from former_handles where handle = ${handle})`

/** The products that a user has bought; in a list without variants, their parents. */
function boughtBy(db: Db, buyer: number, filters: ProductFilters) {
  const purchases = db.selectFrom('purchases').where('user_id', '=', buyer)
  return hasVariants(filters)
    ? purchases.select('product_id')
    : purchases
        .innerJoin('products as bought', 'bought.id', 'purchases.product_id')
        .select((eb) => eb.fn.coalesce('bought.variant_of', 'bought.id').as('product_id'))
}

export type ProductQuery = ReturnType<typeof filteredProducts>

/**
 * Reads a page of products. PostgreSQL has the times of their last changes in order in a table apart; a short list
 * is sorted without it.
 */
export function paginateProducts(
  db: Db,
  query: ProductQuery,
  page: PageRequest,
  options: PageOptions,
): Promise<PageResult<ProductRow>> {
  const isByChange = page.sort === 'updated_at' || limitsUpdatedAt(page.times)
  if (dialectOf(db) === 'sqlite' || options.isFew || !isByChange) {
    return paginate(db, query, productSorts, page, (rows) => rows.selectAll('products'), options)
  }
  const changed = query.innerJoin('product_changes', (on) =>
    on
      .onRef('product_changes.id', '=', 'products.id')
      .onRef('product_changes.section', '=', 'products.section'),
  )
  const sorts = { ...productSorts, updated_at: 'product_changes.updated_at' } as const
  const changedWithin = (times: TimeLimits) =>
    idInQuery(
      db,
      'products.id',
      whereTimes(db.selectFrom('product_changes').select('id'), changeTimes, times),
    )
  return paginate(db, changed, sorts, page, (rows) => rows.selectAll('products'), {
    ...options,
    changedWithin,
  })
}

const changeTimes = { created_at: 'updated_at', updated_at: 'updated_at' } as const
