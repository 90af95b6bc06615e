import type { Kysely } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import { addColumn, optionalInteger } from './table-builder.ts'

/** Adds the time at which the personal data of an event was erased. */
export async function addEventErasures(db: Kysely<Tables>): Promise<void> {
  await addColumn(db, 'events', 'data_erased_at', optionalInteger())
}
