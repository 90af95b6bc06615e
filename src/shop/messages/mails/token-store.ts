import { type Selectable, sql } from 'kysely'
import type { Language } from '#i18n/languages.ts'
import { nullable } from '#schema/words.ts'
import { text, textOf } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { isUnset } from '#store/query/dialect.ts'
import { prepareSql } from '#store/query/prepared.ts'
import type { Tables } from '#store/tables.ts'
import type { Instant } from '#values/instant.ts'
import { type AccountTokenPurpose, accountTokens } from './table.ts'

type AccountTokenRow = Selectable<Tables['account_tokens']>

/** A token that works, and its user. */
export interface UsableToken extends Omit<AccountTokenRow, 'email'> {
  readonly email: string
  readonly language: Language
}

interface TokenKey {
  readonly hash: string
  readonly purpose: AccountTokenPurpose
  readonly now: Instant
}

const columns = [
  ...(['token_hash', 'salt', 'purpose', 'user_id', 'email_key'] as const),
  ...(['expires_at', 'created_at'] as const),
]

// A former address speaks for the account while its change can be undone, but the current one is confirmed.
const usable = prepareSql(
  (_: Db, { hash, purpose, now }: TokenKey) => sql`
    select ${sql.join(columns.map((column) => sql.ref(`token.${column}`)))}, users.language,
      case when token.email_key = users.email_key then users.email else former.email end as email
    from account_tokens as token
    join users on users.id = token.user_id
    left join account_tokens as former on former.user_id = token.user_id
      and former.purpose = 'address_change' and former.expires_at > ${now}
    where token.token_hash = ${hash} and token.purpose = ${purpose} and token.expires_at > ${now}
      and users.status <> 'suspended' and ${isUnset('users.deleted_at')}
      and token.email_key = case when token.purpose = 'email_confirmation' then users.email_key
        else coalesce(former.email_key, users.email_key) end`,
  { ...accountTokens.schemasOf(columns), language: textOf<Language>(), email: nullable(text) },
)

/**
 * Returns a token by its hash while it works: it has not expired, and its user is active and has the address
 * to which it was mailed, or had it before a change that can be undone.
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
