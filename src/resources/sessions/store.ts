import type { Db } from '#db/database.ts'
import { dialectOf } from '#db/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#db/query/page.ts'
import { prepared } from '#db/query/prepared.ts'
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

/** What signing in needs to know of a user. */
export interface Account {
  readonly id: number
  readonly name: string
  readonly role: 'customer' | 'admin'
  readonly status: 'active' | 'suspended'
  readonly password_hash: string | null
  readonly username: string | null
  readonly digest_secret: string | null
}

// Whatever ends sessions writes the user's row first, so who holds it sees all sessions there are.
const heldById = prepared((db: Db, param: { id: number }) =>
  db
    .selectFrom('users')
    .select(accountColumns)
    .where('id', '=', param.id)
    .where('deleted_at', 'is', null)
    .$if(dialectOf(db) === 'postgres', (rows) => rows.forNoKeyUpdate()),
)

/** The account, kept from changing until the transaction ends. */
export const lockAccount = (db: Db, id: number): Promise<Account | undefined> =>
  heldById.first(db, { id })

const heldByToken = prepared((db: Db, param: { hash: string }) =>
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

/** An account found by one of its refresh tokens, and what was known of that token. */
export interface TokenHolder extends Account {
  readonly family: string
  readonly used_at: Instant | null
  readonly expires_at: Instant
  readonly session_id: number
  /** When the session ended that the token belongs to. */
  readonly ended_at: Instant | null
  readonly began_at: Instant
}

/** Whose refresh token this is; the account is kept from changing until the transaction ends. */
export const lockAccountOf = (db: Db, hash: string): Promise<TokenHolder | undefined> =>
  heldByToken.first(db, { hash })

interface NewSession {
  readonly family: string
  readonly userId: number
  /** Where it is begun from. */
  readonly address: string | null
  readonly expiresAt: Instant
}

const insertSession = prepared((db: Db, param: NewSession & { address: string; now: Instant }) =>
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

/** Begins a session; its identifier. */
export async function beginSession(db: Db, started: NewSession, now: Instant): Promise<number> {
  // A value is never undefined; null is one.
  const row = await insertSession.first(db, { ...started, address: started.address as string, now })
  return row?.id ?? 0
}

const prolong = prepared(
  (db: Db, param: { id: number; address: string; expiresAt: Instant; now: Instant }) =>
    db
      .updateTable('sessions')
      .set((eb) => ({
        address: param.address,
        expires_at: param.expiresAt,
        updated_at: param.now,
        revision: eb('revision', '+', eb.lit(1)),
      }))
      .where('id', '=', param.id)
      .where('ended_at', 'is', null),
)

/** Lets a session go on from here; false where it has ended in the meantime. */
export const prolongSession = async (
  db: Db,
  renewed: { readonly id: number; readonly address: string | null; readonly expiresAt: Instant },
  now: Instant,
): Promise<boolean> =>
  (await prolong.run(db, { ...renewed, address: renewed.address as string, now })) === 1

const insert = prepared(
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

/** Keeps a refresh token, by its hash, as the youngest of a family. */
export const keepToken = (
  db: Db,
  token: {
    readonly hash: string
    readonly family: string
    readonly userId: number
    readonly expiresAt: Instant
  },
  now: Instant,
): Promise<number> => insert.run(db, { ...token, now })

const spend = prepared((db: Db, param: { hash: string; now: Instant }) =>
  db
    .updateTable('refresh_tokens')
    .set({ used_at: param.now })
    .where('token_hash', '=', param.hash)
    .where('used_at', 'is', null),
)

/** Uses a refresh token up; false when somebody else came first. */
export const spendToken = async (db: Db, hash: string, now: Instant): Promise<boolean> =>
  (await spend.run(db, { hash, now })) === 1

const setDigest = prepared((db: Db, param: { id: number; secret: string | null }) =>
  db.updateTable('users').set({ digest_secret: param.secret }).where('id', '=', param.id),
)

/** Keeps what Digest holds a password to; no change that anybody is shown, so no new revision. */
export const keepDigest = (db: Db, id: number, secret: string | null): Promise<number> =>
  setDigest.run(db, { id, secret })

const byId = prepared((db: Db, param: { id: number }) =>
  db.selectFrom('sessions').selectAll().where('id', '=', param.id),
)

/** The session with this identifier, one that has ended included. */
export const findSession = (db: Db, id: number): Promise<SessionRow | undefined> =>
  byId.first(db, { id })

/** One page of the sessions of a user that have not ended. */
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
  )

const end = prepared((db: Db, param: { id: number; now: Instant }) =>
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

/** Ends a session, with every token of it; false where it has ended already. */
export const endSession = async (db: Db, id: number, now: Instant): Promise<boolean> =>
  (await end.run(db, { id, now })) === 1

const endAll = prepared((db: Db, param: { userId: number; kept: number; now: Instant }) =>
  db
    .updateTable('sessions')
    .set((eb) => ({
      ended_at: param.now,
      updated_at: param.now,
      revision: eb('revision', '+', eb.lit(1)),
    }))
    .where('user_id', '=', param.userId)
    .where('ended_at', 'is', null)
    .where('id', '<>', param.kept),
)

/**
 * Ends every session of a user whose row the transaction has written, but for one that is to be kept;
 * tells how many.
 */
export const endSessionsOf = (
  db: Db,
  { userId, kept = 0 }: { readonly userId: number; readonly kept?: number | undefined },
  now: Instant,
): Promise<number> => endAll.run(db, { userId, kept, now })

const dropTokens = prepared((db: Db, param: { userId: number }) =>
  db.deleteFrom('refresh_tokens').where('user_id', '=', param.userId),
)
const dropAll = prepared((db: Db, param: { userId: number }) =>
  db.deleteFrom('sessions').where('user_id', '=', param.userId),
)

/** Forgets where a user was signed in, whose row the transaction has written. */
export async function dropSessionsOf(db: Db, userId: number): Promise<void> {
  await dropTokens.run(db, { userId })
  await dropAll.run(db, { userId })
}

const deleteExpired = prepared((db: Db, param: { now: Instant }) =>
  db
    .deleteFrom('refresh_tokens')
    .where('token_hash', 'in', (eb) =>
      eb
        .selectFrom('refresh_tokens')
        .select('token_hash')
        .where('expires_at', '<=', param.now)
        .orderBy('expires_at')
        .limit(eb.lit(500)),
    ),
)

/** Forgets some of the refresh tokens that can no longer be used, 500 at most; tells how many. */
export const deleteExpiredTokens = (db: Db, now: Instant): Promise<number> =>
  deleteExpired.run(db, { now })

const deleteOver = prepared((db: Db, param: { now: Instant }) =>
  db
    .deleteFrom('sessions')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('id')
        .where('expires_at', '<=', param.now)
        .orderBy('expires_at')
        .limit(eb.lit(500)),
    ),
)

/** Forgets some of the sessions that nobody can go on with, 500 at most; tells how many. */
export const deleteExpiredSessions = (db: Db, now: Instant): Promise<number> =>
  deleteOver.run(db, { now })

const newestOf = prepared((db: Db, param: { userId: number; most: number }) =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', param.userId)
    .orderBy('id', 'desc')
    .limit(param.most),
)

/** The newest sessions of a user, at most so many, those that have ended included. */
export const sessionsForExport = (db: Db, userId: number, most: number): Promise<SessionRow[]> =>
  newestOf.all(db, { userId, most })
