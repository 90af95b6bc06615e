import { type Kysely, sql } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'

// Not imported, so that the migration never changes.
const dayMs = sql.lit(86_400_000)

/** Sets these columns to the start of their day; null stays null. */
const toDay = (...columns: readonly string[]) =>
  columns.map(
    (column) => sql`${sql.ref(column)} = ${sql.ref(column)} - ${sql.ref(column)} % ${dayMs}`,
  )

/** Sets these columns to the start of the next day, so that no earlier copy looks newer. */
const toNextDay = (...columns: readonly string[]) =>
  columns.map(
    (column) =>
      sql`${sql.ref(column)} = ${sql.ref(column)} - ${sql.ref(column)} % ${dayMs} + ${dayMs}`,
  )

const nextRevision = sql`revision = revision + 1`
const isAnonymous = sql`user_id is null and created_at % ${dayMs} <> 0`
const erasedUserIds = sql`(select id from users where deleted_at is not null)`
const anonymousOrderIds = sql`(select id from orders where user_id is null)`

/** Reduces the timestamps of users erased before this migration to days, as an erasure does now. */
export async function truncateErasedDates(db: Kysely<Tables>): Promise<void> {
  const set = (
    table: string,
    changes: readonly ReturnType<typeof sql>[],
    where: typeof erasedUserIds,
  ) => sql`update ${sql.table(table)} set ${sql.join(changes)} where ${where}`.execute(db)
  await set(
    'users',
    [nextRevision, ...toDay('created_at'), ...toNextDay('updated_at', 'deleted_at')],
    sql`deleted_at is not null`,
  )
  await set('order_items', toDay('created_at'), sql`order_id in ${anonymousOrderIds}`)
  await set(
    'payments',
    [nextRevision, ...toDay('created_at', 'refund_requested_at'), ...toNextDay('updated_at')],
    sql`order_id in ${anonymousOrderIds}`,
  )
  const days = ['created_at', 'expires_at', 'shipped_at', 'delivered_at', 'deleted_at']
  await set('orders', [nextRevision, ...toDay(...days), ...toNextDay('updated_at')], isAnonymous)
  await set('purchases', toDay('purchased_at'), sql`user_id is null`)
  await set(
    'reviews',
    [nextRevision, ...toDay('created_at'), ...toNextDay('updated_at')],
    isAnonymous,
  )
  await set(
    'audit_events',
    toDay('at'),
    sql`subject_id in ${erasedUserIds} or actor_id in ${erasedUserIds}`,
  )
  await set('erasures', toDay('created_at', 'erase_at'), sql`erased_at is not null`)
  await set('erasures', toDay('erased_at', 'settled_at'), sql`settled_at is not null`)
}
