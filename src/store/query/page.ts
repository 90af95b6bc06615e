import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '#store/database.ts'
import { idInQuery } from './dialect.ts'
import {
  type CursorColumns,
  conditionsAfter,
  type Ordering,
  orderingOf,
  orderRows,
  type PageCursor,
  type SortColumns,
} from './ordering.ts'
import {
  hasTimeLimits,
  isOutside,
  limitsOtherTime,
  startOperator,
  type TimeBound,
  type TimeLimits,
  whereTimes,
} from './time-limits.ts'
import { countRows, exactly, type Total } from './total.ts'

/** The requested rows of a list; `page` counts from 1 and is ignored with a cursor. */
export interface PageRequest {
  readonly page: number
  readonly limit: number
  readonly sort: string
  readonly order: 'asc' | 'desc'
  readonly cursor?: PageCursor | undefined
  readonly times?: TimeLimits | undefined
}

/** The rows of a page, the length of the list, and the cursor of the next page, if any. */
export interface PageResult<Row> {
  readonly rows: Row[]
  readonly totalItems: number
  /** True where there are more than were counted. */
  readonly isCapped: boolean
  readonly next?: PageCursor | undefined
}

/** Up to this number of matching rows, sorting them is faster than scanning an index in order. */
export const maxRowsToSort = 2000

/**
 * Of a list limited by times, a scan in another order may first pass all rows outside the limits. It is
 * scanned only if it has more than one row in this many.
 */
const minShareToScan = 10

/** Conditions of which each row of a list meets one. */
export type Partitions = readonly Expression<SqlBool>[]

export interface PageOptions {
  /** The number of rows of the whole list, without limits of times; counted by default. */
  readonly length?: Total | Promise<Total> | undefined
  /**
   * True for a short list, which is found by its conditions and then sorted. Otherwise PostgreSQL may
   * read the rows of all users in the order of an index, if it overestimates the list.
   */
  readonly isFew?: boolean
  /**
   * Partitions by a column with which each index begins: each is read in the order of the list, and they
   * are merged. A short list is read as one.
   */
  readonly partitions?: Partitions | undefined
  /**
   * A condition that first finds the IDs of the few rows that changed between these times, for a query that has the
   * times from another table: PostgreSQL might look them up there for every row.
   */
  readonly changedWithin?: ((times: TimeLimits) => Expression<SqlBool>) | undefined
}

/**
 * Reads a page of a list. The order is total: by the sort column, nulls first when ascending, then
 * by id in the same direction. `query` has the tables and conditions, without grouping and without
 * the limits of times, which are added; `select` adds the columns of a row; `length` is the number of
 * rows, if it is known without counting. Sends one query for the rows (up to three after a cursor)
 * and one for the count. Throws a TypeError for a sort that is not among the columns.
 */
export async function paginate<DB, TB extends keyof DB, Start, Row>(
  db: Db,
  query: SelectQueryBuilder<DB, TB, Start>,
  columns: SortColumns<DB, TB>,
  request: PageRequest,
  select: (query: SelectQueryBuilder<DB, TB, Start>) => SelectQueryBuilder<DB, TB, Row>,
  { length, isFew = false, partitions, changedWithin }: PageOptions = {},
): Promise<PageResult<Row>> {
  const { times, limit } = request
  const list = { db, query, columns, request, isFew, changedWithin }
  const { counting, limited } = hasTimeLimits(times)
    ? await limitTimes({ ...list, times, length: await length })
    : { counting: length ?? countRows(db, query), limited: { query, request, isFew } }
  const ordering = orderingOf(columns, request, limited.isFew)
  const { cursor, page } = limited.request
  const skip = cursor === undefined ? (page - 1) * limit : 0
  const inOrder = <Selected>(
    rows: SelectQueryBuilder<DB, TB, Selected>,
    by: Ordering,
    count: number,
  ) =>
    orderRows(rows, by)
      .select([by.value.as('page_value'), by.key.as('page_id')])
      .limit(count)
  const part = <Selected>(rows: SelectQueryBuilder<DB, TB, Selected>) =>
    partitions === undefined || limited.isFew
      ? inOrder(rows, ordering, limit + 1).offset(skip)
      : merge(
          db,
          partitions.map((condition) =>
            inOrder(
              rows.where(() => condition),
              ordering,
              skip + limit + 1,
            ),
          ),
          ordering,
        )
          .offset(skip)
          .limit(limit + 1)
  const parts = rangesOf(db, limited.query, ordering, cursor).map((range) => {
    if (skip === 0) return part(select(range)).execute()
    // What a page skips is only passed in the index; the rows of the page are looked up by their IDs.
    const ids = sql`(select page_id from (${part(range)}) as page)`
    const rows = select(query.where(() => idInQuery(db, columns.id, ids)))
    return inOrder(rows, orderingOf(columns, request, true), limit + 1).execute()
  })
  const [total, ...results] = await Promise.all([counting, ...parts])
  const found = results.flat() as (Row & CursorColumns)[]
  const last = found.length > limit ? found[limit - 1] : undefined
  return {
    rows: found.slice(0, limit).map(({ page_value, page_id, ...row }) => row as unknown as Row),
    totalItems: total.items,
    isCapped: total.isCapped,
    next: last && { value: last.page_value, id: last.page_id },
  }
}

/** The parts of the list whose rows, one after the other, are those from the page on. */
const rangesOf = <DB, TB extends keyof DB, Start>(
  db: Db,
  query: SelectQueryBuilder<DB, TB, Start>,
  ordering: Ordering,
  cursor: PageCursor | undefined,
): readonly SelectQueryBuilder<DB, TB, Start>[] =>
  cursor === undefined
    ? [query]
    : conditionsAfter(db, ordering, cursor).map((condition) => query.where(() => condition))

/** The rows of these queries in the order of the list. */
function merge<DB, TB extends keyof DB, Row>(
  db: Db,
  queries: readonly SelectQueryBuilder<DB, TB, Row>[],
  ordering: Ordering,
) {
  const selections = queries.map((query, at) =>
    db.selectFrom(sql<CursorColumns>`(${query})`.as(`part${at}`)).selectAll(),
  )
  const all = selections.reduce((merged, next) => merged.unionAll(next))
  const [value, key] = [
    sql.ref<CursorColumns['page_value']>('page_value'),
    sql.ref<number>('page_id'),
  ]
  return orderRows(all, { ...ordering, value, key })
}

interface UnlimitedList<DB, TB extends keyof DB, Start> {
  readonly db: Db
  readonly query: SelectQueryBuilder<DB, TB, Start>
  readonly columns: SortColumns<DB, TB>
  readonly request: PageRequest
  readonly times: TimeLimits
  readonly isFew: boolean
  readonly changedWithin: PageOptions['changedWithin']
  /** The number of rows without the limits, if it is known. */
  readonly length: Total | undefined
}

/**
 * Counts the rows within the limits of times and adds the limits to the query: by their index where it
 * has the order of the list too, or where the matches are few enough to be sorted.
 */
async function limitTimes<DB, TB extends keyof DB, Start>(list: UnlimitedList<DB, TB, Start>) {
  const { db, query, columns, times, length = exactly(0) } = list
  const { sort, order, cursor } = list.request
  // A short list is found by its other conditions.
  const isShortList = () => list.isFew
  const counting = await countRows(db, whereTimes(query, columns, times, isShortList))
  const isShort =
    !counting.isCapped && counting.items <= Math.max(maxRowsToSort, length.items / minShareToScan)
  const isFew = list.isFew || (isShort && limitsOtherTime(times, sort))
  // From a position before the limits on, the list is the whole list.
  const isBefore = cursor !== undefined && isOutside(times, sort, order, Number(cursor.value))
  const request = isBefore ? { ...list.request, page: 1, cursor: undefined } : list.request
  const isBypassed = ({ column, operator }: TimeBound): boolean =>
    list.isFew ||
    (!isFew &&
      // SQLite looks up one lower bound only, and the cursor is closer than the limit.
      (column !== sort || (request.cursor !== undefined && operator === startOperator(order))))
  const within = whereTimes(query, columns, times, isBypassed)
  const { changedWithin } = list
  const found =
    isFew && changedWithin && !limitsOtherTime(times, 'updated_at')
      ? within.where(() => changedWithin(times))
      : within
  return { counting, limited: { query: found, request, isFew } }
}
