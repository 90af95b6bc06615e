import type { Selectable } from 'kysely'
import { nullable } from '#schema/words.ts'
import { type ColumnsOf, columnDefault, integer, revised, text, textOf } from '#store/columns.ts'
import { table } from '#store/table.ts'
import type { Tables } from '#store/tables.ts'

/** Refreshtokens; only the token's hash is stored. */
export const refreshTokens = table('refresh_tokens', {
  columns: {
    token_hash: text,
    family: text,
    user_id: integer,
    expires_at: integer,
    used_at: nullable(integer),
    created_at: integer,
  },
  key: ['token_hash'],
  indexes: ['family', 'user_id', 'expires_at'],
  owner: { column: 'user_id', whenErased: 'delete' },
  encrypted: [],
  kept: { until: 'expires_at' },
})

/**
 * A sign-in. Its refresh tokens share its `family` and are valid until it ends.
 * The family of an OAuth browser session is the hash of its id, and the hash of the sign-in
 * page's id until the session begins.
 */
export const sessions = table('sessions', {
  columns: {
    ...revised,
    user_id: integer,
    session_kind: columnDefault(textOf<'token' | 'browser'>(), 'token'),
    family: text,
    /** The network address of the last sign-in or renewal. */
    address: nullable(text),
    ended_at: nullable(integer),
    expires_at: integer,
  },
  unique: ['family'],
  indexes: ['user_id, id', 'expires_at'],
  owner: { column: 'user_id', whenErased: 'own' },
  encrypted: [],
  kept: { until: 'expires_at' },
})

declare module '#store/tables.ts' {
  interface Tables {
    refresh_tokens: ColumnsOf<(typeof refreshTokens)['schemas']>
    sessions: ColumnsOf<(typeof sessions)['schemas']>
  }
}

/** A row of `sessions`. */
export type SessionRow = Selectable<Tables['sessions']>
