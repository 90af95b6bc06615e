import { sql } from 'kysely'
import { nullable } from '#schema/words.ts'
import { type UserRow, users } from '#shop/accounts/users/table.ts'
import { integer, text } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { lockRows } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { prepareSql } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import { refreshTokens, type SessionRow, sessions } from './table.ts'

const accountColumns = users.schemasOf([
  ...(['id', 'name', 'role', 'status', 'password_hash', 'username', 'digest_secret'] as const),
])
const accountNames = sql.join(
  Object.keys(accountColumns).map((column) => sql.ref(`users.${column}`)),
)

/** The columns of a user that sign-in needs. */
export type Account = Pick<UserRow, keyof typeof accountColumns>

// Statements that end sessions write the user's row first, so the holder of its lock sees them all.
const accountById = prepareSql(
  (db: Db, param: { id: number }) => sql`
    select ${accountNames} from users where id = ${param.id} and deleted_at is null
    ${lockRows(db, 'users')}`,
  accountColumns,
)

/** Returns the account and locks it until the transaction ends. */
export const lockAccount = (db: Db, id: number): Promise<Account | undefined> =>
  accountById.first(db, { id })

const accountByToken = prepareSql(
  (db: Db, { hash }: { hash: string }) => sql`
    select ${accountNames}, refresh_tokens.family, used_at, refresh_tokens.expires_at,
      sessions.id as session_id, sessions.ended_at, sessions.created_at as began_at,
      sessions.address
    from refresh_tokens
    join users on users.id = refresh_tokens.user_id
    join sessions on sessions.family = refresh_tokens.family
    where token_hash = ${hash} and deleted_at is null
    ${lockRows(db, 'users')}`,
  {
    ...accountColumns,
    ...{ family: text, used_at: nullable(integer), expires_at: integer },
    ...{ session_id: integer, ended_at: nullable(integer), began_at: integer },
    address: nullable(text),
  },
)

/** Returns the account of a refresh token and its session, and locks it until the transaction ends. */
export const lockAccountByToken = (db: Db, hash: string) => accountByToken.first(db, { hash })

/** A session that was used again. */
interface ProlongedSession {
  readonly id: number
  /** The key of its tokens or cookie, which may be a new one. */
  readonly family: string
  readonly address: string | null
  readonly expiresAt: Instant
}

/** Sets the key, address and expiry of an active session; returns false when it has ended. */
export const extendSession = async (
  db: Db,
  { id, family, address, expiresAt }: ProlongedSession,
  now: Instant,
): Promise<boolean> => {
  const changes = { family, address, expires_at: expiresAt }
  return (await sessions.revise(db, { id, ended_at: null }, changes, now)) === 1
}

/** Marks a refresh token as used; returns false when it is already used. */
export const useRefreshToken = async (db: Db, hash: string, now: Instant): Promise<boolean> =>
  (await refreshTokens.update(db, { token_hash: hash, used_at: null }, { used_at: now })) === 1

/** Returns one page of the active sessions of a user. */
export const listSessions = (
  db: Db,
  userId: number,
  page: PageRequest,
): Promise<PageResult<SessionRow>> =>
  paginate(
    db,
    db.selectFrom('sessions').where('user_id', '=', userId).where('ended_at', 'is', null),
    { id: 'id', created_at: 'created_at', updated_at: 'updated_at' },
    page,
    (rows) => rows.selectAll('sessions'),
    { isFew: true },
  )

/** Ends a session and thereby its tokens; returns false when it has already ended. */
export const endSession = async (db: Db, id: number, now: Instant): Promise<boolean> =>
  (await sessions.revise(db, { id, ended_at: null }, { ended_at: now }, now)) === 1
