import {
  type ExtractTypeFromReferenceExpression,
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

/** Null counts as smaller than anything else, in both directions and on both databases. */
function isBeyond({ column, id, nullable, order }: Ordering, cursor: PageCursor) {
  const [value, key] = [sql.ref(column), sql.ref(id)]
  const after = order === 'asc' ? sql`>` : sql`<`
  if (column === id) return sql<SqlBool>`${key} ${after} ${cursor.id}`
  if (cursor.value !== null) {
    const rest = sql`(${value}, ${key}) ${after} (${cursor.value}, ${cursor.id})`
    return nullable && order === 'desc'
      ? sql<SqlBool>`(${rest} or ${value} is null)`
      : sql<SqlBool>`${rest}`
  }
  const rest = sql`(${value} is null and ${key} ${after} ${cursor.id})`
  return order === 'asc' ? sql<SqlBool>`(${rest} or ${value} is not null)` : sql<SqlBool>`${rest}`
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

/**
 * Reads one page of a list in two queries, whatever its size: the rows in a total order (the sort
 * column, then the id, in the same direction, nulls as the smallest) and the exact count. `query`
 * holds the tables and conditions and must not group; `select` says what is read of each row.
 * Throws a TypeError for a sort that is not among the columns.
 */
export async function paginate<DB, TB extends keyof DB, Start, Row>(
  query: SelectQueryBuilder<DB, TB, Start>,
  columns: SortColumns<DB, TB>,
  request: PageRequest,
  select: (query: SelectQueryBuilder<DB, TB, Start>) => SelectQueryBuilder<DB, TB, Row>,
): Promise<PageResult<Row>> {
  const { cursor, page, limit } = request
  const ordering = orderingOf(columns, request)
  const begun =
    cursor === undefined
      ? query.offset((page - 1) * limit)
      : query.where(() => isBeyond(ordering, cursor))
  const listing = ordered(select(begun), ordering)
    .select([
      sql<Place['page_value']>`${sql.ref(ordering.column)}`.as('page_value'),
      sql<number>`${sql.ref(ordering.id)}`.as('page_id'),
    ])
    .limit(limit + 1)
  const counting = query.select(sql<number>`count(*)`.as('total'))
  const [found, [counted]] = await Promise.all([listing.execute(), counting.execute()])
  const places = found as (Row & Place)[]
  const last = places.length > limit ? places[limit - 1] : undefined
  return {
    rows: places.slice(0, limit).map(({ page_value, page_id, ...row }) => row as unknown as Row),
    totalItems: (counted as unknown as { readonly total: number }).total,
    next: last && { value: last.page_value, id: last.page_id },
  }
}
