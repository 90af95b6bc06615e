import { type Kysely, sql } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import {
  createIndex,
  createTable,
  id,
  integer,
  optionalInteger,
  optionalText,
  text,
} from './table-builder.ts'

const one = integer((column) => column.defaultTo(1))
const zero = integer((column) => column.defaultTo(0))

/** Creates the tables of imports: the operations, their files in parts, and the errors of their rows. */
export async function createOperations(db: Kysely<Tables>): Promise<void> {
  await createTable(db, 'operations', {
    id,
    kind: text(),
    resource: text(),
    dry_run: integer(),
    media_type: text(),
    status: text(),
    done: zero,
    failed: zero,
    total: optionalInteger(),
    created: zero,
    updated: zero,
    unchanged: zero,
    columns: optionalText(),
    next_byte: zero,
    next_line: one,
    failure: optionalText(),
    user_id: optionalInteger(),
    is_full_sign_in: integer(),
    lease: zero,
    leased_until: zero,
    revision: one,
    created_at: integer(),
    updated_at: integer(),
    finished_at: optionalInteger(),
  })
  await createIndex(db, 'operations', ['leased_until', 'id'], {
    where: sql`status in ('queued', 'running')`,
  })
  await createIndex(db, 'operations', ['created_at', 'id'])
  await createIndex(db, 'operations', ['updated_at', 'id'])
  await createIndex(db, 'operations', ['user_id', 'id'])
  await createTable(
    db,
    'operation_parts',
    { operation_id: integer(), first_byte: integer(), data: text() },
    (table) => table.addPrimaryKeyConstraint('operation_parts_key', ['operation_id', 'first_byte']),
  )
  await createTable(db, 'operation_errors', {
    id,
    operation_id: integer(),
    line: integer(),
    field: optionalText(),
    error_code: text(),
    message: text(),
    created_at: integer(),
  })
  await createIndex(db, 'operation_errors', ['operation_id', 'id'])
  await createIndex(db, 'operation_errors', ['operation_id', 'line', 'id'])
}
