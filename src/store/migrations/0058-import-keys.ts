import type { Kysely } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import { addColumn, optionalInteger } from './table-builder.ts'

/** Adds to operations the API key that began them. */
export async function addImportKeys(db: Kysely<Tables>): Promise<void> {
  await addColumn(db, 'operations', 'api_key_id', optionalInteger())
}
