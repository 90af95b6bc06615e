import { idempotencyKeys } from '#http/pipeline/idempotency/table.ts'
import { guestKeptMs } from '#shop/access/guests/actions.ts'
import { findUser, lockUser } from '#shop/accounts/users/store.ts'
import { users } from '#shop/accounts/users/table.ts'
import { discountUses } from '#shop/checkout/discounts/uses.ts'
import { recordEvents } from '#shop/events/outbox-store.ts'
import { reassignEventsAbout } from '#shop/events/personal-data-store.ts'
import { findFormerAddress } from '#shop/messages/mails/former-address-store.ts'
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
import { type Instant, minuteMs } from '#values/instant.ts'
import {
  findDueJoins,
  hasJoinableOrders,
  joinBatchSize,
  lockPaidOrders,
  mayBePaid,
} from './store.ts'
import { guestOrderJoins } from './table.ts'

/** The maximum number of accounts that a job goes on with at once. */
const joinAccounts = 10

/** How long an account waits for unpaid orders, which are looked at again then. */
const paymentWaitMs = 5 * minuteMs

/** True where guests have placed orders with an address that would join the account that confirms it. */
export const ordersAwaitAddress: RecoveryParts['awaitsAddress'] = (db, contactKey, confirmedAt) =>
  hasJoinableOrders(db, { contactKey, confirmedAt })

/**
 * Gives an account that has confirmed its address the paid orders of guests with that contact address. What is
 * beyond one batch, what is paid later, and all while the change to the address can be undone, the job
 * `continueJoins` does.
 */
export const joinGuestOrders: RecoveryParts['onAddressConfirmed'] = async (db, account, now) => {
  const join = { user_id: account.id, contact_key: account.email_key, confirmed_at: now }
  await guestOrderJoins.delete(db, { user_id: account.id })
  const due_at = await joinOrders(db, join, now)
  if (due_at !== undefined) await guestOrderJoins.insert(db, { ...join, due_at })
}

/** Goes on with the accounts whose time has come, a batch of orders each; returns their number. */
export async function continueJoins(
  transaction: RunTransaction,
  db: Db,
  now: Instant,
): Promise<number> {
  const due = await findDueJoins(db, now, joinAccounts)
  for (const { user_id } of due) {
    await transaction(async (tx) => {
      await lockUser(tx, user_id)
      const join = await guestOrderJoins.find(tx, { user_id })
      const account = await findUser(tx, user_id)
      const isStill = account?.email_verified === 1 && account.email_key === join?.contact_key
      const due_at = join && isStill ? await joinOrders(tx, join, now) : undefined
      if (due_at === undefined) await guestOrderJoins.delete(tx, { user_id })
      else await guestOrderJoins.update(tx, { user_id }, { due_at })
    })
  }
  return due.length
}

type Join = Omit<Parameters<typeof guestOrderJoins.insert>[1], 'due_at'>

/** Moves a batch of the orders that may be moved now; returns when to go on, undefined if none is left. */
async function joinOrders(db: Db, join: Join, now: Instant): Promise<Instant | undefined> {
  // Whoever undoes the change would take the orders along to another mailbox.
  const former = await findFormerAddress(db, join.user_id, now)
  if (former) return former.expires_at
  const address = { contactKey: join.contact_key, confirmedAt: join.confirmed_at }
  // Before the paid ones are read: one that is paid in between is found again.
  const awaitsPayment = await mayBePaid(db, address)
  const found = await lockPaidOrders(db, address)
  if (found.length > 0) await moveOrders(db, found, join.user_id, now)
  if (found.length === joinBatchSize) return now
  return awaitsPayment ? now + paymentWaitMs : undefined
}

/** Moves orders of guests, with all that is of them, to an account. */
async function moveOrders(
  db: Db,
  found: Awaited<ReturnType<typeof lockPaidOrders>>,
  to: number,
  now: Instant,
): Promise<void> {
  const order_id = found.map(({ id }) => id)
  const guests = [...new Set(found.map(({ user_id }) => user_id))]
  // The next revision makes whoever is settling a payment read the new buyer.
  const joined = await orders.reviseRows(db, { id: order_id }, ownedBy(to), now)
  await movePurchases(db, { order_id }, to, now)
  // A stranger may have typed the address into an order that costs nothing: its use stays the stranger's.
  const charged = joined.filter(({ total }) => total > 0).map(({ id }) => id)
  await discountUses.update(db, { order_id: charged }, { user_id: to })
  await mails.update(db, { user_id: guests, order_id }, { user_id: to })
  const paid = await payments.findAll(db, { order_id })
  const events = joined.map((order) => orderEvent('order.updated', order, now))
  const subjects = [...events.map(({ subject }) => subject), ...paid.map(paymentSubject)]
  await reassignEventsAbout(db, subjects, { from: guests, to })
  await recordEvents(db, events)
  // Erased with the account: their answers show the orders.
  await idempotencyKeys.update(db, { owner_id: guests }, { owner_id: to })
  // A guest who is left without an order is erased in time.
  await users.update(db, { id: guests, guest_until: null }, { guest_until: now + guestKeptMs })
}
