import { type Kysely, sql } from 'kysely'
import type { Tables } from '#db/tables/tables.ts'
import { addColumn, optionalInteger, optionalText, text } from './table-builder.ts'

/** Adds to OAuth clients where users go after signing out, and the secret that was replaced last. */
export async function extendOauthClients(db: Kysely<Tables>): Promise<void> {
  const none = sql.lit('[]')
  await addColumn(
    db,
    'oauth_clients',
    'post_logout_redirect_uris',
    text((column) => column.defaultTo(none)),
  )
  await addColumn(db, 'oauth_clients', 'previous_secret_hash', optionalText())
  await addColumn(db, 'oauth_clients', 'previous_secret_expires_at', optionalInteger())
}
