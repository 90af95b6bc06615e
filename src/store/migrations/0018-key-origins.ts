import type { Kysely } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import { addColumn, createIndex, optionalInteger, optionalText } from './table-builder.ts'

/** Adds to API keys the credential that created them, with which they end. */
export async function addKeyOrigins(db: Kysely<Tables>): Promise<void> {
  await addColumn(db, 'api_keys', 'parent_id', optionalInteger())
  await addColumn(db, 'api_keys', 'parent_client_id', optionalText())
  await addColumn(db, 'api_keys', 'parent_grant_hash', optionalText())
  await createIndex(db, 'api_keys', ['parent_id'])
}
