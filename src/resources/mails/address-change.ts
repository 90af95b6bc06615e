import { randomUUID } from 'node:crypto'
import type { Db } from '#db/database.ts'
import type { UserRow } from '#resources/users/table.ts'
import type { Instant } from '#values/instant.ts'
import { insertAccountMail } from './planning-store.ts'

/**
 * Queues the mail about a changed address to the former address of a user. Guests get none: they
 * have no account, and nobody has shown that their addresses are theirs.
 */
export async function queueAddressChangeMail(
  db: Db,
  { id: userId, email, email_key }: Pick<UserRow, 'id' | 'email' | 'email_key'>,
  now: Instant,
): Promise<void> {
  if (email_key === null) return
  await insertAccountMail(db, {
    mailKey: `chg_${randomUUID()}`,
    kind: 'email_changed',
    userId,
    tokenHash: null,
    recipient: email,
    now,
  })
}
