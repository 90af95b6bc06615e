import { sql } from 'kysely'
import { users } from '#shop/accounts/users/table.ts'
import type { Db } from '#store/database.ts'
import { prepareSql } from '#store/query/prepared.ts'
import { accountKey } from '#values/account-key.ts'
import { isStorableText } from '#values/text.ts'

const { id, name, role, status, deleted_at, password_hash } = users.schemas
const { username, username_key, digest_secret } = users.schemas

const accountsByKey = prepareSql(
  (_: Db, { key }: { key: string }) => sql`
    select id, name, role, status, deleted_at, password_hash, username, username_key, digest_secret
    from users where username_key = ${key} or email_key = ${key}`,
  {
    ...{ id, name, role, status, deleted_at, password_hash },
    ...{ username, username_key, digest_secret },
  },
)

/** The columns of an account that a sign-in by name and password reads. */
export type LoginAccount = NonNullable<Awaited<ReturnType<typeof accountsByKey.first>>>

/** Returns the account with this username, or else with this email, ignoring case, in one query. */
export async function findAccountByLoginName(
  db: Db,
  loginName: string,
): Promise<LoginAccount | undefined> {
  // No account has such a name, and PostgreSQL rejects it.
  if (!isStorableText(loginName)) return undefined
  const key = accountKey(loginName)
  const found = await accountsByKey.all(db, { key })
  return found.find(({ username_key }) => username_key === key) ?? found[0]
}
