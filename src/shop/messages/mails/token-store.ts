import type { Selectable } from 'kysely'
import type { Db } from '#store/database.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { Tables } from '#store/tables.ts'
import type { Instant } from '#values/instant.ts'
import { type AccountTokenPurpose, accountTokens } from './table.ts'

type AccountTokenRow = Selectable<Tables['account_tokens']>

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

/** Deletes a token; false if it was used in the meantime. */
export const consumeToken = async (
  db: Db,
  { token_hash }: Pick<AccountTokenRow, 'token_hash'>,
): Promise<boolean> => (await accountTokens.delete(db, { token_hash })) === 1

/** Ends the links with which a user sets a password or confirms an address. */
export const endPasswordLinks = (db: Db, userId: number): Promise<number> =>
  accountTokens.delete(db, { user_id: userId, purpose: ['password_reset', 'email_confirmation'] })
