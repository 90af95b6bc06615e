import type { Role } from '#http/declare/actor.ts'
import type { Db } from '#store/database.ts'
import { dialectOf, withoutIndex } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import { refreshTokens, type SessionRow, sessions } from './table.ts'

const accountColumns = [
  'users.id',
  'users.name',
  'users.role',
  'users.status',
  'users.password_hash',
  'users.username',
  'users.digest_secret',
] as const

/** The columns of a user that sign-in needs. */
export interface Account {
  readonly id: number
  readonly name: string
  readonly role: Role
  readonly status: 'active' | 'suspended'
  readonly password_hash: string | null
  readonly username: string | null
  readonly digest_secret: string | null
}

// Statements that end sessions write the user's row first, so the holder of its lock sees them all.
const accountById = prepareQuery((db: Db, param: { id: number }) =>
  db
    .selectFrom('users')
    .select(accountColumns)
    .where('id', '=', param.id)
    .where('deleted_at', 'is', null)
    .$if(dialectOf(db) === 'postgres', (rows) => rows.forNoKeyUpdate()),
)

/** Returns the account and locks it until the transaction ends. */
export const lockAccount = (db: Db, id: number): Promise<Account | undefined> =>
  accountById.first(db, { id })

const accountByToken = prepareQuery((db: Db, param: { hash: string }) =>
  db
    .selectFrom('refresh_tokens')
    .innerJoin('users', 'users.id', 'refresh_tokens.user_id')
    .innerJoin('sessions', 'sessions.family', 'refresh_tokens.family')
    .select([...accountColumns, 'refresh_tokens.family', 'used_at', 'refresh_tokens.expires_at'])
    .select(['sessions.id as session_id', 'sessions.ended_at', 'sessions.created_at as began_at'])
    .where('token_hash', '=', param.hash)
    .where('deleted_at', 'is', null)
    .$if(dialectOf(db) === 'postgres', (rows) => rows.forNoKeyUpdate('users')),
)

/** The account that a refresh token belongs to, with the state of token and session. */
export interface TokenHolder extends Account {
  readonly family: string
  readonly used_at: Instant | null
  readonly expires_at: Instant
  readonly session_id: number
  /** When the session ended. */
  readonly ended_at: Instant | null
  /** When the session began. */
  readonly began_at: Instant
}

/** Returns the account of a refresh token and locks it until the transaction ends. */
export const lockAccountByToken = (db: Db, hash: string): Promise<TokenHolder | undefined> =>
  accountByToken.first(db, { hash })

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
    db.selectFrom('sessions').where('user_id', '=', userId).where('ended_at', 'is', null),
    { id: 'id', created_at: 'created_at', updated_at: 'updated_at' },
    page,
    (rows) => rows.selectAll('sessions'),
    { isFew: true },
  )

/** Ends a session and thereby its tokens; returns false when it has already ended. */
export const endSession = async (db: Db, id: number, now: Instant): Promise<boolean> =>
  (await sessions.revise(db, { id, ended_at: null }, { ended_at: now }, now)) === 1

const newestByUser = prepareQuery((db: Db, param: { userId: number; limit: number }) =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', param.userId)
    .orderBy(withoutIndex('id'), 'desc')
    .limit(param.limit),
)

/** Returns the newest sessions of a user, at most `limit`, ended sessions included. */
export const sessionsForExport = (db: Db, userId: number, limit: number): Promise<SessionRow[]> =>
  newestByUser.all(db, { userId, limit })
