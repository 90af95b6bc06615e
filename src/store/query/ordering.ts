import {
  type ExtractTypeFromReferenceExpression,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  type StringReference,
  sql,
} from 'kysely'
import type { Db } from '#store/database.ts'
import { dialectOf } from './dialect.ts'

/** The position after which a page begins: the sort value and the id of the row before it. */
export interface PageCursor {
  readonly value: string | number | null
  readonly id: number
}

/** References to columns whose bytes are in the order of a list: of a free text, only its sort key. */
type SortReference<DB, TB extends keyof DB> = {
  [R in StringReference<DB, TB>]: string extends ExtractTypeFromReferenceExpression<DB, TB, R>
    ? never
    : R
}[StringReference<DB, TB>]

type RequiredReference<DB, TB extends keyof DB> = {
  [R in SortReference<DB, TB>]: null extends ExtractTypeFromReferenceExpression<DB, TB, R>
    ? never
    : R
}[SortReference<DB, TB>]

/** A column to sort by, with `nullable` where it may be null. */
export type SortColumn<DB, TB extends keyof DB> =
  | RequiredReference<DB, TB>
  | { readonly nullable: SortReference<DB, TB> }

/**
 * The columns of a list's sorts by public name. `id` must be unique and breaks ties; every list can be
 * limited and sorted by its times.
 */
export type SortColumns<DB, TB extends keyof DB> = {
  readonly id: RequiredReference<DB, TB>
  readonly created_at: RequiredReference<DB, TB>
  readonly updated_at: RequiredReference<DB, TB>
} & Readonly<Record<string, SortColumn<DB, TB>>>

/** What the rows of a list are sorted by, and in which direction. */
interface Sort {
  readonly sort: string
  readonly order: 'asc' | 'desc'
}

export interface Ordering {
  /** The sort column and the column that breaks ties; the same for a sort by ID. */
  readonly value: RawBuilder<CursorColumns['page_value']>
  readonly key: RawBuilder<number>
  readonly isById: boolean
  readonly nullable: boolean
  readonly order: Sort['order']
}

/** The columns that `paginate` adds to read the next cursor from. */
export interface CursorColumns {
  page_value: string | number | null
  page_id: number
}

export function orderingOf<DB, TB extends keyof DB>(
  columns: SortColumns<DB, TB>,
  { sort, order }: Sort,
  isFew: boolean,
): Ordering {
  const chosen: SortColumn<DB, TB> | undefined = Object.hasOwn(columns, sort)
    ? columns[sort]
    : undefined
  if (chosen === undefined) throw new TypeError(`The list has no sort "${sort}"`)
  const nullable = typeof chosen === 'object'
  const column = nullable ? chosen.nullable : chosen
  return {
    value: referenceTo(column, isFew),
    key: referenceTo(columns.id, isFew),
    isById: String(column) === columns.id,
    nullable,
    order,
  }
}

/** A reference to a column; with `isFew` as a subquery, which keeps the database from using an index. */
const referenceTo = <T>(column: string, isFew: boolean): RawBuilder<T> =>
  isFew ? sql<T>`(select ${sql.ref(column)})` : sql.ref<T>(column)

/**
 * The conditions of the rows after the cursor, in the order of the list. Each is one range of an
 * index; a row value comparison would not be on SQLite, and neither would one with nulls, which sort
 * before any value. Of an equal value in the order of IDs, PostgreSQL may read all rows by the primary
 * key; there, a comparison of both is a range of no other index.
 */
export function conditionsAfter(
  db: Db,
  { value, key, isById, nullable, order }: Ordering,
  cursor: PageCursor,
): RawBuilder<SqlBool>[] {
  const after = order === 'asc' ? sql`>` : sql`<`
  if (isById) return [sql`${key} ${after} ${cursor.id}`]
  if (cursor.value === null) {
    const ties = sql<SqlBool>`(${value} is null and ${key} ${after} ${cursor.id})`
    return order === 'asc' ? [ties, sql`${value} is not null`] : [ties]
  }
  const upTo = order === 'asc' ? sql`<=` : sql`>=`
  const ties =
    dialectOf(db) === 'sqlite'
      ? sql<SqlBool>`(${value} = ${cursor.value} and ${key} ${after} ${cursor.id})`
      : sql<SqlBool>`((${value}, ${key}) ${after} (${cursor.value}, ${cursor.id})
          and ${value} ${upTo} ${cursor.value})`
  const conditions = [ties, sql<SqlBool>`${value} ${after} ${cursor.value}`]
  return nullable && order === 'desc' ? [...conditions, sql`${value} is null`] : conditions
}

export function orderRows<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { value, key, isById, nullable, order }: Ordering,
): SelectQueryBuilder<DB, TB, Row> {
  const byId = (rows: typeof query) => rows.orderBy(key, order)
  if (isById) return byId(query)
  if (!nullable) return byId(query.orderBy(value, order))
  return byId(
    query.orderBy(value, (by) => (order === 'asc' ? by.asc().nullsFirst() : by.desc().nullsLast())),
  )
}
