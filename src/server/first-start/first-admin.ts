import type { Db } from '#db/database.ts'
import { accountKey } from '#values/account-key.ts'
import type { Instant } from '#values/instant.ts'

/** What the first administrator signs in with. */
export interface AdminCredentials {
  readonly username: string
  readonly password: string
}

/**
 * Makes an administrator unless there is one, and tells whether it did. Several that try at once,
 * in whatever processes, make one: the statement looks and writes in one go, and the username is
 * unique.
 */
export async function createAdmin(
  db: Db,
  { username, password }: AdminCredentials,
  keeping: {
    readonly hash: (password: string) => Promise<string>
    /** Makes what Digest holds the password to. */
    readonly make: (username: string, password: string) => string | null
  },
  now: Instant,
): Promise<boolean> {
  if (await admins(db).executeTakeFirst()) return false
  const password_hash = await keeping.hash(password)
  const digest_secret = keeping.make(username, password)
  const made = await db
    .insertInto('users')
    .columns([
      'name',
      'username',
      'username_key',
      'password_hash',
      'digest_secret',
      'role',
      'created_at',
      'updated_at',
    ])
    .expression(() =>
      db
        .selectNoFrom((row) => [
          row.cast<string>(row.val(username), 'text').as('name'),
          row.cast<string>(row.val(username), 'text').as('username'),
          row.cast<string>(row.val(accountKey(username)), 'text').as('username_key'),
          row.cast<string>(row.val(password_hash), 'text').as('password_hash'),
          row.cast<string | null>(row.val(digest_secret), 'text').as('digest_secret'),
          row.cast<'admin'>(row.val('admin'), 'text').as('role'),
          row.cast<number>(row.val(now), 'bigint').as('created_at'),
          row.cast<number>(row.val(now), 'bigint').as('updated_at'),
        ])
        .where(({ not, exists }) => not(exists(admins(db)))),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return made !== undefined
}

const admins = (db: Db) =>
  db.selectFrom('users').select('id').where('role', '=', 'admin').where('deleted_at', 'is', null)
