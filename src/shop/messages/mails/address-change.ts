import { randomUUID } from 'node:crypto'
import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import { insertAccountMail } from './planning-store.ts'

/**
 * Queues the mail about a changed address to the former address of a user. Guests get none: they
 * have no account, and nobody has shown that their addresses are theirs.
 */
export async function queueAddressChangeMail(
  db: Db,
  {
    id: user_id,
    email,
    email_key,
  }: { readonly id: number; readonly email: string | null; readonly email_key: string | null },
  now: Instant,
): Promise<void> {
  if (email_key === null) return
  await insertAccountMail(db, {
    mail_key: `chg_${randomUUID()}`,
    kind: 'email_changed',
    user_id,
    token_hash: null,
    recipient: email,
    created_at: now,
  })
}
