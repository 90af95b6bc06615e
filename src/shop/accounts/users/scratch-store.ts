import { erasures } from '#shop/accounts/erasures/table.ts'
import { copyFormerAddresses } from '#shop/messages/mails/former-address-store.ts'
import type { Db } from '#store/database.ts'
import { users } from './table.ts'

/**
 * Copies what saving users with these emails and usernames may read to a scratch database, but for what is
 * there: whoever has one of them, now or before a change that can be undone, the administrators, and the
 * newest user, after whose ID new ones follow; and whoever has one of these external IDs. The names are in the form in which they are compared.
 */
export async function copyUsers(
  from: Db,
  to: Db,
  names: readonly string[],
  externalIds: readonly string[],
): Promise<void> {
  const admins = await users.findAll(from, { role: 'admin', deleted_at: null })
  const found = await Promise.all([
    users.findAll(from, {}, { order: '-id', limit: 1 }),
    users.findAll(from, { email_key: names }),
    users.findAll(from, { username_key: names }),
    users.findAll(from, { external_id: externalIds }),
  ])
  for (const rows of [admins, ...found]) await users.insertMissing(to, rows)
  const scheduled = await erasures.findAll(from, { user_id: admins.map(({ id }) => id) })
  await erasures.insertMissing(to, scheduled)
  await copyFormerAddresses(from, to, names)
}
