import { type Kysely, sql } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import { dayMs } from '#values/instant.ts'
import { addColumn, text } from './table-builder.ts'

/** Grants last 90 days instead of 365. */
const reductionMs = (365 - 90) * dayMs

/**
 * Adds the kind of a session and shortens grants to 90 days. Ends the browser sessions of OAuth,
 * which have no row in `sessions`.
 */
export async function addSessionKind(db: Kysely<Tables>): Promise<void> {
  const token = sql.lit('token')
  await addColumn(
    db,
    'sessions',
    'session_kind',
    text((column) => column.defaultTo(token)),
  )
  await sql`delete from oauth_artefacts where kind in ('Session', 'Interaction')`.execute(db)
  await sql`
    update oauth_artefacts set expires_at = expires_at - ${sql.lit(reductionMs)}
    where kind = 'Grant'`.execute(db)
  await sql`update oauth_consents set expires_at = expires_at - ${sql.lit(reductionMs)}`.execute(db)
}
