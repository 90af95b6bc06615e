import { randomUUID } from 'node:crypto'
import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import { findFormerAddress } from './former-address-store.ts'
import { insertAccountMail } from './planning-store.ts'

/**
 * Queues the mail about the scheduled erasure of a user, to the confirmed address: the former one, while its change
 * can be undone. There is none without such an address.
 */
export async function queueErasureMail(
  db: Db,
  user: { readonly id: number; readonly email: string | null; readonly email_verified: number },
  now: Instant,
): Promise<void> {
  const former = await findFormerAddress(db, user.id, now)
  const recipient = former?.email ?? (user.email_verified === 1 ? user.email : null)
  if (recipient === null) return
  await insertAccountMail(db, {
    ...{ mail_key: `era_${randomUUID()}`, kind: 'erasure_scheduled', user_id: user.id },
    ...{ token_hash: null, recipient, network: null, created_at: now },
  })
}
