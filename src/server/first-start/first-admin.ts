import { isAddress } from '#shop/accounts/users/rules.ts'
import { users } from '#shop/accounts/users/table.ts'
import type { Db } from '#store/database.ts'
import { rowsFromJson } from '#store/query/dialect.ts'
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
  const row = users.withFollowing({
    ...{ name: username, email, username, password_hash, digest_secret },
    ...{ role: 'admin' as const, created_at: now, updated_at: now },
  })
  const names = Object.keys(row) as (keyof typeof row)[]
  const inserted = await db
    .insertInto('users')
    .columns(names)
    .expression(
      db
        .selectFrom(rowsFromJson(db, [row], users.kindsOf(names)).as('row'))
        .select(names)
        .where(({ not, exists }) => not(exists(selectAdmins(db)))),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

const selectAdmins = (db: Db) =>
  db.selectFrom('users').select('id').where('role', '=', 'admin').where('deleted_at', 'is', null)
