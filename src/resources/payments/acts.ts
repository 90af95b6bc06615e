import { randomUUID } from 'node:crypto'
import type { Db } from '#store/database.ts'
import type { Transact } from '#store/stale-write.ts'
import type { Instant } from '#values/instant.ts'
import { refusal } from '#values/refusal.ts'
import { movedTo } from '../orders/rules.ts'
import { findOrder, type OrderState, reviseOrder } from '../orders/store.ts'
import { returnStock } from '../products/store.ts'
import { recordPurchases, withdrawPurchases } from '../purchases/store.ts'
import type { Charge, PaymentProvider, ProviderLookup, ProviderOutcome } from './provider.ts'
import {
  decisionWindowMs,
  requirePayable,
  settle,
  settlementDelayMs,
  unknownOutcome,
} from './rules.ts'
import type { PaymentBody } from './schema.ts'
import * as store from './store.ts'

/** What paying needs beside a database. */
export interface Till {
  readonly transaction: Transact
  readonly provider: PaymentProvider
  readonly callbackUrl: string
  readonly clock: () => Instant
}

/**
 * Keeps the intention to pay, before any money moves: whatever happens after, the settlement job
 * finds it. Refused where the order cannot be paid or another payment is under way.
 */
export async function beginPayment(
  db: Db,
  order: OrderState,
  body: PaymentBody,
  provider: string,
  now: Instant,
): Promise<store.OwnedPayment> {
  requirePayable(order, body.amount, now)
  // The order's next revision keeps everybody else's change of it apart from this payment.
  await reviseOrder(db, order, {}, now)
  const payment = await store.insertPayment(db, {
    order_id: order.id,
    attempt_key: `order-${order.id}-${randomUUID()}`,
    method: body.method,
    amount_minor: order.total_minor,
    currency: order.currency,
    provider,
    settle_after: now + settlementDelayMs,
    now,
  })
  return { ...payment, user_id: order.user_id }
}

/**
 * Asks the provider for the money and keeps what came of it. Where the provider leaves that open,
 * the charge is called off, so that the buyer can try again; where even that stays open, the
 * payment stays pending. Throws 4223, 5021, 5031 or 5041 for a payment without success.
 */
export async function charge(
  till: Till,
  payment: store.OwnedPayment,
  token: string,
): Promise<store.OwnedPayment> {
  const { attempt_key: key, amount_minor: amountMinor, currency } = payment
  const { provider, callbackUrl } = till
  const outcome = await provider.charge({ key, token, amountMinor, currency, callbackUrl })
  const settled = await keep(till, payment, outcome)
  if (outcome.kind === 'answered') return requireUndeclined(settled)
  const after = await keep(till, payment, await provider.void(key))
  if (after.status === 'succeeded') return after
  throw unknownOutcome(outcome.because)
}

/** Refuses with 422/4223 for a payment that the provider has declined. */
export function requireUndeclined(payment: store.OwnedPayment): store.OwnedPayment {
  if (payment.status !== 'failed') return payment
  throw refusal('4223', 'payment.declined', { reason: payment.failure ?? '' })
}

/** Keeps what an answer says; an answer that says nothing changes nothing. */
async function keep(
  { transaction, clock }: Till,
  payment: store.OwnedPayment,
  outcome: ProviderLookup,
): Promise<store.OwnedPayment> {
  if (outcome.kind !== 'answered') return payment
  return (await transaction((db) => applyCharge(db, outcome.charge, clock()))) ?? payment
}

/**
 * Applies the provider's word on a charge, in the caller's transaction: to the payment, its order,
 * the purchases and the stock, all or nothing. The same word twice, or an older one, changes
 * nothing. Undefined for a charge that is not ours.
 */
export async function applyCharge(
  db: Db,
  charged: Charge,
  now: Instant,
): Promise<store.OwnedPayment | undefined> {
  const payment = await store.findByKey(db, charged.key)
  const order = payment && (await findOrder(db, payment.order_id))
  if (!payment || !order) return undefined
  const settlement = settle(payment, charged, order.status, now)
  if (!settlement) return payment
  const next = await store.revisePayment(db, payment, settlement.payment, now)
  if (settlement.order === 'paid') await markPaid(db, order, now)
  else if (settlement.order === 'returned') await markReturned(db, order, now)
  else await reviseOrder(db, order, {}, now)
  return next
}

async function markPaid(db: Db, order: OrderState, now: Instant): Promise<void> {
  await reviseOrder(db, order, movedTo('paid', now), now)
  await recordPurchases(db, order, now)
}

async function markReturned(db: Db, order: OrderState, now: Instant): Promise<void> {
  if (order.status === 'delivered') {
    await reviseOrder(db, order, movedTo('refunded', now), now)
  } else if (order.status === 'paid') {
    await reviseOrder(db, order, movedTo('cancelled', now), now)
    await returnStock(db, [order.id], now)
  } else return
  await withdrawPurchases(db, order.id)
}

/** Keeps the intention to give an order's money back, before any moves; refused when it has none. */
export async function beginRefund(
  db: Db,
  order: OrderState,
  now: Instant,
): Promise<store.OwnedPayment> {
  const payment = await store.findStanding(db, order.id)
  if (!payment) throw refusal('4091', 'order.transition', { from: order.status, to: 'refunded' })
  await reviseOrder(db, order, {}, now)
  return store.revisePayment(
    db,
    payment,
    { refund_requested_at: now, settle_after: now + settlementDelayMs },
    now,
  )
}

/** Asks the provider to give the money back and keeps what came of it; 5021, 5031 or 5041 if not. */
export async function refund(till: Till, payment: store.OwnedPayment): Promise<void> {
  const outcome = await askForRefund(till.provider, payment)
  const settled = await keep(till, payment, outcome)
  if (settled.refund_requested_at === null) return
  throw unknownOutcome(outcome.kind === 'unknown' ? outcome.because : 'garbage')
}

/** A charge that the provider has never seen is closed instead, so that it cannot come later. */
async function askForRefund(
  provider: PaymentProvider,
  { attempt_key: key }: store.OwnedPayment,
): Promise<ProviderOutcome> {
  const outcome = await provider.refund(key)
  return outcome.kind === 'absent' ? provider.void(key) : outcome
}

/**
 * Settles payments that their requests left open, by asking the provider; tells how many. Any
 * number of processes may do so at once: each payment is claimed first.
 */
export async function settleUnfinished(till: Till, db: Db): Promise<number> {
  const now = till.clock()
  let settled = 0
  for (const payment of await store.findUnsettled(db, now)) {
    if (!(await store.claimUnsettled(db, payment, now + 2 * settlementDelayMs))) continue
    await keep(till, payment, await askAbout(till.provider, payment, now))
    settled++
  }
  return settled
}

const decisionIsOverdue = (payment: store.OwnedPayment, now: Instant): boolean =>
  now - payment.created_at > decisionWindowMs

async function askAbout(
  provider: PaymentProvider,
  payment: store.OwnedPayment,
  now: Instant,
): Promise<ProviderLookup> {
  const key = payment.attempt_key
  if (payment.refund_requested_at !== null) return askForRefund(provider, payment)
  // A charge nobody ever heard of is called off; one that the provider is deciding is waited for.
  if (payment.provider_reference === null || decisionIsOverdue(payment, now)) {
    return provider.void(key)
  }
  return provider.find(key)
}
