import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  combinesOptions,
  optionPrefix,
  type ProductSelection,
} from '#shop/catalogue/products/filters.ts'
import type { Db } from '#store/database.ts'
import type { PageRequest } from '#store/query/page.ts'
import { limitsUpdatedAt } from '#store/query/time-limits.ts'
import { FirstIds } from '#store/search/first-ids.ts'
import { type Bits, IdSet } from '#store/search/id-set.ts'
import type { RankedId } from '#store/search/ranked-ids.ts'
import { withLimitedConcurrency } from '#values/limited-concurrency.ts'
import { workOwner } from '#values/request-place.ts'
import type { CurrentColumns } from './column-store.ts'
import {
  type ColumnFacet,
  type ColumnSort,
  columnSorts,
  type FacetCounts,
  noRating,
  type ProductColumns,
} from './columns.ts'

/** The blocks of IDs that are looked through, about a millisecond, before other requests are served. */
const blocksPerTurn = 8

/** A process looks through many products for one list at a time; networks take turns. */
const runAlone = withLimitedConcurrency(1)

/** True if the word index and the columns apply all filters of a selection. */
export function isOfColumns({ filters, times }: ProductSelection): boolean {
  const {
    q: _,
    category,
    availability,
    price_min,
    price_max,
    variants,
    status,
    ...others
  } = filters
  return (
    !combinesOptions(filters) &&
    !limitsUpdatedAt(times) &&
    Object.entries(others).every(
      ([name, value]) => value === undefined || name.startsWith(optionPrefix),
    )
  )
}

type Visit = (columns: ProductColumns, block: number, matching: Bits) => void

/** Where products are looked for: in all columns, or among those that a search has found. */
export interface Place {
  readonly db: Db
  readonly current: CurrentColumns
  readonly found: IdSet | undefined
}

/** Visits the products that match filters of columns, by blocks. */
async function visitMatching(
  { db, current, found }: Place,
  { filters, times }: ProductSelection,
  visit: Visit,
  order: 'asc' | 'desc' = 'asc',
): Promise<void> {
  const columns = await current.read(db)
  const all = { ...filters, ...times }
  const visitAll = async () => {
    const ascending = (found ?? columns).blocks
    const blocks = order === 'asc' ? ascending : ascending.toReversed()
    for (const [at, block] of blocks.entries()) {
      if (at > 0 && at % blocksPerTurn === 0) await nextTurn()
      visit(columns, block, columns.matching(block, all, found?.block(block)))
    }
  }
  await runAlone(visitAll, workOwner())
}

/** Counts the products of a selection that the columns have, by facets. */
export async function countMatching(
  place: Place,
  selection: ProductSelection,
  facets: readonly ColumnFacet[],
): Promise<ReadonlyMap<ColumnFacet, FacetCounts>> {
  const counts = new Map<ColumnFacet, FacetCounts>(facets.map((facet) => [facet, new Map()]))
  await visitMatching(place, selection, (columns, block, ids) => columns.count(block, ids, counts))
  return counts
}

/** Returns the products of a selection that the columns have. */
export async function findMatching(place: Place, selection: ProductSelection): Promise<IdSet> {
  const blocks = new Map<number, Bits>()
  await visitMatching(place, selection, (_, block, ids) => blocks.set(block, ids))
  return new IdSet(blocks)
}

/** The deepest row that is looked for in memory. */
const maxFirst = 2000

/** True for a page near the beginning of a list by a column, or after a cursor. */
export const isSortedInMemory = ({ sort, page, limit, cursor }: PageRequest): boolean =>
  isColumnSort(sort) && (cursor !== undefined || page * limit <= maxFirst)

const isColumnSort = (sort: string): sort is ColumnSort =>
  (columnSorts as readonly string[]).includes(sort)

/** Returns the products of such a page and the next one; their distance is the value by which they are sorted. */
export async function firstInOrder(
  place: Place,
  { sort, page, limit, order, cursor }: PageRequest,
): Promise<readonly RankedId[]> {
  const skip = cursor ? 0 : (page - 1) * limit
  const after = cursor && { id: cursor.id, distance: Number(cursor.value ?? noRating) }
  const first = new FirstIds({ order, after, count: skip + limit + 1 })
  const add: Visit = (columns, block, ids) =>
    columns.addInOrder(block, ids, sort as ColumnSort, first)
  // Newer products have greater IDs, so that few are kept that are not among the first.
  await visitMatching(place, { filters: { variants: 'all' } }, add, order)
  return first.ids.slice(skip)
}
