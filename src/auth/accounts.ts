import type { Db } from '#db/database.ts'
import { prepared } from '#db/query/prepared.ts'
import { accountKey } from '#values/account-key.ts'

/** What proving to be a user, by a name and a password, needs to know of that user. */
export interface NamedAccount {
  readonly id: number
  readonly name: string
  readonly role: 'customer' | 'admin'
  readonly status: 'active' | 'suspended'
  readonly deleted_at: number | null
  readonly password_hash: string | null
  readonly username: string | null
  readonly digest_secret: string | null
}

const byKey = prepared((db: Db, param: { key: string }) =>
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

/** The account with this username or else this email, in any case, in one query. */
export async function findAccountNamed(db: Db, name: string): Promise<NamedAccount | undefined> {
  const key = accountKey(name)
  const found = await byKey.all(db, { key })
  return found.find(({ username_key }) => username_key === key) ?? found[0]
}
