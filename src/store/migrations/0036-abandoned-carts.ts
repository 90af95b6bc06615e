import { type Kysely, sql } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import { dayMs } from '#values/instant.ts'
import { addColumn, createIndex, optionalInteger } from './table-builder.ts'

/**
 * Adds to carts whether they were checked for abandonment since their last change. Carts that were
 * abandoned already are not checked until they change: an upgrade causes no events about the past.
 */
export async function addAbandonedCarts(db: Kysely<Tables>): Promise<void> {
  await addColumn(db, 'carts', 'idle_since', optionalInteger())
  const abandonedBefore = Date.now() - dayMs
  await sql`update carts set idle_since = updated_at where updated_at <= ${abandonedBefore}`.execute(
    db,
  )
  await createIndex(db, 'carts', ['updated_at'], { where: sql`idle_since is null` })
}
