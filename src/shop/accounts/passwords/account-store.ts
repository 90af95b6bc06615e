import type { Role } from '#http/declare/actor.ts'
import type { Db } from '#store/database.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import { accountKey } from '#values/account-key.ts'
import { isStorableText } from '#values/text.ts'

/** The columns of an account that a sign-in by name and password reads. */
export interface LoginAccount {
  readonly id: number
  readonly name: string
  readonly role: Role
  readonly status: 'active' | 'suspended'
  readonly deleted_at: number | null
  readonly password_hash: string | null
  readonly username: string | null
  readonly digest_secret: string | null
}

const accountsByKey = prepareQuery((db: Db, param: { key: string }) =>
  db
    .selectFrom('users')
    .select([
      'id',
      'name',
      'role',
      'status',
      'deleted_at',
      'password_hash',
      'username',
      'digest_secret',
      'username_key',
    ])
    .where((eb) => eb.or([eb('username_key', '=', param.key), eb('email_key', '=', param.key)])),
)

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
