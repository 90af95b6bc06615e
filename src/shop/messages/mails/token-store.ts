import type { Selectable } from 'kysely'
import type { Db } from '#store/database.ts'
import { deletionBatchSize } from '#store/query/deletion-batch.ts'
import { dialectOf, textIn } from '#store/query/dialect.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { Tables } from '#store/tables.ts'
import type { Instant } from '#values/instant.ts'
import type { AccountTokenPurpose } from './table.ts'

type AccountTokenRow = Selectable<Tables['account_tokens']>

const insert = prepareQuery((db: Db, param: AccountTokenRow) =>
  db.insertInto('account_tokens').values({
    token_hash: param.token_hash,
    salt: param.salt,
    purpose: param.purpose,
    user_id: param.user_id,
    email_key: param.email_key,
    expires_at: param.expires_at,
    created_at: param.created_at,
  }),
)

/** Inserts a token that is about to be mailed. */
export async function insertToken(db: Db, token: AccountTokenRow): Promise<void> {
  await insert.run(db, token)
}

/** A token that works, and its user. */
export interface UsableToken extends AccountTokenRow {
  readonly email: string
  readonly language: 'en' | 'zh' | 'es' | 'fr' | 'de'
}

interface TokenKey {
  readonly hash: string
  readonly purpose: AccountTokenPurpose
  readonly now: Instant
}

const usable = prepareQuery((db: Db, param: TokenKey) =>
  db
    .selectFrom('account_tokens')
    .innerJoin('users', (join) =>
      join
        .onRef('users.id', '=', 'account_tokens.user_id')
        .onRef('users.email_key', '=', 'account_tokens.email_key'),
    )
    .selectAll('account_tokens')
    .select(['users.email', 'users.language'])
    .where('account_tokens.token_hash', '=', param.hash)
    .where('account_tokens.purpose', '=', param.purpose)
    .where('account_tokens.expires_at', '>', param.now)
    .where('users.status', '=', 'active')
    .where('users.deleted_at', 'is', null),
)

/**
 * Returns a token by its hash while it works: it has not expired, and its user is active and still has
 * the address to which it was mailed.
 */
export const findUsableToken = async (db: Db, key: TokenKey): Promise<UsableToken | undefined> =>
  (await usable.first(db, key)) as UsableToken | undefined

const deleteOne = prepareQuery((db: Db, param: { hash: string }) =>
  db.deleteFrom('account_tokens').where('token_hash', '=', param.hash).returning('token_hash'),
)

/** Deletes a token; false if it was used in the meantime. */
export const consumeToken = async (
  db: Db,
  { token_hash: hash }: Pick<AccountTokenRow, 'token_hash'>,
): Promise<boolean> => (await deleteOne.first(db, { hash })) !== undefined

const deleteByUser = prepareQuery((db: Db, param: { userId: number }) =>
  db.deleteFrom('account_tokens').where('user_id', '=', param.userId),
)

/** Deletes all tokens that were mailed to a user. */
export async function deleteTokensOf(db: Db, userId: number): Promise<void> {
  await deleteByUser.run(db, { userId })
}

const deleteByPurpose = prepareQuery(
  (db: Db, param: { userId: number; purpose: AccountTokenPurpose }) =>
    db
      .deleteFrom('account_tokens')
      .where('user_id', '=', param.userId)
      .where('purpose', '=', param.purpose),
)

/** Deletes the tokens with which a user could confirm the address. */
export async function deleteConfirmationTokens(db: Db, userId: number): Promise<void> {
  await deleteByPurpose.run(db, { userId, purpose: 'email_confirmation' })
}

const oldest = prepareQuery((db: Db, param: { now: Instant; limit: number }) =>
  db
    .selectFrom('account_tokens')
    .select('token_hash')
    .where('expires_at', '<=', param.now)
    .orderBy('expires_at')
    .limit(param.limit)
    .$if(dialectOf(db) === 'postgres', (tokens) => tokens.forUpdate().skipLocked()),
)
const deleteByHash = prepareQuery((db: Db, param: { hashes: readonly string[] }) =>
  db.deleteFrom('account_tokens').where(textIn(db, 'account_tokens.token_hash', param.hashes)),
)

/** Deletes at most `deletionBatchSize` expired tokens; returns how many. */
export async function deleteExpiredAccountTokens(db: Db, now: Instant): Promise<number> {
  const expired = await oldest.all(db, { now, limit: deletionBatchSize })
  if (expired.length === 0) return 0
  return deleteByHash.run(db, { hashes: expired.map(({ token_hash }) => token_hash) })
}
