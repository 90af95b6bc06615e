import { guestKeptMs } from '#shop/access/guests/actions.ts'
import { eraseUser } from '#shop/accounts/users/actions.ts'
import { findUser, lockUser } from '#shop/accounts/users/store.ts'
import { users } from '#shop/accounts/users/table.ts'
import type { PersonalData } from '#shop/personal-data.ts'
import type { Db } from '#store/database.ts'
import type { RunTransaction } from '#store/stale-write.ts'
import { serverActor } from '#values/audit.ts'
import type { Instant } from '#values/instant.ts'
import * as store from './sweep-store.ts'

/** The maximum number of guests that a job erases at once. */
export const guestBatchSize = 20

/** When to look at a user again who is not to be erased now; null for never. */
function lookAgainAt({ role, deleted_at, kept_id, ordered_at }: store.DueGuest): Instant | null {
  if (role !== 'guest' || deleted_at !== null || kept_id !== null) return null
  return (ordered_at ?? 0) + guestKeptMs
}

const isErasable = (guest: store.DueGuest, now: Instant): boolean => {
  const at = lookAgainAt(guest)
  return at !== null && at <= now
}

/**
 * Erases guests, each in a transaction, 30 days after they began and after the last of their orders, if these
 * were all cancelled without payment. Returns how many were looked at. One with another order is kept for good.
 */
export async function eraseDueGuests(
  transaction: RunTransaction,
  db: Db,
  personalDataDeclarations: readonly PersonalData[],
  now: Instant,
): Promise<number> {
  const due = await store.listDueGuests(db, now, guestBatchSize)
  const kept = due.filter((guest) => !isErasable(guest, now))
  for (const [guest_until, guests] of Map.groupBy(kept, lookAgainAt)) {
    await users.update(db, { id: guests.map(({ id }) => id) }, { guest_until })
  }
  for (const { id } of due.filter((guest) => isErasable(guest, now))) {
    await transaction(async (tx) => {
      // An order that is being placed holds the lock, or waits for it and then finds no buyer.
      await lockUser(tx, id)
      const guest = await store.findDueGuest(tx, id)
      const user = await findUser(tx, id)
      if (!guest || !user || !isErasable(guest, now)) return
      await eraseUser(tx, personalDataDeclarations, user, serverActor(now))
    })
  }
  return due.length
}
