import { sql } from 'kysely'
import { nullable } from '#schema/words.ts'
import { type UserRow, users } from '#shop/accounts/users/table.ts'
import { integer } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { isUnset, lockRows } from '#store/query/dialect.ts'
import { prepareSql } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'

const selectDue = prepareSql(
  (_: Db, { now, limit }: { now: Instant; limit: number }) => sql`
    select id, role, deleted_at, (select orders.id from orders
      where orders.user_id = users.id and orders.deleted_at is null limit 1) as order_id
    from users where guest_until <= ${now} order by guest_until limit ${limit}`,
  { ...users.schemasOf(['id', 'role', 'deleted_at']), order_id: nullable(integer) },
)

/** A guest whose time is over; `order_id` is one of the orders, if there are any. */
export type DueGuest = Pick<UserRow, 'id' | 'role' | 'deleted_at'> & {
  readonly order_id: number | null
}

/** Returns at most `limit` guests whose time is over, the first due first. */
export const listDueGuests = (db: Db, now: Instant, limit: number): Promise<DueGuest[]> =>
  selectDue.all(db, { now, limit })

const orderOfUser = prepareSql(
  (_: Db, param: { userId: number }) => sql`
    select id from orders where user_id = ${param.userId} and ${isUnset('deleted_at')} limit 1`,
  { id: integer },
)

/** True if a user has an order that is not removed. */
export const hasOrder = async (db: Db, userId: number): Promise<boolean> =>
  (await orderOfUser.first(db, { userId })) !== undefined

const bySession = prepareSql(
  (db: Db, { userId, sessionId }: { userId: number; sessionId: number }) => sql`
    select users.* from users join sessions on sessions.user_id = users.id
    where users.id = ${userId} and users.deleted_at is null
      and sessions.id = ${sessionId} and sessions.ended_at is null
    ${lockRows(db, 'users')}`,
  users.schemas,
)

// PostgreSQL joins the tables in this order (`join_collapse_limit`).
const byRefreshToken = prepareSql(
  (db: Db, { hash, now }: { hash: string; now: Instant }) => sql`
    select users.* from refresh_tokens
    join sessions on sessions.family = refresh_tokens.family
    join users on users.id = sessions.user_id
    where token_hash = ${hash} and used_at is null and refresh_tokens.expires_at > ${now}
      and sessions.ended_at is null and users.deleted_at is null
    ${lockRows(db, 'users')}`,
  users.schemas,
)

/** Returns the user of a session that has not ended, and locks the user. */
export const lockUserBySession = (
  db: Db,
  session: { readonly userId: number; readonly sessionId: number },
): Promise<UserRow | undefined> => bySession.first(db, session)

/** Returns the user of an unused refresh token, and locks the user. */
export const lockUserByRefreshToken = (
  db: Db,
  hash: string,
  now: Instant,
): Promise<UserRow | undefined> => byRefreshToken.first(db, { hash, now })
