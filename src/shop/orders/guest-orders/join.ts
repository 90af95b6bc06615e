import { guestKeptMs } from '#shop/access/guests/actions.ts'
import { findUser, lockUser } from '#shop/accounts/users/store.ts'
import { users } from '#shop/accounts/users/table.ts'
import { discountUses } from '#shop/checkout/discounts/uses.ts'
import { recordEvents } from '#shop/events/outbox-store.ts'
import { reassignEventsAbout } from '#shop/events/personal-data-store.ts'
import { mails } from '#shop/messages/mails/table.ts'
import { orderEvent } from '#shop/orders/orders/events.ts'
import { ownedBy } from '#shop/orders/orders/personal-data.ts'
import { orders } from '#shop/orders/orders/table.ts'
import { paymentSubject } from '#shop/orders/payments/events.ts'
import { payments } from '#shop/orders/payments/table.ts'
import { movePurchases } from '#shop/orders/purchases/store.ts'
import type { RecoveryParts } from '#shop/recovery.ts'
import type { Db } from '#store/database.ts'
import type { RunTransaction } from '#store/stale-write.ts'
import type { Instant } from '#values/instant.ts'
import { joinBatchSize, lockGuestOrders } from './store.ts'
import { guestOrderJoins } from './table.ts'

/** The maximum number of accounts that a job goes on with at once. */
const joinAccounts = 10

/**
 * Gives an account that has confirmed its address the orders of guests with that contact address. What is
 * beyond one batch, the job `continueJoins` does.
 */
export const joinGuestOrders: RecoveryParts['onAddressConfirmed'] = async (db, account, now) => {
  const join = { user_id: account.id, contact_key: account.email_key, confirmed_at: now }
  await guestOrderJoins.delete(db, { user_id: account.id })
  if (await joinBatch(db, join, now)) await guestOrderJoins.insert(db, join)
}

/** Goes on with the accounts that have guest orders to take over, a batch each; returns their number. */
export async function continueJoins(
  transaction: RunTransaction,
  db: Db,
  now: Instant,
): Promise<number> {
  const due = await guestOrderJoins.findAll(db, {}, { limit: joinAccounts })
  for (const { user_id } of due) {
    await transaction(async (tx) => {
      await lockUser(tx, user_id)
      const join = await guestOrderJoins.find(tx, { user_id })
      const account = await findUser(tx, user_id)
      const isStill = account?.email_verified === 1 && account.email_key === join?.contact_key
      if (join && isStill && (await joinBatch(tx, join, now))) return
      await guestOrderJoins.delete(tx, { user_id })
    })
  }
  return due.length
}

type Join = Parameters<typeof guestOrderJoins.insert>[1]

/** Moves a batch of orders; returns true if there may be more. */
async function joinBatch(
  db: Db,
  { user_id: to, contact_key: contactKey, confirmed_at: confirmedAt }: Join,
  now: Instant,
): Promise<boolean> {
  const found = await lockGuestOrders(db, { contactKey, confirmedAt })
  if (found.length === 0) return false
  const order_id = found.map(({ id }) => id)
  const guests = [...new Set(found.map(({ user_id }) => user_id))]
  // The next revision makes whoever is settling a payment read the new buyer.
  const joined = await orders.reviseRows(db, { id: order_id }, ownedBy(to), now)
  await movePurchases(db, { order_id }, to, now)
  await discountUses.update(db, { order_id }, { user_id: to })
  await mails.update(db, { user_id: guests, order_id }, { user_id: to })
  const paid = await payments.findAll(db, { order_id })
  const events = joined.map((order) => orderEvent('order.updated', order, now))
  const subjects = [...events.map(({ subject }) => subject), ...paid.map(paymentSubject)]
  await reassignEventsAbout(db, subjects, { from: guests, to })
  await recordEvents(
    db,
    events.filter((_, index) => joined[index]?.deleted_at === null),
  )
  // A guest who is left without an order is erased in time.
  await users.update(db, { id: guests, guest_until: null }, { guest_until: now + guestKeptMs })
  return found.length === joinBatchSize
}
