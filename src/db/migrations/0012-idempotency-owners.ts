import type { Kysely } from 'kysely'
import type { Tables } from '#db/tables/tables.ts'
import { addColumn, createIndex, optionalInteger } from './table-builder.ts'

/** Lets kept answers say whom they are about, so that they go when that user does. */
export async function nameWhoseAnswers(db: Kysely<Tables>): Promise<void> {
  for (const column of ['caller_id', 'owner_id'] as const) {
    await addColumn(db, 'idempotency_keys', column, optionalInteger())
    await createIndex(db, 'idempotency_keys', [column])
  }
}
