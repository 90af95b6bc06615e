import type { UserState } from '#shop/accounts/users/rules.ts'
import type { UserRow } from '#shop/accounts/users/table.ts'
import type { Db } from '#store/database.ts'
import { dialectOf, idIn, isUnset } from '#store/query/dialect.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'

/** Inserts a guest who is kept until an instant and, with an order, beyond. */
export const insertGuest = (
  db: Db,
  state: UserState,
  { until, now }: { readonly until: Instant; readonly now: Instant },
): Promise<UserRow> =>
  db
    .insertInto('users')
    .values({ ...state, guest_until: until, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()

const selectDue = prepareQuery((db: Db, param: { now: Instant; limit: number }) =>
  db
    .selectFrom('users')
    .select((eb) => [
      'users.id',
      eb
        .selectFrom('orders')
        .select('orders.id')
        .whereRef('orders.user_id', '=', 'users.id')
        .where('orders.deleted_at', 'is', null)
        .limit(eb.lit(1))
        .as('order_id'),
      'users.role',
      'users.deleted_at',
    ])
    .where('guest_until', '<=', param.now)
    .orderBy('guest_until')
    .limit(param.limit),
)

/** A guest whose time is over; `order_id` is one of the orders, if there are any. */
export type DueGuest = Pick<UserRow, 'id' | 'role' | 'deleted_at'> & {
  readonly order_id: number | null
}

/** Returns at most `limit` guests whose time is over, the first due first. */
export const listDueGuests = (db: Db, now: Instant, limit: number): Promise<DueGuest[]> =>
  selectDue.all(db, { now, limit })

/** Keeps these users for good. */
export async function keepGuests(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('users')
    .set({ guest_until: null })
    .where(idIn(db, 'users.id', ids))
    .execute()
}

const orderOfUser = prepareQuery((db: Db, param: { userId: number }) =>
  db
    .selectFrom('orders')
    .select('id')
    .where('user_id', '=', param.userId)
    .where(isUnset('deleted_at'))
    .limit((eb) => eb.lit(1)),
)

/** True if a user has an order that is not removed. */
export const hasOrder = async (db: Db, userId: number): Promise<boolean> =>
  (await orderOfUser.first(db, { userId })) !== undefined

const bySession = prepareQuery((db: Db, param: { userId: number; sessionId: number }) =>
  db
    .selectFrom('users')
    .innerJoin('sessions', 'sessions.user_id', 'users.id')
    .selectAll('users')
    .where('users.id', '=', param.userId)
    .where('users.deleted_at', 'is', null)
    .where('sessions.id', '=', param.sessionId)
    .where('sessions.ended_at', 'is', null)
    .$if(dialectOf(db) === 'postgres', (rows) => rows.forNoKeyUpdate('users')),
)

const byRefreshToken = prepareQuery((db: Db, param: { hash: string; now: Instant }) =>
  // PostgreSQL joins the tables in this order (`join_collapse_limit`).
  db
    .selectFrom('refresh_tokens')
    .innerJoin('sessions', 'sessions.family', 'refresh_tokens.family')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('users')
    .where('token_hash', '=', param.hash)
    .where('used_at', 'is', null)
    .where('refresh_tokens.expires_at', '>', param.now)
    .where('sessions.ended_at', 'is', null)
    .where('users.deleted_at', 'is', null)
    .$if(dialectOf(db) === 'postgres', (rows) => rows.forNoKeyUpdate('users')),
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
