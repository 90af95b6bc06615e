import { type Kysely, sql } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import { addColumn, createIndex, optionalInteger } from './table-builder.ts'

/** Adds until when a guest without an order is kept, and when purchases of a guest were merged. */
export async function addGuests(db: Kysely<Tables>): Promise<void> {
  await addColumn(db, 'users', 'guest_until', optionalInteger())
  await createIndex(db, 'users', ['guest_until'], { where: sql`guest_until is not null` })
  await addColumn(db, 'purchases', 'merged_at', optionalInteger())
}
