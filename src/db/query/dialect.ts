import { type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { sqliteAdapter } from '#db/sqlite/dialect.ts'

/** Tells which database a Kysely instance or transaction speaks to. */
export function dialectOf<T>(db: Kysely<T>): 'sqlite' | 'postgres' {
  return db.getExecutor().adapter === sqliteAdapter ? 'sqlite' : 'postgres'
}

/**
 * Tells whether the column, `table.column`, is one of the ids. The list is one parameter, so that
 * the statement stays the same whatever its length, and it may be a placeholder of `prepared`.
 */
export const idIn = <T>(db: Kysely<T>, column: string, ids: readonly number[]) =>
  isAmong(db, column, ids, 'bigint')

/** The same for a column of texts. */
export const textIn = <T>(db: Kysely<T>, column: string, texts: readonly string[]) =>
  isAmong(db, column, texts, 'text')

function isAmong<T>(
  db: Kysely<T>,
  column: string,
  values: readonly unknown[],
  type: 'bigint' | 'text',
): Expression<SqlBool> {
  const reference = sql.ref(column)
  return dialectOf(db) === 'sqlite'
    ? sql<SqlBool>`${reference} in (select value from json_each(${values}))`
    : sql<SqlBool>`${reference} = any(array(
        select value::${sql.raw(type)} from json_array_elements_text(${values}::text::json) as listed(value)))`
}

/**
 * A column by its name that, where `isBypassed`, SQLite compares without looking for it in an index of its own: it has a
 * plus before it.
 */
export const bypassing = <T>(column: string, isBypassed: boolean): RawBuilder<T> =>
  isBypassed ? sql<T>`+${sql.ref(column)}` : sql.ref<T>(column)

/** A number in a place that does not tell PostgreSQL that it is one. */
export const numberOf = (value: number | null): RawBuilder<number> =>
  sql<number>`cast(${value} as bigint)`

/** The id that the next row of a table is to have, taken once where a statement asks for it. */
export function nextId<T>(db: Kysely<T>, table: 'orders' | 'payments'): RawBuilder<number> {
  return dialectOf(db) === 'sqlite'
    ? sql<number>`(select coalesce(max(seq), 0) + 1 from sqlite_sequence where name = ${sql.lit(table)})`
    : sql<number>`(select nextval(${sql.lit(`${table}_id_seq`)}))`
}

/** The type of a field of `rowsFromJson`; both may be null. */
export type JsonFieldType = 'integer' | 'text'

const postgresType = { integer: 'bigint', text: 'text' } as const satisfies Record<
  JsonFieldType,
  string
>

/**
 * Gives a list of objects as a table, to be aliased with `.as(name)` and selected from. The list
 * is one parameter and may be a placeholder of `prepared`; absent fields are null.
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
  return sql<Row>`(select * from json_to_recordset(${rows}::text::json) as given(${sql.join(columns)}))`
}
