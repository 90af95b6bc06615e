import { sql } from 'kysely'
import { type UserRow, users } from '#shop/accounts/users/table.ts'
import type { Db } from '#store/database.ts'
import { lockRows } from '#store/query/dialect.ts'
import { prepareSql } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'

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
