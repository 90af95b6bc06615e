import { type Kysely, sql } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import {
  createIndex,
  createTable,
  integer,
  optionalInteger,
  optionalText,
} from './table-builder.ts'

/** Creates the table of scheduled and completed erasures. */
export async function createErasures(db: Kysely<Tables>): Promise<void> {
  await createTable(db, 'erasures', {
    user_id: integer((column) => column.primaryKey()),
    reason: optionalText(),
    erase_at: integer(),
    erased_at: optionalInteger(),
    settled_at: optionalInteger(),
    created_at: integer(),
  })
  await createIndex(db, 'erasures', ['erase_at'], { where: sql`erased_at is null` })
  await createIndex(db, 'erasures', ['erased_at'], { where: sql`settled_at is null` })
}
