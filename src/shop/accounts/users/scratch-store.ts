import { addresses } from '#shop/accounts/addresses/table.ts'
import { erasures } from '#shop/accounts/erasures/table.ts'
import { copyFormerAddresses } from '#shop/messages/mails/former-address-store.ts'
import type { Db } from '#store/database.ts'
import { findAccountsByPhone } from './store.ts'
import { users } from './table.ts'

/** What rows name users by; names and numbers are in the form in which they are compared. */
interface UserNames {
  readonly names: readonly string[]
  readonly externalIds: readonly string[]
  readonly phones: readonly string[]
}

/**
 * Copies what saving users with these emails, usernames, external IDs and numbers may read to a scratch database, but
 * for what is there: whoever has one of them, now or before a change that can be undone, with the saved addresses; the
 * administrators; and the newest user and address, after whose IDs new ones follow.
 */
export async function copyUsers(
  from: Db,
  to: Db,
  { names, externalIds, phones }: UserNames,
): Promise<void> {
  const admins = await users.findAll(from, { role: 'admin', deleted_at: null })
  const found = await Promise.all([
    users.findAll(from, {}, { order: '-id', limit: 1 }),
    users.findAll(from, { email_key: names }),
    users.findAll(from, { username_key: names }),
    users.findAll(from, { external_id: externalIds }),
    ...phones.map((phone) => findAccountsByPhone(from, phone)),
  ])
  const newestAddress = await addresses.findAll(from, {}, { order: '-id', limit: 1 })
  const ofFound = await addresses.findAll(from, { user_id: found.flat().map(({ id }) => id) })
  for (const rows of [admins, ...found]) await users.insertMissing(to, rows)
  const owners = [...newestAddress, ...ofFound].map(({ user_id: id }) => ({ id }))
  await users.insertMissing(to, await users.findAll(from, { id: owners.map(({ id }) => id) }))
  await addresses.insertMissing(to, [...newestAddress, ...ofFound])
  const scheduled = await erasures.findAll(from, { user_id: admins.map(({ id }) => id) })
  await erasures.insertMissing(to, scheduled)
  await copyFormerAddresses(from, to, names)
}
