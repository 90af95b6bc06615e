import { type Kysely, sql } from 'kysely'
import type { Tables } from '#db/tables/tables.ts'

// Written out: what a migration does never changes.
const dayMs = sql.lit(86_400_000)

/** Sets these columns to the beginning of their day; null stays. */
const toDay = (...columns: readonly string[]) =>
  columns.map(
    (column) => sql`${sql.ref(column)} = ${sql.ref(column)} - ${sql.ref(column)} % ${dayMs}`,
  )

/** Sets these columns to the beginning of the next day, so that no date from before is younger. */
const toNextDay = (...columns: readonly string[]) =>
  columns.map(
    (column) =>
      sql`${sql.ref(column)} = ${sql.ref(column)} - ${sql.ref(column)} % ${dayMs} + ${dayMs}`,
  )

const isRevised = sql`revision = revision + 1`
const ofNobody = sql`user_id is null and created_at % ${dayMs} <> 0`
const gone = sql`(select id from users where deleted_at is not null)`
const ordersOfNobody = sql`(select id from orders where user_id is null)`

/**
 * Leaves, of the moments that are kept of users who were erased before, the day alone: of what is
 * done from now on, the erasure itself does.
 */
export async function coarsenErased(db: Kysely<Tables>): Promise<void> {
  const set = (table: string, changes: readonly ReturnType<typeof sql>[], where: typeof gone) =>
    sql`update ${sql.table(table)} set ${sql.join(changes)} where ${where}`.execute(db)
  await set(
    'users',
    [isRevised, ...toDay('created_at'), ...toNextDay('updated_at', 'deleted_at')],
    sql`deleted_at is not null`,
  )
  await set('order_items', toDay('created_at'), sql`order_id in ${ordersOfNobody}`)
  await set(
    'payments',
    [isRevised, ...toDay('created_at', 'refund_requested_at'), ...toNextDay('updated_at')],
    sql`order_id in ${ordersOfNobody}`,
  )
  const days = ['created_at', 'expires_at', 'shipped_at', 'delivered_at', 'deleted_at']
  await set('orders', [isRevised, ...toDay(...days), ...toNextDay('updated_at')], ofNobody)
  await set('purchases', toDay('purchased_at'), sql`user_id is null`)
  await set('reviews', [isRevised, ...toDay('created_at'), ...toNextDay('updated_at')], ofNobody)
  await set('audit_events', toDay('at'), sql`subject_id in ${gone} or actor_id in ${gone}`)
  await set('erasures', toDay('created_at', 'erase_at'), sql`erased_at is not null`)
  await set('erasures', toDay('erased_at', 'settled_at'), sql`settled_at is not null`)
}
