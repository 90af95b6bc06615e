import type { Db } from '#store/database.ts'
import { dialectOf } from '#store/dialect.ts'
import { prepared } from '#store/prepared.ts'
import type { Instant } from '#values/instant.ts'
import { refreshLifetimeMs } from './rules.ts'

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
export const holdAccount = (db: Db, id: number): Promise<Account | undefined> =>
  heldById.first(db, { id })

const heldByToken = prepared((db: Db, param: { hash: string }) =>
  db
    .selectFrom('refresh_tokens')
    .innerJoin('users', 'users.id', 'refresh_tokens.user_id')
    .select([...accountColumns, 'family', 'used_at', 'expires_at'])
    .where('token_hash', '=', param.hash)
    .where('deleted_at', 'is', null)
    .$if(dialectOf(db) === 'postgres', (rows) => rows.forNoKeyUpdate('users')),
)

/** An account found by one of its refresh tokens, and what was known of that token. */
export interface TokenHolder extends Account {
  readonly family: string
  readonly used_at: Instant | null
  readonly expires_at: Instant
}

/** Whose refresh token this is; the account is kept from changing until the transaction ends. */
export const holdAccountOf = (db: Db, hash: string): Promise<TokenHolder | undefined> =>
  heldByToken.first(db, { hash })

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
  token: { readonly hash: string; readonly family: string; readonly userId: number },
  now: Instant,
): Promise<number> => insert.run(db, { ...token, expiresAt: now + refreshLifetimeMs, now })

const spend = prepared((db: Db, param: { hash: string; now: Instant }) =>
  db
    .updateTable('refresh_tokens')
    .set({ used_at: param.now })
    .where('token_hash', '=', param.hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', param.now),
)

/** Uses a refresh token up; false when it is used, expired or withdrawn already. */
export const spendToken = async (db: Db, hash: string, now: Instant): Promise<boolean> =>
  (await spend.run(db, { hash, now })) === 1

const setDigest = prepared((db: Db, param: { id: number; secret: string }) =>
  db.updateTable('users').set({ digest_secret: param.secret }).where('id', '=', param.id),
)

/** Keeps what Digest holds a password to; no change that anybody is shown, so no new revision. */
export const keepDigest = (db: Db, id: number, secret: string): Promise<number> =>
  setDigest.run(db, { id, secret })

const endFamily = prepared((db: Db, param: { family: string }) =>
  db.deleteFrom('refresh_tokens').where('family', '=', param.family),
)

/** Withdraws every refresh token that descends from one sign-in. */
export const endSession = (db: Db, family: string): Promise<number> => endFamily.run(db, { family })

const endAll = prepared((db: Db, param: { userId: number }) =>
  db.deleteFrom('refresh_tokens').where('user_id', '=', param.userId),
)

/** Withdraws every refresh token of a user, whose row the transaction has written. */
export const endSessionsOf = (db: Db, userId: number): Promise<number> => endAll.run(db, { userId })

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
export const forgetTokens = (db: Db, now: Instant): Promise<number> =>
  deleteExpired.run(db, { now })
