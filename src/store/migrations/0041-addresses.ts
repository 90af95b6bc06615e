import { type Kysely, sql } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import { createIndex, createTable, id, integer, optionalText, text } from './table-builder.ts'

/** Creates the addresses of users; each user with any has one default. */
export async function createAddresses(db: Kysely<Tables>): Promise<void> {
  await createTable(db, 'addresses', {
    id,
    user_id: integer(),
    recipient: text(),
    line1: text(),
    line2: optionalText(),
    city: text(),
    region: optionalText(),
    postal_code: text(),
    country: text(),
    phone: optionalText(),
    is_default: integer(),
    revision: integer((column) => column.defaultTo(1)),
    created_at: integer(),
    updated_at: integer(),
  })
  await createIndex(db, 'addresses', ['user_id', 'id'])
  await createIndex(db, 'addresses', ['user_id'], { unique: true, where: sql`is_default = 1` })
}
