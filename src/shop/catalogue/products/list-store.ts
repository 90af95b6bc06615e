import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { hasVariantWith } from '#shop/catalogue/variants/option-store.ts'
import type { Db } from '#store/database.ts'
import { sortColumnsOf } from '#store/entity-fields.ts'
import {
  dialectOf,
  hasSeveral,
  idIn,
  idInQuery,
  isOneOf,
  withoutIndex,
} from '#store/query/dialect.ts'
import {
  countRows,
  maxRowsToSort,
  type PageRequest,
  type PageResult,
  type Partitions,
  paginate,
  type SortColumn,
  sumCounts,
} from '#store/query/page.ts'
import { hasTimeLimits, type TimeLimits, whereTimes } from '#store/query/time-limits.ts'
import { correctWords } from '#store/search/corrections.ts'
import type { IdSet } from '#store/search/id-set.ts'
import { categoryEntry, findByEntries, isInIdSet, variantEntry } from '#store/search/word-index.ts'
import { wordsOfQuery } from '#store/search/words.ts'
import type { Tables } from '#store/tables.ts'
import {
  combinesOptions,
  fieldValues,
  hasVariants,
  isUnfiltered,
  optionFilters,
  optionsOf,
  remainingFilters,
} from './filters.ts'
import { fields, type ProductFilters } from './schema.ts'
import type { ProductRow } from './table.ts'

/** The columns by which products are sorted. */
export const productSorts = {
  ...(sortColumnsOf(fields) as Readonly<Record<string, SortColumn<Tables, 'products'>>>),
  id: 'id',
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
  const { search, others } = searchOf(filters)
  if (search) return await listProductsWithWords(db, search, others, page)
  const length = countProducts(db, others) ?? countRows(filteredProducts(db, others))
  const isRange = isRangeUnsorted(others, page)
  const isFew = (isRange || isNarrow(others, page)) && (await length) <= maxRowsToSort
  const isMany = lacksSortedIndex(db, others, page) && (await length) > maxRowsToSort
  const query = filteredProducts(db, others, { isMany, isManyPriced: isRange && !isFew })
  const partitions = partitionsOf(db, others)
  return await paginate(query, productSorts, page, selectAllColumns, { length, isFew, partitions })
}

/** Counts the products that match the filters; undefined when no counter covers them. */
function countProducts(db: Db, filters: ProductFilters): Promise<number> | undefined {
  const { category, availability, variants, ...others } = filters
  if (Object.values(others).some((value) => value !== undefined)) return undefined
  // No product has the empty category, under which all are counted.
  const counted = category?.filter((value) => value !== '') ?? ['']
  const counters = db
    .selectFrom('product_counts')
    .where('is_variant', '<=', variants === 'all' ? 1 : 0)
    .where(isOneOf(db, 'category', counted))
  if (!availability) return sumCounts(counters)
  return sumCounts(counters.where(isOneOf(db, 'availability', availability)))
}

/** True for a filter by a field, buyer or category that no index has in this order. */
const isNarrow = (filters: ProductFilters, { sort }: PageRequest): boolean => {
  const { buyer, category, availability } = filters
  return (
    buyer !== undefined ||
    fieldValues(filters).length > 0 ||
    (category !== undefined && sort === 'updated_at') ||
    hasSeveral(category) ||
    hasSeveral(availability)
  )
}

/** True for a price range sorted by another field, which may match few products or many. */
const isRangeUnsorted = (filters: ProductFilters, { sort }: PageRequest): boolean =>
  (filters.price_min ?? filters.price_max) !== undefined && sort !== 'price'

/**
 * True when no index has both the filters and the order. SQLite then sorts all matches, although
 * reading in order is faster when there are many.
 */
function lacksSortedIndex(db: Db, filters: ProductFilters, page: PageRequest): boolean {
  if (dialectOf(db) !== 'sqlite') return false
  const { category, availability } = filters
  if (isRangeUnsorted(filters, page) || hasSeveral(category) || hasSeveral(availability))
    return true
  const isUnsorted = availability !== undefined || (category && page.sort === 'updated_at')
  return page.sort !== 'id' && isUnsorted === true
}

/** The products of a list. */
function selectListed(db: Db, filters: ProductFilters) {
  const rows = db.selectFrom('products')
  if (filters.sku !== undefined) return rows
  return hasVariants(filters)
    ? rows.where('is_variant', 'in', isVariantValues.map(sql.lit))
    : rows.where('is_variant', '=', sql.lit(0))
}

const isVariantValues = [0, 1] as const

/** Each index begins with `is_variant`, so that a list with variants has two ranges of each. */
const partitionsOf = (db: Db, filters: ProductFilters): Partitions | undefined =>
  filters.variants === 'all' && filters.sku === undefined
    ? { db, conditions: isVariantValues.map((value) => sql`is_variant = ${sql.lit(value)}`) }
    : undefined

interface Reading {
  /** True if the matches are many, so that some conditions bypass their own index. */
  readonly isMany?: boolean
  /** The same of the condition on prices. */
  readonly isManyPriced?: boolean
}

/** Selects the products that match the filters. */
function filteredProducts(
  db: Db,
  filters: ProductFilters,
  { isMany = false, isManyPriced = isMany }: Reading = {},
) {
  const { category, availability, price_min, price_max, buyer } = filters
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
  if (combinesOptions(filters)) query = query.where(hasVariantWith(db, optionFilters(filters)))
  if (buyer === undefined) return query
  return query.where(idInQuery(db, 'products.id', boughtBy(db, buyer, filters)))
}

/** The products that a user has bought; in a list without variants, their parents. */
function boughtBy(db: Db, buyer: number, filters: ProductFilters) {
  const purchases = db.selectFrom('purchases').where('user_id', '=', buyer)
  return hasVariants(filters)
    ? purchases.select('product_id')
    : purchases
        .innerJoin('products as bought', 'bought.id', 'purchases.product_id')
        .select((eb) => eb.fn.coalesce('bought.variant_of', 'bought.id').as('product_id'))
}

type Query = ReturnType<typeof filteredProducts>

const selectAllColumns = (query: Query) => query.selectAll('products')

/** The products of a list. */
export interface ProductSelection {
  readonly filters: ProductFilters
  readonly times?: TimeLimits | undefined
}

const byIds: Reading = { isManyPriced: true }

/**
 * Selects all products of a list, in one query or, with words or options, in two, for reading them by
 * ranges of IDs: no index of prices or times applies. `isFew` if a search has found so few that they are
 * read by their IDs.
 */
export async function matchingProducts(db: Db, { filters, times = {} }: ProductSelection) {
  const within = (query: Query, isFew: boolean) => ({
    products: whereTimes(query, productSorts, times, () => true),
    isFew,
  })
  const { search, others } = searchOf(filters)
  if (!search) return within(filteredProducts(db, others, byIds), false)
  const { found, entries, others: unapplied } = await findBySearch(db, search, others)
  return found.size <= maxRowsToSort
    ? within(filteredProducts(db, unapplied).where(idIn(db, 'products.id', found.all())), true)
    : within(withEntries(db, search, others, { found, entries, reading: byIds }), false)
}

/** What a search looks for: all words, and for each option one of its values, as index entries. */
interface Search {
  readonly words: readonly string[]
  readonly options: readonly (readonly string[])[]
}

/** What a list looks up in the word index, if anything, and its other filters. */
function searchOf({ q = '', ...filters }: ProductFilters) {
  const search: Search = { words: wordsOfQuery(q), options: optionsOf(filters) }
  const isSearch = search.words.length + search.options.length > 0
  return { search: isSearch ? search : undefined, others: remainingFilters(filters) }
}

/**
 * Returns one page of the products with all these words and options. The word index has their IDs. If
 * they are few, or sorted by ID, only their rows are read; otherwise products are read in the
 * requested order until the page is full.
 */
async function listProductsWithWords(
  db: Db,
  search: Search,
  filters: ProductFilters,
  page: PageRequest,
): Promise<PageResult<ProductRow>> {
  const { found, entries, others } = await findBySearch(db, search, filters)
  const length = isUnfiltered(others) ? found.size : undefined
  const withIds = (ids: readonly number[]) =>
    filteredProducts(db, others).where(idIn(db, 'products.id', ids))
  const paged = (query: Query, options: Parameters<typeof paginate>[4], request = page) =>
    paginate(query, productSorts, request, selectAllColumns, { length, ...options })
  if (length !== undefined && page.sort === 'id' && !hasTimeLimits(page.times)) {
    const { order, limit, cursor } = page
    const skip = cursor === undefined ? (page.page - 1) * limit : 0
    const ids = found.take({ order, skip, after: cursor?.id, count: limit + 1 })
    return await paged(withIds(ids), {}, { ...page, page: 1, cursor: undefined })
  }
  if (found.size <= maxRowsToSort) return await paged(withIds(found.all()), { isFew: true })
  const productsWithWords = withEntries(db, search, filters, { found, entries })
  return await paged(productsWithWords, { partitions: partitionsOf(db, filters) })
}

/** Selects the many products that a search has found, by reading them all. */
function withEntries(
  db: Db,
  search: Search,
  filters: ProductFilters,
  { found, entries, reading }: Pick<Found, 'found' | 'entries'> & { readonly reading?: Reading },
) {
  const query = filteredProducts(db, filters, reading).where(hasEntries(db, entries, found))
  return areOwnOptions(search, filters) ? query.where('is_variant', '=', sql.lit(1)) : query
}

/** True for options in a list with variants: a parent has those of its variants, and none itself. */
const areOwnOptions = ({ options }: Pick<Search, 'options'>, filters: ProductFilters): boolean =>
  hasVariants(filters) && options.length > 0

type Found = Awaited<ReturnType<typeof findBySearch>>

/**
 * Finds the products by the word index; where no product has a word, by words like it. Returns also the
 * entries, of which a product has one of each list, and the filters that the search has not applied.
 */
async function findBySearch(db: Db, { words, options }: Search, filters: ProductFilters) {
  // The word index finds what has every entry, so only a single category can be one.
  const { category = [], ...rest } = filters
  const isEntry = category.length === 1
  const others = isEntry ? rest : filters
  const search = (spelled: readonly (readonly string[])[]) => {
    const entries = [...spelled, ...options]
    const all = [
      ...entries,
      ...(isEntry ? [category.map(categoryEntry)] : []),
      ...(areOwnOptions({ options }, filters) ? [[variantEntry]] : []),
    ]
    const excluded = hasVariants(filters) ? undefined : variantEntry
    return findByEntries(db, { all, excluded }).then((found) => ({ found, entries, others }))
  }
  const exact = await search(words.map((word) => [word]))
  if (exact.found.size > 0 || words.length === 0) return exact
  const corrected = await correctWords(db, words)
  return corrected ? await search(corrected) : exact
}

/**
 * The condition that a product has an entry of each list. SQLite looks up the ID in the set of IDs,
 * which needs no row beside the index entry. PostgreSQL reads the row in any case and searches its
 * text, with `strpos` because the planner underestimates the matches of `like`.
 */
function hasEntries(db: Db, entries: Found['entries'], found: IdSet): RawBuilder<SqlBool> {
  if (dialectOf(db) === 'sqlite') return isInIdSet('products.id', found)
  const has = (entry: string) => sql`strpos(${sql.ref('search_text')}, ${` ${entry}`}) > 0`
  const conditions = entries.map((any) => sql`(${sql.join(any.map(has), sql` or `)})`)
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`
}
