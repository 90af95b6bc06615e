import type { Kysely } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import { addColumn, optionalInteger, optionalText } from './table-builder.ts'

/** Adds to API keys a rate limit of their own. */
export async function addKeyRateLimits(db: Kysely<Tables>): Promise<void> {
  await addColumn(db, 'api_keys', 'rate_limit', optionalText())
  await addColumn(db, 'api_keys', 'rate_limit_key_id', optionalInteger())
}
