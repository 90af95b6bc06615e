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

/** Creates the tables of OAuth: clients, issued tokens and signing keys. */
export async function createOauth(db: Kysely<Tables>): Promise<void> {
  await createTable(db, 'oauth_clients', {
    id,
    client_id: text(),
    secret_hash: optionalText(),
    client_name: text(),
    application_type: text(),
    redirect_uris: text(),
    grant_types: text(),
    response_types: text(),
    token_endpoint_auth_method: text(),
    scope: text(),
    client_uri: optionalText(),
    policy_uri: optionalText(),
    tos_uri: optionalText(),
    contacts: text(),
    user_id: optionalInteger((column) => column.references('users.id')),
    revision: integer((column) => column.defaultTo(1)),
    created_at: integer(),
    updated_at: integer(),
    deleted_at: optionalInteger(),
  })
  await createIndex(db, 'oauth_clients', ['client_id'], { unique: true })
  await createIndex(db, 'oauth_clients', ['user_id'])
  await createTable(
    db,
    'oauth_artefacts',
    {
      kind: text(),
      id_hash: text(),
      payload: text(),
      grant_hash: optionalText(),
      uid_hash: optionalText(),
      client_id: optionalText(),
      user_id: optionalInteger(),
      consumed_at: optionalInteger(),
      expires_at: integer(),
    },
    (table) => table.addPrimaryKeyConstraint('oauth_artefacts_key', ['kind', 'id_hash']),
  )
  await createIndex(db, 'oauth_artefacts', ['grant_hash'])
  await createIndex(db, 'oauth_artefacts', ['uid_hash'])
  await createIndex(db, 'oauth_artefacts', ['client_id'])
  await createIndex(db, 'oauth_artefacts', ['user_id'])
  await createIndex(db, 'oauth_artefacts', ['expires_at'])
  await createTable(db, 'oauth_keys', {
    number: integer((column) => column.primaryKey()),
    kid: text(),
    sealed: text(),
    signs_from: integer(),
    created_at: integer(),
  })
}
