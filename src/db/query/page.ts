import {
  type ExtractTypeFromReferenceExpression,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  type StringReference,
  sql,
} from 'kysely'

/** The place in a list after which a page begins: the sorted value and the id of the last row. */
export interface PageCursor {
  readonly value: string | number | null
  readonly id: number
}

/** Which rows of a list are wanted; `page` counts from 1 and yields to a cursor. */
export interface PageRequest {
  readonly page: number
  readonly limit: number
  readonly sort: string
  readonly order: 'asc' | 'desc'
  readonly cursor?: PageCursor | undefined
}

/** The rows of one page, the exact length of the whole list, and where the next page begins. */
export interface PageResult<Row> {
  readonly rows: Row[]
  readonly totalItems: number
  readonly next?: PageCursor | undefined
}

type RequiredReference<DB, TB extends keyof DB> = {
  [R in StringReference<DB, TB>]: null extends ExtractTypeFromReferenceExpression<DB, TB, R>
    ? never
    : R
}[StringReference<DB, TB>]

/** A column to sort by; one that may be null says so, since only then is the null's place sought. */
export type SortColumn<DB, TB extends keyof DB> =
  | RequiredReference<DB, TB>
  | { readonly nullable: StringReference<DB, TB> }

/** The columns a list may be sorted by, by public name; `id` is unique and breaks all ties. */
export type SortColumns<DB, TB extends keyof DB> = {
  readonly id: RequiredReference<DB, TB>
} & Readonly<Record<string, SortColumn<DB, TB>>>

interface Ordering {
  readonly column: string
  readonly id: string
  readonly nullable: boolean
  readonly order: 'asc' | 'desc'
}

interface Place {
  page_value: string | number | null
  page_id: number
}

function orderingOf<DB, TB extends keyof DB>(
  columns: SortColumns<DB, TB>,
  { sort, order }: PageRequest,
): Ordering {
  const wanted: SortColumn<DB, TB> | undefined = Object.hasOwn(columns, sort)
    ? columns[sort]
    : undefined
  if (wanted === undefined) throw new TypeError(`No list can be sorted by "${sort}" here`)
  const nullable = typeof wanted === 'object'
  return { column: nullable ? wanted.nullable : wanted, id: columns.id, nullable, order }
}

/**
 * What a row after the cursor is, in the order of the list: conditions of which each by itself is
 * one lookup in an index. A comparison of pairs would not be, on SQLite, nor one with nulls, which
 * count as smaller than anything else.
 */
function conditionsBeyond(
  { column, id, nullable, order }: Ordering,
  cursor: PageCursor,
): RawBuilder<SqlBool>[] {
  const [value, key] = [sql.ref(column), sql.ref(id)]
  const after = order === 'asc' ? sql`>` : sql`<`
  if (column === id) return [sql`${key} ${after} ${cursor.id}`]
  if (cursor.value === null) {
    const ties = sql<SqlBool>`(${value} is null and ${key} ${after} ${cursor.id})`
    return order === 'asc' ? [ties, sql`${value} is not null`] : [ties]
  }
  const ties = sql<SqlBool>`(${value} = ${cursor.value} and ${key} ${after} ${cursor.id})`
  const beyond = [ties, sql<SqlBool>`${value} ${after} ${cursor.value}`]
  return nullable && order === 'desc' ? [...beyond, sql`${value} is null`] : beyond
}

function ordered<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { column, id, nullable, order }: Ordering,
): SelectQueryBuilder<DB, TB, Row> {
  const byId = (rows: typeof query) => rows.orderBy(sql.ref(id), order)
  if (column === id) return byId(query)
  if (!nullable) return byId(query.orderBy(sql.ref(column), order))
  return byId(
    query.orderBy(sql.ref(column), (by) =>
      order === 'asc' ? by.asc().nullsFirst() : by.desc().nullsLast(),
    ),
  )
}

/** So many rows are sorted sooner than a list in order is searched for them. */
export const fewToSort = 2000

/** The length of a list, by looking at all of it. */
export const countAll = async <DB, TB extends keyof DB, Start>(
  query: SelectQueryBuilder<DB, TB, Start>,
): Promise<number> => {
  const [counted] = await query.select(sql<number>`count(*)`.as('total')).execute()
  return (counted as unknown as { readonly total: number }).total
}

/**
 * Reads one page of a list in two queries, whatever its size: the rows in a total order (the sort
 * column, then the id, in the same direction, nulls as the smallest) and the exact count, which
 * whoever keeps it passes as `length`. After a cursor there are up to two more, by the sort alone.
 * `query` holds the tables and conditions and must not group; `select` says what is read of each
 * row. Throws a TypeError for a sort that is not among the columns.
 */
export async function paginate<DB, TB extends keyof DB, Start, Row>(
  query: SelectQueryBuilder<DB, TB, Start>,
  columns: SortColumns<DB, TB>,
  request: PageRequest,
  select: (query: SelectQueryBuilder<DB, TB, Start>) => SelectQueryBuilder<DB, TB, Row>,
  length?: number | Promise<number>,
): Promise<PageResult<Row>> {
  const { cursor, page, limit } = request
  const ordering = orderingOf(columns, request)
  const started =
    cursor === undefined
      ? [query.offset((page - 1) * limit)]
      : conditionsBeyond(ordering, cursor).map((condition) => query.where(() => condition))
  const parts = started.map((rows) =>
    ordered(select(rows), ordering)
      .select([
        sql<Place['page_value']>`${sql.ref(ordering.column)}`.as('page_value'),
        sql<number>`${sql.ref(ordering.id)}`.as('page_id'),
      ])
      .limit(limit + 1)
      .execute(),
  )
  const [totalItems, ...found] = await Promise.all([length ?? countAll(query), ...parts])
  const places = found.flat() as (Row & Place)[]
  const last = places.length > limit ? places[limit - 1] : undefined
  return {
    rows: places.slice(0, limit).map(({ page_value, page_id, ...row }) => row as unknown as Row),
    totalItems,
    next: last && { value: last.page_value, id: last.page_id },
  }
}

/** The length of a list as its counters tell it: the sum of `number` over those chosen. */
export async function sumOf<DB, TB extends keyof DB, Start>(
  counters: SelectQueryBuilder<DB, TB, Start>,
): Promise<number> {
  const total = sql<number>`cast(coalesce(sum(number), 0) as bigint)`
  const [summed] = await counters.select(total.as('total')).execute()
  return (summed as unknown as { readonly total: number }).total
}
