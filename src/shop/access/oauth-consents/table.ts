import type { Selectable } from 'kysely'
import { type ColumnsOf, integer, revised, text } from '#store/columns.ts'
import { table } from '#store/table.ts'
import type { Tables } from '#store/tables.ts'

/**
 * A user's consent to a client. It lasts as long as one of their grants;
 * `updated_at` is when it was last given or withdrawn.
 */
export const oauthConsents = table('oauth_consents', {
  columns: {
    ...revised,
    user_id: integer,
    client_id: text,
    expires_at: integer,
  },
  unique: ['user_id, client_id'],
  indexes: ['expires_at'],
  owner: { column: 'user_id', whenErased: 'own' },
  encrypted: [],
  kept: { until: 'expires_at' },
})

declare module '#store/tables.ts' {
  interface Tables {
    oauth_consents: ColumnsOf<(typeof oauthConsents)['schemas']>
  }
}

/** A row of `oauth_consents`. */
export type OauthConsentRow = Selectable<Tables['oauth_consents']>
