import { isAddress } from '#shop/accounts/users/rules.ts'
import type { Db } from '#store/database.ts'
import { accountKey } from '#values/account-key.ts'
import type { Instant } from '#values/instant.ts'

/** The username and password of an administrator. */
export interface AdminCredentials {
  readonly username: string
  readonly password: string
}

/**
 * Creates an administrator unless one exists, and returns true if it did. Concurrent calls in any
 * number of processes create one: a single statement checks and inserts, and usernames are unique. A
 * username that is an address is the email, too.
 */
export async function createAdmin(
  db: Db,
  { username, password }: AdminCredentials,
  hashing: {
    readonly hash: (password: string) => Promise<string>
    /** Returns the encrypted Digest hashes of the password; null when Digest is off. */
    readonly make: (username: string, password: string) => string | null
  },
  now: Instant,
): Promise<boolean> {
  if (await selectAdmins(db).executeTakeFirst()) return false
  const password_hash = await hashing.hash(password)
  const digest_secret = hashing.make(username, password)
  const email = isAddress(username) ? username : null
  const inserted = await db
    .insertInto('users')
    .columns([
      'name',
      'email',
      'email_key',
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
          row.cast<string | null>(row.val(email), 'text').as('email'),
          row.cast<string | null>(row.val(email && accountKey(email)), 'text').as('email_key'),
          row.cast<string>(row.val(username), 'text').as('username'),
          row.cast<string>(row.val(accountKey(username)), 'text').as('username_key'),
          row.cast<string>(row.val(password_hash), 'text').as('password_hash'),
          row.cast<string | null>(row.val(digest_secret), 'text').as('digest_secret'),
          row.cast<'admin'>(row.val('admin'), 'text').as('role'),
          row.cast<number>(row.val(now), 'bigint').as('created_at'),
          row.cast<number>(row.val(now), 'bigint').as('updated_at'),
        ])
        .where(({ not, exists }) => not(exists(selectAdmins(db)))),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

const selectAdmins = (db: Db) =>
  db.selectFrom('users').select('id').where('role', '=', 'admin').where('deleted_at', 'is', null)
