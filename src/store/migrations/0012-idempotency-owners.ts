import type { Kysely } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import { addColumn, createIndex, optionalInteger } from './table-builder.ts'

/** Adds to idempotency keys the users they concern, whose erasure deletes them. */
export async function addIdempotencyOwners(db: Kysely<Tables>): Promise<void> {
  for (const column of ['caller_id', 'owner_id'] as const) {
    await addColumn(db, 'idempotency_keys', column, optionalInteger())
    await createIndex(db, 'idempotency_keys', [column])
  }
}
