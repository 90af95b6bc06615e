import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '#db/database.ts'
import { dialectOf, idIn, idInQuery, withoutIndex } from '#db/query/dialect.ts'
import {
  countRows,
  maxRowsToSort,
  type PageRequest,
  type PageResult,
  paginate,
  sumCounts,
} from '#db/query/page.ts'
import type { IdSet } from '#db/search/id-set.ts'
import { categoryEntry, findByEntries, isInIdSet } from '#db/search/word-index.ts'
import { wordsOfQuery } from '#db/search/words.ts'
import type { ProductFilters } from './schema.ts'
import type { ProductRow } from './table.ts'

const columns = {
  id: 'id',
  name: 'name',
  price: 'price_minor',
  created_at: 'created_at',
  updated_at: 'updated_at',
  rating: { nullable: 'rating_average' },
} as const

/** Returns one page of the products that match every filter. */
export async function listProducts(
  db: Db,
  filters: ProductFilters,
  page: PageRequest,
): Promise<PageResult<ProductRow>> {
  const { q = '', ...others } = filters
  const words = wordsOfQuery(q)
  if (words.length > 0) return await listProductsWithWords(db, words, others, page)
  const length = countProducts(db, others) ?? countRows(filteredProducts(db, others))
  const isRange = isRangeUnsorted(others, page)
  const isFew = (isRange || isNarrow(others, page)) && (await length) <= maxRowsToSort
  const isMany = lacksSortedIndex(db, others, page) && (await length) > maxRowsToSort
  const query = filteredProducts(db, others, isMany, isRange && !isFew)
  return await paginate(query, columns, page, selectAllColumns, { length, isFew })
}

/** Counts the products that match the filters; undefined when no counter covers them. */
function countProducts(db: Db, filters: ProductFilters): Promise<number> | undefined {
  const { category = '', availability, ...others } = filters
  if (Object.values(others).some((value) => value !== undefined)) return undefined
  const counters = db.selectFrom('product_counts').where('category', '=', category)
  return sumCounts(
    availability === undefined ? counters : counters.where('availability', '=', availability),
  )
}

/** True for a filter by name, buyer or category that no index has in this order. */
const isNarrow = ({ sku, name, buyer, category }: ProductFilters, { sort }: PageRequest): boolean =>
  (sku ?? name ?? buyer) !== undefined || (category !== undefined && sort === 'updated_at')

/** True for a price range sorted by another field, which may match few products or many. */
const isRangeUnsorted = (
  { price_min, price_max }: ProductFilters,
  { sort }: PageRequest,
): boolean => (price_min ?? price_max) !== undefined && sort !== 'price'

/**
 * True when no index has both the filters and the order. SQLite then sorts all matches, although
 * reading in order is faster when there are many.
 */
function lacksSortedIndex(db: Db, filters: ProductFilters, page: PageRequest): boolean {
  if (dialectOf(db) !== 'sqlite') return false
  const { category, availability } = filters
  const { sort } = page
  if (isRangeUnsorted(filters, page)) return true
  if (sort === 'id') return false
  return availability !== undefined || (category !== undefined && sort === 'updated_at')
}

/** Selects the products that match the filters; if they are many, some conditions bypass their own index. */
function filteredProducts(db: Db, filters: ProductFilters, isMany = false, isManyPriced = isMany) {
  const { category, availability, sku, name, price_min, price_max, buyer } = filters
  const price = withoutIndex<number>('price_minor', isManyPriced)
  let query = db.selectFrom('products').where('deleted_at', 'is', null)
  if (category !== undefined) {
    const compared = withoutIndex<string>('category', isMany && availability === undefined)
    query = query.where(compared, '=', category)
  }
  if (availability !== undefined) {
    query = query.where(withoutIndex<string>('availability', isMany), '=', availability)
  }
  if (sku !== undefined) query = query.where('sku', '=', sku)
  if (name !== undefined) query = query.where('name', '=', name)
  if (price_min !== undefined) query = query.where(price, '>=', price_min)
  if (price_max !== undefined) query = query.where(price, '<=', price_max)
  if (buyer === undefined) return query
  const bought = db.selectFrom('purchases').select('product_id').where('user_id', '=', buyer)
  return query.where(idInQuery(db, 'products.id', bought))
}

type Query = ReturnType<typeof filteredProducts>

const selectAllColumns = (query: Query) => query.selectAll('products')

/**
 * Returns one page of the products with all these words. The word index has their IDs. If they are
 * few, or sorted by ID, only their rows are read; otherwise products are read in the requested
 * order until the page is full.
 */
async function listProductsWithWords(
  db: Db,
  words: readonly string[],
  filters: ProductFilters,
  page: PageRequest,
): Promise<PageResult<ProductRow>> {
  const { category, ...others } = filters
  const entries = category === undefined ? words : [...words, categoryEntry(category)]
  const found = await findByEntries(db, entries)
  const length = Object.values(others).some((value) => value !== undefined) ? undefined : found.size
  const withIds = (ids: readonly number[]) =>
    filteredProducts(db, others).where(idIn(db, 'products.id', ids))
  if (length !== undefined && page.sort === 'id') {
    const { order, limit, cursor } = page
    const skip = cursor === undefined ? (page.page - 1) * limit : 0
    const ids = found.take({ order, skip, after: cursor?.id, count: limit + 1 })
    const first = { ...page, page: 1, cursor: undefined }
    return await paginate(withIds(ids), columns, first, selectAllColumns, { length })
  }
  if (found.size <= maxRowsToSort)
    return await paginate(withIds(found.all()), columns, page, selectAllColumns, {
      length,
      isFew: true,
    })
  const productsWithWords = filteredProducts(db, filters).where(hasWords(db, words, found))
  return await paginate(productsWithWords, columns, page, selectAllColumns, { length })
}

/**
 * The condition that a product has these words. SQLite looks up the ID in the set of IDs, which
 * needs no row beside the index entry. PostgreSQL reads the row in any case and searches its text,
 * with `strpos` because the planner underestimates the matches of `like`.
 */
function hasWords(db: Db, words: readonly string[], found: IdSet): RawBuilder<SqlBool> {
  if (dialectOf(db) === 'sqlite') return isInIdSet('products.id', found)
  const conditions = words.map((word) => sql`strpos(${sql.ref('search_text')}, ${` ${word}`}) > 0`)
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`
}
