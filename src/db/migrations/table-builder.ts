import {
  type ColumnDefinitionBuilder,
  type CreateTableBuilder,
  type Kysely,
  type RawBuilder,
  sql,
} from 'kysely'
import { dialectOf } from '#db/query/dialect.ts'
import type { Tables } from '#db/tables/tables.ts'

type Define = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder
type Kind = 'id' | 'integer' | 'real' | 'text'

/** A column as the migrations write it: its kind and what else holds of it. */
export interface Column {
  readonly kind: Kind
  readonly define: Define
}

const asIs: Define = (column) => column

/** An id that the database gives and never gives again. */
export const id: Column = { kind: 'id', define: asIs }

/** A required column of whole numbers: counts, money in minor units, milliseconds, 0 and 1. */
export function integer(define: Define = asIs): Column {
  return { kind: 'integer', define: (column) => define(column.notNull()) }
}

/** A column of whole numbers that may be null. */
export function optionalInteger(define: Define = asIs): Column {
  return { kind: 'integer', define }
}

/** A column of floating-point numbers, of double precision, that may be null. */
export const optionalReal: Column = { kind: 'real', define: asIs }

/** A required column of text. */
export function text(define: Define = asIs): Column {
  return { kind: 'text', define: (column) => define(column.notNull()) }
}

/** A column of text that may be null. */
export function optionalText(define: Define = asIs): Column {
  return { kind: 'text', define }
}

function isOnSqlite(db: Kysely<Tables>): boolean {
  return dialectOf(db) === 'sqlite'
}

function typeOf(db: Kysely<Tables>, kind: Kind): RawBuilder<unknown> {
  const onSqlite = isOnSqlite(db)
  if (kind === 'real') return onSqlite ? sql`real` : sql`double precision`
  if (onSqlite) return kind === 'text' ? sql`text` : sql`integer`
  // "C" compares text by its bytes, as SQLite does: both databases sort alike.
  return kind === 'text' ? sql`text collate "C"` : sql`bigint`
}

function identity(db: Kysely<Tables>): Define {
  return isOnSqlite(db)
    ? (column) => column.primaryKey().autoIncrement()
    : (column) => column.generatedByDefaultAsIdentity().primaryKey()
}

// What a later migration adds to a table that is there.
type LaterColumn =
  | 'digest_secret'
  | 'caller_id'
  | 'owner_id'
  | 'granted_scope'
  | 'parent_id'
  | 'parent_client_id'
  | 'parent_grant_hash'
  | 'session_kind'
  | 'post_logout_redirect_uris'
  | 'previous_secret_hash'
  | 'previous_secret_expires_at'

/** Creates a table whose columns refuse, on both databases, values of another type. */
export async function createTable<Table extends keyof Tables>(
  db: Kysely<Tables>,
  table: Table,
  columns: Readonly<Record<Exclude<keyof Tables[Table], LaterColumn>, Column>>,
  finish: (builder: CreateTableBuilder<string, string>) => CreateTableBuilder<string, string> = (
    builder,
  ) => builder,
): Promise<void> {
  let builder: CreateTableBuilder<string, string> = db.schema.createTable(table)
  for (const [name, { kind, define }] of Object.entries<Column>(columns)) {
    builder = builder.addColumn(name, typeOf(db, kind), kind === 'id' ? identity(db) : define)
  }
  builder = finish(builder)
  if (isOnSqlite(db)) builder = builder.modifyEnd(sql`strict`)
  await builder.execute()
}

/** Adds a column to a table that is there; it refuses values of another type as the others do. */
export async function addColumn<Table extends keyof Tables>(
  db: Kysely<Tables>,
  table: Table,
  name: Extract<keyof Tables[Table], string>,
  { kind, define }: Column,
): Promise<void> {
  await db.schema.alterTable(table).addColumn(name, typeOf(db, kind), define).execute()
}

interface IndexOptions {
  readonly unique?: boolean
  readonly only?: RawBuilder<unknown>
  readonly nullsFirst?: string
}

const nameOf = (table: string, columns: readonly string[], called: string) =>
  sql.id(`${table}_${columns.join('_')}_${called}`)

/** Removes the index that `createIndex` has named after these columns. */
export async function dropIndex<Table extends keyof Tables>(
  db: Kysely<Tables>,
  table: Table,
  columns: readonly Extract<keyof Tables[Table], string>[],
  { unique = false }: Pick<IndexOptions, 'unique'> = {},
): Promise<void> {
  await sql`drop index ${nameOf(table, columns, unique ? 'unique' : 'index')}`.execute(db)
}

/**
 * Creates an index named after its table and columns, for some rows where `only` says which. It
 * fits a list sorted by the column `nullsFirst` names, where null counts as the smallest.
 */
export async function createIndex<Table extends keyof Tables>(
  db: Kysely<Tables>,
  table: Table,
  columns: readonly Extract<keyof Tables[Table], string>[],
  { unique = false, only, nullsFirst }: IndexOptions = {},
): Promise<void> {
  const kind = unique ? sql`unique index` : sql`index`
  const name = nameOf(table, columns, unique ? 'unique' : 'index')
  // SQLite always counts null as the smallest, and does not take the words.
  const nulls = isOnSqlite(db) ? sql`` : sql` nulls first`
  const list = sql.join(
    columns.map((column) => sql`${sql.id(column)}${column === nullsFirst ? nulls : sql``}`),
  )
  const where = only === undefined ? sql`` : sql` where ${only}`
  await sql`create ${kind} ${name} on ${sql.id(table)} (${list})${where}`.execute(db)
}
