import { Type } from 'typebox'
import { nullable } from '#schema/words.ts'
import type { Scope } from '#shop/scopes.ts'
import {
  type ColumnsOf,
  integer,
  type Row,
  revised,
  sortColumn,
  storedAs,
  text,
} from '#store/columns.ts'
import { table } from '#store/table.ts'

/** The hash of a current or former secret of an API key. */
export const apiKeySecrets = table('api_key_secrets', {
  columns: {
    key_hash: text,
    key_id: integer,
    expires_at: nullable(integer),
    created_at: integer,
  },
  key: ['key_hash'],
  references: { key_id: 'api_keys' },
  indexes: ['key_id'],
  owner: null,
  encrypted: [],
  kept: 'own',
})

/** A list of texts without blanks, which separate them in the column. */
const wordsOf = <T extends string>() =>
  storedAs(Type.Unsafe<readonly T[]>({ type: 'array' }), {
    kind: 'text',
    toColumn: (list) => list.join(' '),
    fromColumn: (text: string) => (text === '' ? [] : text.split(' ')) as T[],
  })

/** API keys. Null addresses or origins mean no restriction. */
export const apiKeys = table('api_keys', {
  columns: {
    ...revised,
    user_id: integer,
    name: text,
    name_sort: sortColumn('name'),
    prefix: text,
    scopes: wordsOf<Scope>(),
    allowed_addresses: nullable(wordsOf<string>()),
    allowed_origins: nullable(wordsOf<string>()),
    expires_at: nullable(integer),
    last_used_at: nullable(integer),
    revoked_at: nullable(integer),
    /** The API key that created this one and whose revocation revokes it. */
    parent_id: nullable(integer),
    /** The OAuth client that created this key, and the hash of its grant; the key ends with either. */
    parent_client_id: nullable(text),
    parent_grant_hash: nullable(text),
    /** Replaces the default rate limit, such as `1000/60s` or `off`; null for the default. */
    rate_limit: nullable(text),
    /** The key that this one was created with, directly or not, and whose rate limit it shares. */
    rate_limit_key_id: nullable(integer),
  },
  indexes: ['user_id, id', 'parent_id'],
  owner: { column: 'user_id', whenErased: 'own' },
  encrypted: [],
  kept: 'own',
})

declare module '#store/tables.ts' {
  interface Tables {
    api_key_secrets: ColumnsOf<(typeof apiKeySecrets)['schemas']>
    api_keys: ColumnsOf<(typeof apiKeys)['schemas']>
  }
}

/** A row of `api_keys`; its secrets are in `api_key_secrets`. */
export type ApiKeyRow = Row<(typeof apiKeys)['schemas']>
