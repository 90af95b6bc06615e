import { type ColumnsOf, integer, text } from '#store/columns.ts'
import { table } from '#store/table.ts'

/** An encrypted key that signs tokens from `signs_from` on. */
export const oauthKeys = table('oauth_keys', {
  columns: {
    number: integer,
    kid: text,
    sealed: text,
    signs_from: integer,
    created_at: integer,
  },
  key: ['number'],
  owner: null,
  encrypted: ['sealed'],
  kept: 'own',
})

declare module '#store/tables.ts' {
  interface Tables {
    oauth_keys: ColumnsOf<(typeof oauthKeys)['schemas']>
  }
}
