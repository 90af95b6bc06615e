import type { Kysely } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import {
  createIndex,
  createTable,
  id,
  integer,
  optionalInteger,
  optionalText,
  text,
} from './table-builder.ts'

/** Creates the tables of API keys and of their secrets. */
export async function createApiKeys(db: Kysely<Tables>): Promise<void> {
  await createTable(db, 'api_keys', {
    id,
    user_id: integer(),
    name: text(),
    prefix: text(),
    scopes: text(),
    allowed_addresses: optionalText(),
    allowed_origins: optionalText(),
    expires_at: optionalInteger(),
    last_used_at: optionalInteger(),
    revoked_at: optionalInteger(),
    revision: integer((column) => column.defaultTo(1)),
    created_at: integer(),
    updated_at: integer(),
  })
  await createIndex(db, 'api_keys', ['user_id', 'id'])
  await createTable(db, 'api_key_secrets', {
    key_hash: text((column) => column.primaryKey()),
    key_id: integer((column) => column.references('api_keys.id')),
    expires_at: optionalInteger(),
    created_at: integer(),
  })
  await createIndex(db, 'api_key_secrets', ['key_id'])
}
