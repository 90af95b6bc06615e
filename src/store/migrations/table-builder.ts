import {
  type ColumnDefinitionBuilder,
  type CreateTableBuilder,
  type Kysely,
  type RawBuilder,
  sql,
} from 'kysely'
import { dialectOf } from '#store/query/dialect.ts'
import type { Tables } from '#store/tables/tables.ts'

type Define = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder
type Kind = 'id' | 'integer' | 'real' | 'text'

/** A column of a migration: its type and its constraints. */
export interface Column {
  readonly kind: Kind
  readonly define: Define
}

const noConstraint: Define = (column) => column

/** A primary key that the database generates and never reuses. */
export const id: Column = { kind: 'id', define: noConstraint }

/** A required 64-bit integer: a count, money in minor units, milliseconds, a boolean as 0 or 1. */
export function integer(define: Define = noConstraint): Column {
  return { kind: 'integer', define: (column) => define(column.notNull()) }
}

/** A nullable 64-bit integer. */
export function optionalInteger(define: Define = noConstraint): Column {
  return { kind: 'integer', define }
}

/** A nullable double-precision number. */
export const optionalReal: Column = { kind: 'real', define: noConstraint }

/** A required text. */
export function text(define: Define = noConstraint): Column {
  return { kind: 'text', define: (column) => define(column.notNull()) }
}

/** A nullable text. */
export function optionalText(define: Define = noConstraint): Column {
  return { kind: 'text', define }
}

function isOnSqlite(db: Kysely<Tables>): boolean {
  return dialectOf(db) === 'sqlite'
}

function typeOf(db: Kysely<Tables>, kind: Kind): RawBuilder<unknown> {
  const onSqlite = isOnSqlite(db)
  if (kind === 'real') return onSqlite ? sql`real` : sql`double precision`
  if (onSqlite) return kind === 'text' ? sql`text` : sql`integer`
  // Both databases sort text by its bytes.
  return kind === 'text' ? sql`text collate "C"` : sql`bigint`
}

function identity(db: Kysely<Tables>): Define {
  return isOnSqlite(db)
    ? (column) => column.primaryKey().autoIncrement()
    : (column) => column.generatedByDefaultAsIdentity().primaryKey()
}

// Columns that a later migration adds with `addColumn`.
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
  | 'data_erased_at'
  | 'next_action'
  | 'refunding_minor'
  | 'returned_at'
  | 'cancel_requested_at'
  | 'guest_until'
  | 'merged_at'
  | 'activation'

// Columns that a later migration drops.
type DroppedColumn = 'sequence' | 'refund_requested_at'

// The same of columns whose names other tables have from the beginning.
interface LaterColumns {
  readonly users: 'language' | 'email_verified' | 'confirmation_mailed_at'
  readonly mails: 'recipient'
  readonly carts: 'discount_code' | 'idle_since'
  readonly products:
    | 'variant_of'
    | 'options'
    | 'options_key'
    | 'option_names'
    | 'variant_count'
    | 'price_from_minor'
    | 'is_variant'
    | 'list_price_minor'
    | 'images'
  readonly orders:
    | 'discount_id'
    | 'discount_code'
    | 'discount_total_minor'
    | 'shipping_tax_rate'
    | 'shipping_tax_minor'
    | 'prices_include_tax'
    | 'contact_name'
    | 'contact_email'
    | 'refunded_minor'
  readonly payments: 'refunded_minor'
  readonly reviews: 'status' | 'deleted_at'
  readonly api_keys: 'rate_limit' | 'rate_limit_key_id'
  readonly operations: 'attempts' | 'api_key_id'
  readonly order_items: 'options' | 'sku' | 'category' | 'discount_minor' | 'tax_rate' | 'tax_minor'
}
type LaterColumnOf<Table> = Table extends keyof LaterColumns ? LaterColumns[Table] : never

/** Creates a table that rejects values of the wrong type, on SQLite too. */
export async function createTable<Table extends keyof Tables>(
  db: Kysely<Tables>,
  table: Table,
  columns: Readonly<
    Record<Exclude<keyof Tables[Table], LaterColumn | LaterColumnOf<Table>>, Column>
  > &
    Readonly<Partial<Record<DroppedColumn, Column>>>,
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

/** Adds a column to an existing table. */
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
  /** The condition of a partial index. */
  readonly where?: RawBuilder<unknown>
  /** A column of which null sorts first, as on SQLite. */
  readonly nullsFirst?: string
}

const indexName = (table: string, columns: readonly string[], suffix: 'index' | 'unique') =>
  sql.id(`${table}_${columns.join('_')}_${suffix}`)

/** Removes the index that `createIndex` created for these columns. */
export async function dropIndex<Table extends keyof Tables>(
  db: Kysely<Tables>,
  table: Table,
  columns: readonly Extract<keyof Tables[Table], string>[],
  { unique = false }: Pick<IndexOptions, 'unique'> = {},
): Promise<void> {
  await sql`drop index ${indexName(table, columns, unique ? 'unique' : 'index')}`.execute(db)
}

/** Creates an index named after its table and columns. */
export async function createIndex<Table extends keyof Tables>(
  db: Kysely<Tables>,
  table: Table,
  columns: readonly Extract<keyof Tables[Table], string>[],
  { unique = false, where, nullsFirst }: IndexOptions = {},
): Promise<void> {
  const kind = unique ? sql`unique index` : sql`index`
  const name = indexName(table, columns, unique ? 'unique' : 'index')
  // On SQLite null always sorts first, and an index must not say so.
  const nulls = isOnSqlite(db) ? sql`` : sql` nulls first`
  const list = sql.join(
    columns.map((column) => sql`${sql.id(column)}${column === nullsFirst ? nulls : sql``}`),
  )
  const condition = where === undefined ? sql`` : sql` where ${where}`
  await sql`create ${kind} ${name} on ${sql.id(table)} (${list})${condition}`.execute(db)
}
