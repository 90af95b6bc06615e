import { Type } from 'typebox'
import { nullable } from '#schema/words.ts'
import {
  type ColumnsOf,
  columnDefault,
  integer,
  type Row,
  removable,
  sortColumn,
  text,
  textOf,
} from '#store/columns.ts'
import { table } from '#store/table.ts'
import type { GrantType, ResponseType } from './schema.ts'

const listOf = <T extends string>() => Type.Unsafe<readonly T[]>({ type: 'array' })

/**
 * An application that may request tokens. `user_id` is the user it acts as in the client credentials
 * grant; secrets are stored as hashes.
 */
export const oauthClients = table('oauth_clients', {
  columns: {
    ...removable,
    client_id: text,
    secret_hash: nullable(text),
    previous_secret_hash: nullable(text),
    previous_secret_expires_at: nullable(integer),
    client_name: text,
    client_name_sort: sortColumn('client_name'),
    application_type: textOf<'web' | 'native'>(),
    redirect_uris: listOf<string>(),
    post_logout_redirect_uris: columnDefault(listOf<string>(), '[]'),
    grant_types: listOf<GrantType>(),
    response_types: listOf<ResponseType>(),
    token_endpoint_auth_method: textOf<'client_secret_basic' | 'client_secret_post' | 'none'>(),
    scope: text,
    client_uri: nullable(text),
    policy_uri: nullable(text),
    tos_uri: nullable(text),
    contacts: listOf<string>(),
    user_id: nullable(integer),
  },
  references: { user_id: 'users' },
  unique: ['client_id'],
  indexes: ['user_id'],
  owner: { column: 'user_id', whenErased: 'own' },
  encrypted: [],
  kept: 'forever',
})

declare module '#store/tables.ts' {
  interface Tables {
    oauth_clients: ColumnsOf<(typeof oauthClients)['schemas']>
  }
}

/** A row of `oauth_clients`. */
export type OauthClientRow = Row<(typeof oauthClients)['schemas']>
