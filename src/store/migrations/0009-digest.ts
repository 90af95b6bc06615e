import type { Kysely } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import { createIndex, createTable, integer, text } from './table-builder.ts'

/** Adds the Digest secrets of users and the table of nonces. */
export async function createDigest(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable('users').addColumn('digest_secret', 'text').execute()
  await createTable(db, 'digest_nonces', {
    nonce: text((column) => column.primaryKey()),
    count: integer(),
    expires_at: integer(),
  })
  await createIndex(db, 'digest_nonces', ['expires_at'])
}
