import { randomUUID } from 'node:crypto'
import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import {
  endAddressChanges,
  type FormerAddress,
  keepFormerAddress,
  prolongFormerAddress,
} from './former-address-store.ts'
import { insertAccountMail } from './planning-store.ts'

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
 * get none: they have no account, and nobody has shown that their addresses are theirs.
 */
export async function queueAddressChangeMail(
  db: Db,
  { id, email, email_key, email_verified }: ChangedAccount,
  { former, isReturn, network }: AddressChange,
  now: Instant,
): Promise<void> {
  if (email_key === null) return
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
