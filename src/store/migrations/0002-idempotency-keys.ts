import type { Kysely } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import {
  createIndex,
  createTable,
  integer,
  optionalInteger,
  optionalText,
  text,
} from './table-builder.ts'

/** Creates the table of the responses stored by `Idempotency-Key`. */
export async function createIdempotencyKeys(db: Kysely<Tables>): Promise<void> {
  await createTable(db, 'idempotency_keys', {
    name: text((column) => column.primaryKey()),
    fingerprint: text(),
    answer: optionalText(),
    subject: optionalInteger(),
    leased_until: integer(),
    expires_at: integer(),
  })
  await createIndex(db, 'idempotency_keys', ['expires_at'])
}
