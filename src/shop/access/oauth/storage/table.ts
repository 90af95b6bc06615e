import { nullable } from '#schema/words.ts'
import { type ColumnsOf, integer, text } from '#store/columns.ts'
import { table } from '#store/table.ts'

/** The name that a payload is encrypted under. */
export const payloadAssociatedData = (kind: string, idHash: string): string =>
  `oauth ${kind} ${idHash}`

/**
 * A session, code, token or grant of OAuth. Identifiers are secrets and
 * stored as hashes; the payload is encrypted. `granted_scope` is the scope of a grant. The table
 * keeps its first name, because releases serve the same database side by side.
 */
export const oauthArtefacts = table('oauth_artefacts', {
  columns: {
    kind: text,
    id_hash: text,
    payload: text,
    grant_hash: nullable(text),
    uid_hash: nullable(text),
    client_id: nullable(text),
    user_id: nullable(integer),
    consumed_at: nullable(integer),
    /** The client address of the first use of a refresh token. */
    consumed_address: nullable(text),
    expires_at: integer,
    granted_scope: nullable(text),
  },
  key: ['kind', 'id_hash'],
  indexes: ['grant_hash', 'uid_hash', 'client_id', 'expires_at', 'user_id, client_id'],
  owner: { column: 'user_id', whenErased: 'own' },
  encrypted: [
    {
      column: 'payload',
      purpose: 'kept-answer',
      boundTo: ({ kind, id_hash }) => payloadAssociatedData(kind, id_hash),
    },
  ],
  kept: { until: 'expires_at' },
})

declare module '#store/tables.ts' {
  interface Tables {
    oauth_artefacts: ColumnsOf<(typeof oauthArtefacts)['schemas']>
  }
}
