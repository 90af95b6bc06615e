import type { Db } from '#store/database.ts'
import { dialectOf, hasSeveral, isOneOf } from '#store/query/dialect.ts'
import { maxRowsToSort, type PageRequest, type PageResult } from '#store/query/page.ts'
import { hasTimeLimits } from '#store/query/time-limits.ts'
import { countRows, sumCounts, type Total } from '#store/query/total.ts'
import type { CurrentColumns } from './columns/column-store.ts'
import { isOfColumns } from './columns/matching-store.ts'
import { filteredProducts, paginateProducts, partitionsOf } from './filtered-store.ts'
import { fieldValues, sectionsOf } from './filters.ts'
import type { ProductFilters } from './schema.ts'
import { listMatching, searchOf, searchProducts } from './search-store.ts'
import type { ProductRow } from './table.ts'

/** Returns one page of the products that match every filter. */
export async function listProducts(
  db: Db,
  columns: CurrentColumns,
  filters: ProductFilters,
  request: PageRequest,
): Promise<PageResult<ProductRow>> {
  const { search, others } = searchOf(filters)
  if (search) return await searchProducts(db, columns, search, others, request)
  // Without a search, all are as relevant, so that the ID decides.
  const page = request.sort === 'relevance' ? { ...request, sort: 'id' } : request
  const counted = countProducts(db, others)
  if (await isForColumns(others, page, counted)) {
    const isCounted = counted !== undefined && !hasTimeLimits(page.times)
    return await listMatching(db, columns, others, page, isCounted)
  }
  const length = counted ?? countRows(db, filteredProducts(db, others))
  const isRange = isRangeUnsorted(others, page)
  const isFew = (isRange || isNarrow(others, page)) && (await length).items <= maxRowsToSort
  const isMany = lacksSortedIndex(db, others, page) && (await length).items > maxRowsToSort
  const query = filteredProducts(db, others, { isMany, isManyPriced: isRange && !isFew })
  const partitions = partitionsOf(others)
  return await paginateProducts(db, query, page, {
    length,
    isFew,
    partitions,
  })
}

/** Up to this number of matches, a list in the order of an index passes many others before each. */
const maxSparse = 50_000

/** True if no index has the list in its order, so that many products would be read or passed before a page is full. */
async function isForColumns(
  filters: ProductFilters,
  page: PageRequest,
  counted: Promise<Total> | undefined,
): Promise<boolean> {
  const { sort, times } = page
  const { category, availability } = filters
  if (!isOfColumns({ filters, times })) return false
  if (hasTimeLimits(times) && sort !== 'created_at') return true
  // An index has a price range by price, but not that of a category or an availability.
  if (counted === undefined) return sort !== 'price' || (category ?? availability) !== undefined
  return isUnsorted(filters, page) && (await counted).items <= maxSparse
}

/** Counts the products that match the filters; undefined when no counter covers them. */
function countProducts(db: Db, filters: ProductFilters): Promise<Total> | undefined {
  const { category, availability, variants: _, status: __, ...others } = filters
  if (Object.values(others).some((value) => value !== undefined)) return undefined
  // No product has the empty category, under which all are counted.
  const counted = category?.filter((value) => value !== '') ?? ['']
  const counters = db
    .selectFrom('product_counts')
    .where('section', 'in', sectionsOf(filters))
    .where(isOneOf(db, 'category', counted))
  if (!availability) return sumCounts(counters)
  return sumCounts(counters.where(isOneOf(db, 'availability', availability)))
}

/** True for a filter by a field, buyer or category that no index has in this order. */
const isNarrow = (filters: ProductFilters, { sort }: PageRequest): boolean => {
  const { buyer, handle, category, availability } = filters
  return (
    buyer !== undefined ||
    handle !== undefined ||
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
  return dialectOf(db) === 'sqlite' && isUnsorted(filters, page)
}

/** True when no index has both the filters and the order. */
function isUnsorted(filters: ProductFilters, page: PageRequest): boolean {
  const { category, availability } = filters
  if (isRangeUnsorted(filters, page) || hasSeveral(category) || hasSeveral(availability))
    return true
  const isOfWords = availability !== undefined || (category && page.sort === 'updated_at')
  return page.sort !== 'id' && isOfWords === true
}
