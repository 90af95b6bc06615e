import { type ColumnsOf, integer, text } from '#store/columns.ts'
import { table } from '#store/table.ts'

/** The name that a key is encrypted under. */
export const keyAssociatedData = (kid: string): string => `oauth key ${kid}`

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
  encrypted: [
    { column: 'sealed', purpose: 'kept-answer', boundTo: ({ kid }) => keyAssociatedData(kid) },
  ],
  kept: 'own',
})

declare module '#store/tables.ts' {
  interface Tables {
    oauth_keys: ColumnsOf<(typeof oauthKeys)['schemas']>
  }
}
