import {
  type Expression,
  type Kysely,
  type RawBuilder,
  type SqlBool,
  SqliteAdapter,
  sql,
} from 'kysely'

/** The adapter of every SQLite database, by which queries are prepared. */
export const sqliteAdapter = new SqliteAdapter()

/** The database that a Kysely instance or transaction runs on. */
export function dialectOf<T>(db: Kysely<T>): 'sqlite' | 'postgres' {
  return db.getExecutor().adapter === sqliteAdapter ? 'sqlite' : 'postgres'
}

/**
 * True where the column, `table.column`, is one of the ids. The list is one parameter, so the text
 * of the statement does not depend on its length; it may be a placeholder of `prepareQuery`.
 */
export const idIn = <T>(db: Kysely<T>, column: string, ids: readonly number[]) =>
  isIn(db, sql.ref(column), ids, 'bigint')

/** True where the column, `table.column`, is one of the texts; the list is one parameter. */
export const textIn = <T>(db: Kysely<T>, column: string, texts: readonly string[]) =>
  isIn(db, sql.ref(column), texts, 'text')

/**
 * True where a column has one of the texts. `isBypassed` as in `withoutIndex`, for SQLite only: no
 * index has the rows of several texts in the order of a list.
 */
export const isOneOf = <T>(
  db: Kysely<T>,
  column: string,
  texts: readonly string[],
  isBypassed = false,
): Expression<SqlBool> => {
  const reference = withoutIndex(column, isBypassed)
  return texts.length === 1
    ? sql<SqlBool>`${reference} = ${texts[0]}`
    : isIn(db, reference, texts, 'text')
}

/** True for a filter by more than one value. */
export const hasSeveral = (values: readonly unknown[] = []): boolean => values.length > 1

function isIn<T>(
  db: Kysely<T>,
  reference: RawBuilder<unknown>,
  values: readonly unknown[],
  type: 'bigint' | 'text',
): Expression<SqlBool> {
  return dialectOf(db) === 'sqlite'
    ? sql<SqlBool>`${reference} in (select value from json_each(${values}))`
    : sql<SqlBool>`${reference} = any(array(
        select value::${sql.raw(type)} from json_array_elements_text(${values}::text::json) as listed(value)))`
}

/**
 * A condition that a column is one of the IDs that a query finds. PostgreSQL finds these first and then
 * looks them up by index; as a join it might read the whole table.
 */
export const idInQuery = <T>(
  db: Kysely<T>,
  column: string,
  ids: Expression<unknown>,
): Expression<SqlBool> =>
  dialectOf(db) === 'sqlite'
    ? sql<SqlBool>`${sql.ref(column)} in ${ids}`
    : sql<SqlBool>`${sql.ref(column)} = any(array${ids})`

/**
 * A reference to a column; where `isBypassed`, with a unary plus that keeps the planner from an index
 * on it. PostgreSQL allows it for numbers only.
 */
export const withoutIndex = <T>(column: string, isBypassed = true): RawBuilder<T> =>
  isBypassed ? sql<T>`+${sql.ref(column)}` : sql.ref<T>(column)

/**
 * True where an instant is null, without an index. With `is null`, PostgreSQL expects few rows while it
 * has no statistics, and would first read a whole table to find them.
 */
export const isUnset = (column: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(column)} > 0) is not true`

/**
 * True where a row was not removed. Of a search, whose few rows are found by their IDs, without the indexes of the rows
 * that were not: one of another column would be read as a whole for each ID.
 */
export const isKept = (deletedAt: string, isSearch: boolean): RawBuilder<SqlBool> =>
  isSearch ? isUnset(deletedAt) : sql<SqlBool>`${sql.ref(deletedAt)} is null`

/** The clause that locks the rows of a table; SQLite needs none, because it has a single writer. */
export const lockRows = <T>(db: Kysely<T>, table: string): RawBuilder<unknown> =>
  dialectOf(db) === 'sqlite' ? sql`` : sql`for no key update of ${sql.table(table)}`

/** A number cast to bigint, for a place from which PostgreSQL cannot infer its type. */
export const asBigint = (value: number | null): RawBuilder<number> =>
  sql<number>`cast(${value} as bigint)`

/** The id of the next row of a table; each use takes one from the sequence on PostgreSQL. */
export function nextId<T>(
  db: Kysely<T>,
  table: 'orders' | 'payments' | 'cart_items',
): RawBuilder<number> {
  return dialectOf(db) === 'sqlite'
    ? sql<number>`(select coalesce(max(seq), 0) + 1 from sqlite_sequence where name = ${sql.lit(table)})`
    : sql<number>`(select nextval(${sql.lit(`${table}_id_seq`)}))`
}

/**
 * As `nextId`, of an ID that is not taken: those for which the condition holds are passed over, and on PostgreSQL
 * used up.
 */
export function nextFreeId<T>(
  db: Kysely<T>,
  table: Parameters<typeof nextId>[1],
  isTaken: (id: RawBuilder<number>) => RawBuilder<unknown>,
): RawBuilder<number> {
  // Not in a subquery, which PostgreSQL would run once for all.
  const next =
    dialectOf(db) === 'sqlite' ? sql`candidate.id + 1` : sql`nextval(${sql.lit(`${table}_id_seq`)})`
  return sql<number>`(with recursive candidate(id) as (
    select ${nextId(db, table)}
    union all select ${next} from candidate where ${isTaken(sql`candidate.id`)})
    select max(id) from candidate)`
}

/** The type of a field of `rowsFromJson`, which may be null. */
export type JsonFieldType = 'integer' | 'real' | 'text'

const postgresType = {
  integer: 'bigint',
  real: 'double precision',
  text: 'text',
} as const satisfies Record<JsonFieldType, string>

/**
 * A list of objects as a table to select from, after `.as(name)`. The list is one parameter and may
 * be a placeholder of `prepareQuery`; absent fields are null.
 */
export function rowsFromJson<Row extends object, T = unknown>(
  db: Kysely<T>,
  rows: readonly Row[],
  fields: Readonly<Record<Extract<keyof Row, string>, JsonFieldType>>,
): RawBuilder<Row> {
  const entries = Object.entries<JsonFieldType>(fields)
  if (dialectOf(db) === 'sqlite') {
    const columns = entries.map(
      ([name]) => sql`json_extract(value, ${sql.lit(`$."${name}"`)}) as ${sql.id(name)}`,
    )
    return sql<Row>`(select ${sql.join(columns)} from json_each(${rows}))`
  }
  const columns = entries.map(([name, type]) => sql`${sql.id(name)} ${sql.raw(postgresType[type])}`)
  return sql<Row>`(select * from json_to_recordset(${rows}::text::json) as listed(${sql.join(columns)}))`
}
