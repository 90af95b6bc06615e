import { sql } from 'kysely'
import { nullable } from '#schema/words.ts'
import { type UserRow, users } from '#shop/accounts/users/table.ts'
import { wasPaid } from '#shop/orders/orders/store.ts'
import { integer } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { prepareSql } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'

/** A guest whose time is over. */
export type DueGuest = Pick<UserRow, 'id' | 'role' | 'deleted_at'> & {
  /** One of the orders for which the guest is kept, if there are any. */
  readonly kept_id: number | null
  /** When the newest order was placed; null without one. */
  readonly ordered_at: Instant | null
}

const ofGuest = sql`from orders where orders.user_id = users.id and orders.deleted_at is null`

// A pending order is paid or cancelled long before its guest is looked at again.
const selectGuest = sql`
  select id, role, deleted_at,
    (select orders.id ${ofGuest} and ${wasPaid} limit 1) as kept_id,
    (select orders.created_at ${ofGuest} order by orders.id desc limit 1) as ordered_at
  from users`

const schemas = {
  ...users.schemasOf(['id', 'role', 'deleted_at']),
  ...{ kept_id: nullable(integer), ordered_at: nullable(integer) },
}

const selectDue = prepareSql(
  (_: Db, { now, limit }: { now: Instant; limit: number }) => sql`
    ${selectGuest} where guest_until <= ${now} order by guest_until limit ${limit}`,
  schemas,
)

/** Returns at most `limit` guests whose time is over, the first due first. */
export const listDueGuests = (db: Db, now: Instant, limit: number): Promise<DueGuest[]> =>
  selectDue.all(db, { now, limit })

const selectById = prepareSql(
  (_: Db, { id }: { id: number }) => sql`${selectGuest} where id = ${id}`,
  schemas,
)

/** Returns a user as `listDueGuests` does. */
export const findDueGuest = (db: Db, id: number): Promise<DueGuest | undefined> =>
  selectById.first(db, { id })
