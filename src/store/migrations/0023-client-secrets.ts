import { type Kysely, sql } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import { addColumn, optionalInteger, optionalText, text } from './table-builder.ts'

/** Adds to OAuth clients the redirect URIs after sign-out and the previous secret. */
export async function extendOauthClients(db: Kysely<Tables>): Promise<void> {
  const emptyList = sql.lit('[]')
  await addColumn(
    db,
    'oauth_clients',
    'post_logout_redirect_uris',
    text((column) => column.defaultTo(emptyList)),
  )
  await addColumn(db, 'oauth_clients', 'previous_secret_hash', optionalText())
  await addColumn(db, 'oauth_clients', 'previous_secret_expires_at', optionalInteger())
}
