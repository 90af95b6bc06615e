import { sql } from 'kysely'
import { type UserRow, users } from '#shop/accounts/users/table.ts'
import type { Db } from '#store/database.ts'
import { lockRows } from '#store/query/dialect.ts'
import { prepareSql } from '#store/query/prepared.ts'
import { accountKey } from '#values/account-key.ts'
import { isStorableText } from '#values/text.ts'

const columns = [
  ...(['id', 'name', 'role', 'status', 'deleted_at', 'email_verified', 'password_hash'] as const),
  ...(['username', 'username_key', 'digest_secret'] as const),
]

const accountsByKey = prepareSql(
  (_: Db, { key }: { key: string }) => sql`
    select ${sql.join(columns.map((column) => sql.ref(column)))} from users
    where username_key = ${key} or email_key = ${key}`,
  users.schemasOf(columns),
)

/** The columns of an account that a sign-in by name and password reads. */
export type LoginAccount = Pick<UserRow, (typeof columns)[number]>

/** Returns the account with this username, or else with this email, ignoring case, in one query. */
export async function findAccountByLoginName(
  db: Db,
  name: string,
): Promise<LoginAccount | undefined> {
  // No account has such a name, and PostgreSQL rejects it.
  if (!isStorableText(name)) return undefined
  const key = accountKey(name)
  const found = await accountsByKey.all(db, { key })
  return found.find(({ username_key }) => username_key === key) ?? found[0]
}

type SignIn = Pick<LoginAccount, 'id' | 'role' | 'password_hash'>

const currentSignIn = prepareSql(
  (db: Db, { id, role, password_hash }: SignIn) => sql`
    select id from users where id = ${id} and role = ${role} and password_hash = ${password_hash}
      and status = 'active' and deleted_at is null
    ${lockRows(db, 'users')}`,
  users.schemasOf(['id']),
)

/**
 * True while an account is active, in the same role and with the password that was verified. Waits for a
 * transaction that is changing it.
 */
export const isSignInCurrent = async (db: Db, { id, role, password_hash }: SignIn) =>
  (await currentSignIn.first(db, { id, role, password_hash })) !== undefined
