import type { Kysely } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import { addColumn, integer } from './table-builder.ts'

/** Adds to operations how often they were claimed without getting any further. */
export async function addImportAttempts(db: Kysely<Tables>): Promise<void> {
  await addColumn(
    db,
    'operations',
    'attempts',
    integer((column) => column.defaultTo(0)),
  )
}
