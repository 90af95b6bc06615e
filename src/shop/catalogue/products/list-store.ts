import type { Db } from '#store/database.ts'
import { dialectOf, hasSeveral, isOneOf } from '#store/query/dialect.ts'
import { maxRowsToSort, type PageRequest, type PageResult } from '#store/query/page.ts'
import { countRows, sumCounts, type Total } from '#store/query/total.ts'
import { filteredProducts, paginateProducts, partitionsOf } from './filtered-store.ts'
import { fieldValues } from './filters.ts'
import type { ProductFilters } from './schema.ts'
import { searchOf, searchProducts } from './search-store.ts'
import type { ProductRow } from './table.ts'

/** Returns one page of the products that match every filter. */
export async function listProducts(
  db: Db,
  filters: ProductFilters,
  request: PageRequest,
): Promise<PageResult<ProductRow>> {
  const { search, others } = searchOf(filters)
  if (search) return await searchProducts(db, search, others, request)
  // Without a search, all are as relevant, so that the ID decides.
  const page = request.sort === 'relevance' ? { ...request, sort: 'id' } : request
  const length = countProducts(db, others) ?? countRows(db, filteredProducts(db, others))
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

/** Counts the products that match the filters; undefined when no counter covers them. */
function countProducts(db: Db, filters: ProductFilters): Promise<Total> | undefined {
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
