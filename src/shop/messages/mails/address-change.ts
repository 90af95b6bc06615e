import { randomUUID } from 'node:crypto'
import { createMessage } from '#i18n/message.ts'
import type { Db } from '#store/database.ts'
import { dayMs, type Instant, secondMs } from '#values/instant.ts'
import { Problem } from '#values/problem.ts'
import {
  endAddressChanges,
  type FormerAddress,
  keepFormerAddress,
  prolongFormerAddress,
} from './former-address-store.ts'
import { findUndoMails, insertAccountMail } from './planning-store.ts'

/** How often an account can leave or change a confirmed address in a day. */
const maxChanges = 5

async function requireFewChanges(db: Db, userId: number, now: Instant): Promise<void> {
  const times = await findUndoMails(db, userId, now - dayMs)
  const [first = now] = times
  if (times.length < maxChanges) return
  const seconds = Math.max(1, Math.ceil((first + dayMs - now) / secondMs))
  throw new Problem('4291', createMessage('user.too_many_addresses', { limit: maxChanges }), {
    headers: { 'retry-after': String(seconds) },
  })
}

/** The account whose address changes, as it was. */
interface ChangedAccount {
  readonly id: number
  readonly email: string | null
  readonly email_key: string | null
  readonly email_verified: number
}

/** A change of an address. */
interface AddressChange {
  readonly former: FormerAddress | undefined
  /** True if it gives back the former address. */
  readonly isReturn: boolean
  /** The network that asks for it, if it counts. */
  readonly network: string | null
}

/**
 * Queues the mails about a changed address of a user. The former one, which was confirmed before the changes
 * of the last 72 hours, gets a link that undoes them; the one given up now only learns of the change. Guests
 * get none: they have no account, and nobody has shown that their addresses are theirs. Throws 429/4291 after
 * too many changes that can be undone: no allowance drops their mails.
 */
export async function queueAddressChangeMail(
  db: Db,
  { id, email, email_key, email_verified }: ChangedAccount,
  { former, isReturn, network }: AddressChange,
  now: Instant,
): Promise<void> {
  if (email_key === null) return
  if (former !== undefined || email_verified === 1) await requireFewChanges(db, id, now)
  const mail = { kind: 'email_changed', user_id: id, created_at: now } as const
  const queue = (recipient: string | null, token_hash: string | null) =>
    insertAccountMail(db, {
      ...mail,
      ...{ mail_key: `chg_${randomUUID()}`, recipient, token_hash },
      // No network uses up the mails by which it would be found out.
      network: token_hash === null ? network : null,
    })
  if (former === undefined) {
    const token_hash = email_verified === 1 ? `new_${randomUUID()}` : null
    if (token_hash !== null) {
      await keepFormerAddress(db, { token_hash, user_id: id, email, email_key }, now)
    }
    return queue(email, token_hash)
  }
  await queue(email, null)
  if (isReturn) {
    await endAddressChanges(db, id)
    return
  }
  await prolongFormerAddress(db, former, now)
  await queue(former.email, former.token_hash)
}
