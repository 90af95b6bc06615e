import { randomUUID } from 'node:crypto'
import type { Db } from '#db/database.ts'
import { writeTogether } from '#db/query/write-together.ts'
import type { Transact } from '#db/stale-write.ts'
import { movedTo } from '#resources/orders/rules.ts'
import {
  findOrder,
  findUserOrderToPay,
  type OrderState,
  reviseOrder,
  updateOrderStatement,
} from '#resources/orders/store.ts'
import { returnStock } from '#resources/products/stock-store.ts'
import { deletePurchases, recordPurchasesStatement } from '#resources/purchases/store.ts'
import type {
  Charge,
  PaymentProvider,
  ProviderLookup,
  ProviderOutcome,
} from '#src/payments/provider.ts'
import type { Instant } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import {
  decisionWindowMs,
  requirePayable,
  requirePresent,
  settle,
  settlementDelayMs,
  unknownOutcome,
} from './rules.ts'
import type { PaymentBody } from './schema.ts'
import * as store from './store.ts'

/** What paying needs beside a database. */
export interface PaymentDependencies {
  readonly transaction: Transact
  readonly provider: PaymentProvider
  readonly callbackUrl: string
  readonly clock: () => Instant
}

/** A payment under way and its order, as they were last known. */
interface StartedPayment {
  readonly payment: store.OwnedPayment
  readonly order: OrderState
}

/** Who pays for which order, by what, and how much he thinks that it is. */
interface RequestedLine {
  readonly userId: number
  readonly orderId: number
  readonly body: PaymentBody
}

/**
 * Keeps the intention to pay, before any money moves: whatever happens after, the settlement job
 * finds it. Refused where the order cannot be paid or another payment is under way. Three
 * statements; two round trips on PostgreSQL.
 */
export async function startPayment(
  db: Db,
  { userId, orderId, body: { method, amount } }: RequestedLine,
  provider: string,
  now: Instant,
): Promise<StartedPayment> {
  const order = requirePresent(await findUserOrderToPay(db, userId, orderId))
  requirePayable(order, amount, now)
  // The order's next revision keeps everybody else's change of it apart from this payment.
  const revised = updateOrderStatement(order, {}, now)
  const { next_payment_id: id, total_minor: amount_minor, currency, user_id } = order
  const { payment, write } = store.insertPaymentStatement({
    id,
    order_id: orderId,
    attempt_key: `order-${orderId}-${randomUUID()}`,
    method,
    amount_minor,
    currency,
    provider,
    settle_after: now + settlementDelayMs,
    now,
  })
  await writeTogether(db, [revised.write, write], store.refuseSecondPayment)
  return { payment: { ...payment, user_id }, order: revised.order }
}

/**
 * Asks the provider for the money and keeps what came of it. Where the provider leaves that open,
 * the charge is called off, so that the buyer can try again; where even that stays open, the
 * payment stays pending. Throws 4223, 5021, 5031 or 5041 for a payment without success.
 */
export async function charge(
  paymentDependencies: PaymentDependencies,
  started: StartedPayment,
  token: string,
): Promise<store.OwnedPayment> {
  const { payment } = started
  const { attempt_key: key, amount_minor: amountMinor, currency } = payment
  const { provider, callbackUrl } = paymentDependencies
  const outcome = await provider.charge({ key, token, amountMinor, currency, callbackUrl })
  const settled = await keep(paymentDependencies, payment, outcome, started)
  if (outcome.kind === 'answered') return requireUndeclined(settled)
  const after = await keep(paymentDependencies, payment, await provider.void(key))
  if (after.status === 'succeeded') return after
  throw unknownOutcome(outcome.because)
}

/** Refuses with 422/4223 for a payment that the provider has declined. */
export function requireUndeclined(payment: store.OwnedPayment): store.OwnedPayment {
  if (payment.status !== 'failed') return payment
  throw problem('4223', 'payment.declined', { reason: payment.failure ?? '' })
}

/** Keeps what an answer says; an answer that says nothing changes nothing. */
async function keep(
  { transaction, clock }: PaymentDependencies,
  payment: store.OwnedPayment,
  outcome: ProviderLookup,
  started?: StartedPayment,
): Promise<store.OwnedPayment> {
  if (outcome.kind !== 'answered') return payment
  let known = started
  const settled = await transaction((db) => {
    // Only at first: where that is no longer so, the transaction fails and is run again.
    const remembered = known
    known = undefined
    return applyCharge(db, outcome.charge, clock(), remembered)
  })
  return settled ?? payment
}

/**
 * Applies the provider's word on a charge, in the caller's transaction: to the payment, its order,
 * the purchases and the stock, all or nothing. What is remembered of them spares reading. The same word twice, or an older one, changes
 * nothing. Undefined for a charge that is not ours.
 */
export async function applyCharge(
  db: Db,
  charged: Charge,
  now: Instant,
  remembered?: StartedPayment,
): Promise<store.OwnedPayment | undefined> {
  const found = remembered ?? (await findStarted(db, charged.key))
  if (!found) return undefined
  const { payment, order } = found
  const settlement = settle(payment, charged, order.status, now)
  // What is remembered may be old, but a change that follows from it is kept only if it is not.
  if (!settlement) return remembered ? applyCharge(db, charged, now) : payment
  const next = store.updatePaymentStatement(payment, settlement.payment, now)
  if (settlement.order === 'returned') {
    await writeTogether(db, [next.write])
    await markReturned(db, order, now)
  } else {
    const isPaid = settlement.order === 'paid'
    const { write } = updateOrderStatement(order, isPaid ? movedTo('paid', now) : {}, now)
    const recorded = isPaid ? [recordPurchasesStatement(order, now)] : []
    await writeTogether(db, [next.write, write, ...recorded])
  }
  return next.payment
}

async function findStarted(db: Db, key: string): Promise<StartedPayment | undefined> {
  const payment = await store.findByKey(db, key)
  const order = payment && (await findOrder(db, payment.order_id))
  return order && { payment, order }
}

async function markReturned(db: Db, order: OrderState, now: Instant): Promise<void> {
  if (order.status === 'delivered') {
    await reviseOrder(db, order, movedTo('refunded', now), now)
  } else if (order.status === 'paid') {
    await reviseOrder(db, order, movedTo('cancelled', now), now)
    await returnStock(db, [order.id], now)
  } else return
  await deletePurchases(db, order.id)
}

/** Keeps the intention to give an order's money back, before any moves; refused when it has none. */
export async function startRefund(
  db: Db,
  order: OrderState,
  now: Instant,
): Promise<store.OwnedPayment> {
  const payment = await store.findStanding(db, order.id)
  if (!payment) throw problem('4091', 'order.transition', { from: order.status, to: 'refunded' })
  const asked = { refund_requested_at: now, settle_after: now + settlementDelayMs }
  const next = store.updatePaymentStatement(payment, asked, now)
  await writeTogether(db, [updateOrderStatement(order, {}, now).write, next.write])
  return next.payment
}

/** Asks the provider to give the money back and keeps what came of it; 5021, 5031 or 5041 if not. */
export async function refund(
  paymentDependencies: PaymentDependencies,
  payment: store.OwnedPayment,
): Promise<void> {
  const outcome = await askForRefund(paymentDependencies.provider, payment)
  const settled = await keep(paymentDependencies, payment, outcome)
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
export async function settleUnfinished(
  paymentDependencies: PaymentDependencies,
  db: Db,
): Promise<number> {
  const now = paymentDependencies.clock()
  let settled = 0
  for (const payment of await store.findUnsettled(db, now)) {
    if (!(await store.claimUnsettled(db, payment, now + 2 * settlementDelayMs))) continue
    await keep(
      paymentDependencies,
      payment,
      await askAbout(paymentDependencies.provider, payment, now),
    )
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
