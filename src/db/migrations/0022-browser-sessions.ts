import { type Kysely, sql } from 'kysely'
import type { Tables } from '#db/tables/tables.ts'
import { dayMs } from '#values/instant.ts'
import { addColumn, text } from './table-builder.ts'

/** How much shorter a grant lives from here on: 90 days rather than 365. */
const shorterMs = (365 - 90) * dayMs

/**
 * Adds the kind of a session and shortens grants to 90 days from their beginning. Browser sessions
 * that have no row yet end.
 */
export async function keepBrowserSessions(db: Kysely<Tables>): Promise<void> {
  const token = sql.lit('token')
  await addColumn(
    db,
    'sessions',
    'session_kind',
    text((column) => column.defaultTo(token)),
  )
  await sql`delete from oauth_artefacts where kind in ('Session', 'Interaction')`.execute(db)
  await sql`
    update oauth_artefacts set expires_at = expires_at - ${sql.lit(shorterMs)}
    where kind = 'Grant'`.execute(db)
  await sql`update oauth_consents set expires_at = expires_at - ${sql.lit(shorterMs)}`.execute(db)
}
