import type { Role } from '#http/declare/actor.ts'
import type { Db } from '#store/database.ts'
import { dialectOf, withoutIndex } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import type { SessionRow } from './table.ts'

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

interface NewSession {
  readonly family: string
  readonly userId: number
  /** The client address. */
  readonly address: string | null
  readonly expiresAt: Instant
}

const insert = prepareQuery((db: Db, param: NewSession & { now: Instant }) =>
  db
    .insertInto('sessions')
    .values({
      user_id: param.userId,
      family: param.family,
      address: param.address,
      expires_at: param.expiresAt,
      created_at: param.now,
      updated_at: param.now,
    })
    .returning('id'),
)

/** Inserts a session and returns its ID. */
export async function insertSession(db: Db, session: NewSession, now: Instant): Promise<number> {
  const row = await insert.first(db, { ...session, now })
  return row?.id ?? 0
}

/** A session that was used again. */
interface ProlongedSession {
  readonly id: number
  /** The key of its tokens or cookie, which may be a new one. */
  readonly family: string
  readonly address: string | null
  readonly expiresAt: Instant
}

const prolong = prepareQuery((db: Db, param: ProlongedSession & { now: Instant }) =>
  db
    .updateTable('sessions')
    .set((eb) => ({
      family: param.family,
      address: param.address,
      expires_at: param.expiresAt,
      updated_at: param.now,
      revision: eb('revision', '+', eb.lit(1)),
    }))
    .where('id', '=', param.id)
    .where('ended_at', 'is', null),
)

/** Sets the key, address and expiry of an active session; returns false when it has ended. */
export const extendSession = async (
  db: Db,
  session: ProlongedSession,
  now: Instant,
): Promise<boolean> => (await prolong.run(db, { ...session, now })) === 1

const insertToken = prepareQuery(
  (
    db: Db,
    param: { hash: string; family: string; userId: number; expiresAt: Instant; now: Instant },
  ) =>
    db.insertInto('refresh_tokens').values({
      token_hash: param.hash,
      family: param.family,
      user_id: param.userId,
      expires_at: param.expiresAt,
      created_at: param.now,
    }),
)

/** Inserts the hash of a refresh token as the newest of its family. */
export const insertRefreshToken = (
  db: Db,
  token: {
    readonly hash: string
    readonly family: string
    readonly userId: number
    readonly expiresAt: Instant
  },
  now: Instant,
): Promise<number> => insertToken.run(db, { ...token, now })

const useToken = prepareQuery((db: Db, param: { hash: string; now: Instant }) =>
  db
    .updateTable('refresh_tokens')
    .set({ used_at: param.now })
    .where('token_hash', '=', param.hash)
    .where('used_at', 'is', null),
)

/** Marks a refresh token as used; returns false when it is already used. */
export const useRefreshToken = async (db: Db, hash: string, now: Instant): Promise<boolean> =>
  (await useToken.run(db, { hash, now })) === 1

const setDigest = prepareQuery((db: Db, param: { id: number; secret: string | null }) =>
  db.updateTable('users').set({ digest_secret: param.secret }).where('id', '=', param.id),
)

/** Stores the Digest secret of a user, which no representation shows, without a new revision. */
export const storeDigestSecret = (db: Db, id: number, secret: string | null): Promise<number> =>
  setDigest.run(db, { id, secret })

const byId = prepareQuery((db: Db, param: { id: number }) =>
  db.selectFrom('sessions').selectAll().where('id', '=', param.id),
)

/** Returns the session with this ID, ended sessions included. */
export const findSession = (db: Db, id: number): Promise<SessionRow | undefined> =>
  byId.first(db, { id })

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

const end = prepareQuery((db: Db, param: { id: number; now: Instant }) =>
  db
    .updateTable('sessions')
    .set((eb) => ({
      ended_at: param.now,
      updated_at: param.now,
      revision: eb('revision', '+', eb.lit(1)),
    }))
    .where('id', '=', param.id)
    .where('ended_at', 'is', null),
)

/** Ends a session and thereby its tokens; returns false when it has already ended. */
export const endSession = async (db: Db, id: number, now: Instant): Promise<boolean> =>
  (await end.run(db, { id, now })) === 1

const deleteTokens = prepareQuery((db: Db, param: { userId: number }) =>
  db.deleteFrom('refresh_tokens').where('user_id', '=', param.userId),
)
const deleteAll = prepareQuery((db: Db, param: { userId: number }) =>
  db.deleteFrom('sessions').where('user_id', '=', param.userId),
)

/** Deletes the sessions and refresh tokens of a user whose row the transaction has written. */
export async function deleteUserSessions(db: Db, userId: number): Promise<void> {
  await deleteTokens.run(db, { userId })
  await deleteAll.run(db, { userId })
}

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
