import type { Db } from '#store/database.ts'
import { idIn, withoutIndex } from '#store/query/dialect.ts'
import {
  maxRowsToSort,
  type PageOptions,
  type PageRequest,
  type PageResult,
} from '#store/query/page.ts'
import { hasTimeLimits, type TimeLimits, whereTimes } from '#store/query/time-limits.ts'
import { countRows, exactly, type Total, upTo } from '#store/query/total.ts'
import { correctWords } from '#store/search/corrections.ts'
import { findByEntries } from '#store/search/find.ts'
import { bitsOf, IdSet } from '#store/search/id-set.ts'
import { type QueryWords, wordsOfQuery } from '#store/search/query-words.ts'
import { type RankedId, RankedIds } from '#store/search/ranked-ids.ts'
import { categoryEntry, isInIdSet, variantEntry } from '#store/search/word-index.ts'
import type { CurrentColumns } from './columns/column-store.ts'
import { noRating } from './columns/columns.ts'
import {
  findMatching,
  firstInOrder,
  isOfColumns,
  isSortedInMemory,
} from './columns/matching-store.ts'
import {
  filteredProducts,
  type ProductQuery,
  paginateProducts,
  partitionsOf,
  productSorts,
  type Reading,
} from './filtered-store.ts'
import {
  fieldEntriesOf,
  hasHidden,
  hasVariants,
  isUnfiltered,
  optionsOf,
  type ProductSelection,
  remainingFilters,
  withoutStatus,
} from './filters.ts'
import type { ProductFilters } from './schema.ts'
import type { ProductRow } from './table.ts'

const byIds: Reading = { isManyPriced: true }

const withinTimes = (query: ProductQuery, times: TimeLimits = {}) =>
  whereTimes(query, productSorts, times, () => true)

/**
 * Selects all products of a list, in one query or, with words or options, in two, for reading them by
 * ranges of IDs: no index of prices or times applies. `isFew` if a search has found so few that they are
 * read by their IDs.
 */
export async function matchingProducts(db: Db, { filters, times }: ProductSelection) {
  const within = (query: ProductQuery, isFew: boolean) => ({
    products: withinTimes(query, times),
    isFew,
  })
  const { search, others } = searchOf(filters)
  if (!search) return within(filteredProducts(db, others, byIds), false)
  const result = await findBySearch(db, search, others)
  return within(selectFound(db, result, byIds), isFew(result))
}

/** Returns the products with the words and options of filters, and a single category; undefined for all. */
export async function findAmong(db: Db, filters: ProductFilters): Promise<IdSet | undefined> {
  const { search, others } = searchOf(filters)
  return search && (await findBySearch(db, search, others)).found.all
}

/** What a search looks for: words, and for each option and field one of its values, as index entries. */
interface Search {
  readonly words: QueryWords
  readonly options: readonly (readonly string[])[]
  readonly fields: readonly (readonly string[])[]
  /** True for a text in which there is nothing to look for. */
  readonly findsNothing: boolean
}

/** What a list looks up in the word index, if anything, and its other filters. */
export function searchOf({ q, ...filters }: ProductFilters) {
  const words = wordsOfQuery(q ?? '')
  const findsNothing = q !== undefined && words.typed.length === 0
  const [options, fields] = [optionsOf(filters), fieldEntriesOf(filters)]
  const search: Search = { words, options, fields, findsNothing }
  const isSearch = q !== undefined || options.length + fields.length > 0
  return { search: isSearch ? search : undefined, others: remainingFilters(filters) }
}

/**
 * Returns one page of the products with these words and options. The word index has their IDs, and how far each is
 * from what was searched. If they are few, or sorted by ID, only their rows are read; otherwise products are read in
 * the requested order until the page is full.
 */
export async function searchProducts(
  db: Db,
  columns: CurrentColumns,
  search: Search,
  filters: ProductFilters,
  page: PageRequest,
): Promise<PageResult<ProductRow>> {
  const whole = await findBySearch(db, search, filters)
  const [result, rest] = await narrow(db, columns, whole, page)
  if (page.sort === 'relevance') return await listByRelevance(db, result, rest)
  return await listFound(db, columns, result, rest)
}

/** Returns one page of the products that match filters of columns; `isCounted` where a counter has their number. */
export async function listMatching(
  db: Db,
  current: CurrentColumns,
  filters: ProductFilters,
  page: PageRequest,
  isCounted: boolean,
): Promise<PageResult<ProductRow>> {
  const selection = { filters, times: page.times }
  const matching = await findMatching({ db, current, found: undefined }, selection)
  const rest = { hasOwnOptions: false, isNarrowed: !isCounted }
  const result = { found: RankedIds.equal(matching), ...withoutColumns(filters), ...rest }
  return await listFound(db, current, result, { ...page, times: undefined })
}

/** Reading up to this number of rows to sort them takes as long as looking at the columns. */
const maxSortedRows = 200

/** Returns one page of what was found, in an order other than relevance. */
async function listFound(
  db: Db,
  current: CurrentColumns,
  result: SearchResult,
  page: PageRequest,
): Promise<PageResult<ProductRow>> {
  const { found, others, filters } = result
  const isWhole = isUnfiltered(others) && !hasTimeLimits(page.times)
  if (isWhole && isSortedInMemory(page) && found.all.size > maxSortedRows) {
    const first = await firstInOrder({ db, current, found: found.all }, page)
    const { next, ...listed } = await readRanked(db, first, page.limit, totalOf(result))
    const isUnrated = page.sort === 'rating' && next?.value === noRating
    return { ...listed, next: next && { ...next, value: isUnrated ? null : next.value } }
  }
  const length = isUnfiltered(others) ? totalOf(result) : undefined
  const paged = (query: ProductQuery, options: PageOptions, request = page) =>
    paginateProducts(db, query, request, { length, ...options })
  if (isWhole && page.sort === 'id') {
    const { order, limit, cursor } = page
    const skip = cursor === undefined ? (page.page - 1) * limit : 0
    const ids = found.all.take({ order, skip, after: cursor?.id, count: limit + 1 })
    const query = filteredProducts(db, others).where(idIn(db, 'products.id', ids))
    return await paged(query, {}, { ...page, page: 1, cursor: undefined })
  }
  const few = isFew(result)
  const partitions = few ? undefined : partitionsOf(filters)
  return await paged(selectFound(db, result), { isFew: few, partitions })
}

interface SearchResult {
  readonly found: RankedIds
  /** The filters that the search has not applied. */
  readonly others: ProductFilters
  /** All filters of the list, and whether its variants must have the options themselves. */
  readonly filters: ProductFilters
  readonly hasOwnOptions: boolean
  /** True where the columns have applied filters, so that other lists with these would count rows one by one. */
  readonly isNarrowed: boolean
}

/** The number of products, where the search has applied all filters. */
const totalOf = ({ found, isNarrowed }: SearchResult): Total =>
  isNarrowed ? upTo(found.all.size) : exactly(found.all.size)

/** Applies the other filters of what a search has found, as far as the columns in memory have them. */
async function narrow(
  db: Db,
  current: CurrentColumns,
  result: SearchResult,
  page: PageRequest,
): Promise<readonly [SearchResult, PageRequest]> {
  const { found, others, filters } = result
  const selection = { filters: others, times: page.times }
  const isWhole = isUnfiltered(others) && !hasTimeLimits(page.times)
  if (isWhole || !isOfColumns(selection)) return [result, page]
  const matching = await findMatching({ db, current, found: found.all }, selection)
  const narrowed = { ...withoutColumns(filters), found: found.within(matching), isNarrowed: true }
  return [
    { ...result, ...narrowed },
    { ...page, times: undefined },
  ]
}

/** What remains once the columns have been applied; by a single category, indexes have all orders but one. */
function withoutColumns({ category, variants, status }: ProductFilters) {
  const others = variants ? { variants } : {}
  const filters = status ? { ...others, status } : others
  return { others, filters: category?.length === 1 ? { ...filters, category } : filters }
}

const isFew = ({ found }: SearchResult): boolean => found.all.size <= maxRowsToSort

/** Selects the products that a search has found: a few by their IDs, many by reading them all. */
function selectFound(db: Db, result: SearchResult, reading?: Reading): ProductQuery {
  const { found, others, filters, hasOwnOptions } = result
  if (isFew(result)) {
    return filteredProducts(db, others).where(idIn(db, 'products.id', found.all.all()))
  }
  const query = filteredProducts(db, filters, reading).where(
    isInIdSet(db, 'products.id', found.all),
  )
  return hasOwnOptions ? query.where(withoutIndex('products.variant_of'), 'is not', null) : query
}

/** Returns one page of what a search has found, the closest first; of the same distance by ID. */
async function listByRelevance(
  db: Db,
  result: SearchResult,
  page: PageRequest,
): Promise<PageResult<ProductRow>> {
  const { found, others } = result
  const { order, limit, cursor, times } = page
  const skip = cursor === undefined ? (page.page - 1) * limit : 0
  const after = cursor && { id: cursor.id, distance: Number(cursor.value) }
  const range = { order, skip, after, count: limit + 1 }
  if (isUnfiltered(others) && !hasTimeLimits(times)) {
    return await readRanked(db, found.take(range), limit, totalOf(result))
  }
  const query = withinTimes(selectFound(db, result), times)
  const total = await countRows(db, query)
  const isRare = !isFew(result) && total.items <= maxRowsToSort
  const candidates = isRare ? found.within(new IdSet(bitsOf(await idsOf(query)))) : found
  const matches = async (ids: readonly number[]) => {
    const some = filteredProducts(db, others).where(idIn(db, 'products.id', ids))
    return new Set(await idsOf(withinTimes(some, times)))
  }
  const ranked: RankedId[] = []
  let position = after
  while (ranked.length < skip + limit + 1) {
    const part = candidates.take({ order, skip: 0, after: position, count: maxRowsToSort })
    if (part.length === 0) break
    const matching = await matches(part.map(({ id }) => id))
    ranked.push(...part.filter(({ id }) => matching.has(id)))
    position = part.at(-1)
  }
  return await readRanked(db, ranked.slice(skip, skip + limit + 1), limit, total)
}

const idsOf = async (query: ProductQuery): Promise<readonly number[]> =>
  (await query.select('products.id').execute()).map(({ id }) => id)

/** Reads the products of a page in their order; the one after `limit` only tells that there are more. */
async function readRanked(
  db: Db,
  ranked: readonly RankedId[],
  limit: number,
  { items, isCapped }: Total,
): Promise<PageResult<ProductRow>> {
  const listed = ranked.slice(0, limit)
  const ids = listed.map(({ id }) => id)
  const query = db.selectFrom('products').where(idIn(db, 'products.id', ids))
  const byId = new Map((await query.selectAll().execute()).map((row) => [row.id, row]))
  const last = ranked.length > limit ? listed.at(-1) : undefined
  return {
    rows: ids.flatMap((id) => byId.get(id) ?? []),
    totalItems: items,
    isCapped,
    next: last && { value: last.distance, id: last.id },
  }
}

/** Finds the products by the word index; where none has all words, by words like those that no product has. */
async function findBySearch(
  db: Db,
  { words, options, fields, findsNothing }: Search,
  filters: ProductFilters,
): Promise<SearchResult> {
  // The word index finds what has every entry, so only a single category can be one.
  const { category = [], ...rest } = filters
  const isEntry = category.length === 1
  // A parent has the options of its variants, and none itself.
  const hasOwnOptions = hasVariants(filters) && options.length > 0
  const unapplied = isEntry ? rest : filters
  const withHidden = hasHidden(filters)
  // The index has hidden products apart, whether they are drafts or archived.
  const isOfStatus = filters.status === undefined || (!withHidden && filters.status.length > 0)
  const others = isOfStatus ? withoutStatus(unapplied) : unapplied
  const entries = [
    ...options,
    ...fields,
    ...(isEntry ? [category.map(categoryEntry)] : []),
    ...(hasOwnOptions ? [[variantEntry]] : []),
  ]
  const excluded = hasVariants(filters) ? undefined : variantEntry
  const search = (spelled: QueryWords) =>
    findByEntries(db, { words: spelled, entries, excluded, withHidden }).then((found) => ({
      found,
      others,
      filters,
      hasOwnOptions,
      isNarrowed: false,
    }))
  const nothing = { found: new RankedIds(new Map()), others, filters, hasOwnOptions }
  if (findsNothing) return { ...nothing, isNarrowed: false }
  const exact = await search(words)
  if (exact.found.all.size > 0 || words.typed.length === 0) return exact
  const corrected = await correctWords(db, words, { withHidden })
  return corrected ? await search(corrected) : exact
}
