import { randomUUID } from 'node:crypto'
import type { Db } from '#db/database.ts'
import { writeBatch } from '#db/query/write-together.ts'
import type { RunTransaction } from '#db/stale-write.ts'
import { statusChange } from '#resources/orders/rules.ts'
import {
  findOrder,
  findUserOrderToPay,
  type OrderState,
  updateOrder,
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
  unknownOutcomeProblem,
} from './rules.ts'
import type { PaymentBody } from './schema.ts'
import * as store from './store.ts'

/** What payments need besides a database. */
export interface PaymentDependencies {
  readonly transaction: RunTransaction
  readonly provider: PaymentProvider
  /** Where the provider sends notifications. */
  readonly callbackUrl: string
  readonly clock: () => Instant
}

/** A started payment and its order, as last read. */
interface StartedPayment {
  readonly payment: store.OwnedPayment
  readonly order: OrderState
}

/** A request of a user to pay for an order. */
interface PaymentRequest {
  readonly userId: number
  readonly orderId: number
  readonly body: PaymentBody
}

/**
 * Stores a pending payment before any money moves, so that the settlement job finds it even if the
 * process ends. Throws 404, 409, 410 or 422 when the order cannot be paid. Three statements; two
 * round trips on PostgreSQL.
 */
export async function startPayment(
  db: Db,
  { userId, orderId, body: { method, amount } }: PaymentRequest,
  provider: string,
  now: Instant,
): Promise<StartedPayment> {
  const order = requirePresent(await findUserOrderToPay(db, userId, orderId))
  requirePayable(order, amount, now)
  // A new revision of the order makes concurrent changes of it fail.
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
  await writeBatch(db, [revised.write, write], store.toPaymentInProgress)
  return { payment: { ...payment, user_id }, order: revised.order }
}

/**
 * Charges a started payment and stores the outcome. When the outcome is unknown, voids the charge so
 * that the buyer can try again; when that is unknown too, the payment stays pending. Throws 4223,
 * 5021, 5031 or 5041 unless the charge succeeds or is pending.
 */
export async function charge(
  dependencies: PaymentDependencies,
  started: StartedPayment,
  token: string,
): Promise<store.OwnedPayment> {
  const { payment } = started
  const { attempt_key: key, amount_minor: amountMinor, currency } = payment
  const { provider, callbackUrl } = dependencies
  const outcome = await provider.charge({ key, token, amountMinor, currency, callbackUrl })
  const settled = await applyOutcome(dependencies, payment, outcome, started)
  if (outcome.kind === 'answered') return requireUndeclined(settled)
  const voided = await applyOutcome(dependencies, payment, await provider.void(key))
  if (voided.status === 'succeeded') return voided
  throw unknownOutcomeProblem(outcome.because)
}

/** Throws 422/4223 for a payment that the provider has declined. */
export function requireUndeclined(payment: store.OwnedPayment): store.OwnedPayment {
  if (payment.status !== 'failed') return payment
  throw problem('4223', 'payment.declined', { reason: payment.failure ?? '' })
}

/**
 * Applies the outcome of a request to the provider; an unknown or absent charge changes nothing.
 */
async function applyOutcome(
  { transaction, clock }: PaymentDependencies,
  payment: store.OwnedPayment,
  outcome: ProviderLookup,
  started?: StartedPayment,
): Promise<store.OwnedPayment> {
  if (outcome.kind !== 'answered') return payment
  let lastRead = started
  const settled = await transaction((db) => {
    // Used by the first attempt only: the transaction is retried when these are outdated.
    const previous = lastRead
    lastRead = undefined
    return applyCharge(db, outcome.charge, clock(), previous)
  })
  return settled ?? payment
}

/**
 * Applies the state of a charge to the payment, its order, the purchases and the stock, in the
 * caller's transaction. A repeated or older state changes nothing. `previous` saves reading payment
 * and order. Returns undefined for an unknown key.
 */
export async function applyCharge(
  db: Db,
  update: Charge,
  now: Instant,
  previous?: StartedPayment,
): Promise<store.OwnedPayment | undefined> {
  const found = previous ?? (await findStarted(db, update.key))
  if (!found) return undefined
  const { payment, order } = found
  const settlement = settle(payment, update, order.status, now)
  // An outdated `previous` cannot be written, because revisions are compared, but may hide a change.
  if (!settlement) return previous ? applyCharge(db, update, now) : payment
  const next = store.updatePaymentStatement(payment, settlement.payment, now)
  if (settlement.order === 'refunded') {
    await writeBatch(db, [next.write])
    await markRefunded(db, order, now)
  } else {
    const isPaid = settlement.order === 'paid'
    const { write } = updateOrderStatement(order, isPaid ? statusChange('paid', now) : {}, now)
    const recorded = isPaid ? [recordPurchasesStatement(order, now)] : []
    await writeBatch(db, [next.write, write, ...recorded])
  }
  return next.payment
}

async function findStarted(db: Db, key: string): Promise<StartedPayment | undefined> {
  const payment = await store.findByKey(db, key)
  const order = payment && (await findOrder(db, payment.order_id))
  return order && { payment, order }
}

async function markRefunded(db: Db, order: OrderState, now: Instant): Promise<void> {
  if (order.status === 'delivered') {
    await updateOrder(db, order, statusChange('refunded', now), now)
  } else if (order.status === 'paid') {
    await updateOrder(db, order, statusChange('cancelled', now), now)
    await returnStock(db, [order.id], now)
  } else return
  await deletePurchases(db, order.id)
}

/**
 * Stores the request to refund an order before any money moves. Throws 409 when nothing was paid.
 */
export async function startRefund(
  db: Db,
  order: OrderState,
  now: Instant,
): Promise<store.OwnedPayment> {
  const payment = await store.findSucceededPayment(db, order.id)
  if (!payment) throw problem('4091', 'order.transition', { from: order.status, to: 'refunded' })
  const request = { refund_requested_at: now, settle_after: now + settlementDelayMs }
  const next = store.updatePaymentStatement(payment, request, now)
  await writeBatch(db, [updateOrderStatement(order, {}, now).write, next.write])
  return next.payment
}

/**
 * Refunds a payment and stores the outcome. Throws 5021, 5031 or 5041 unless the refund is done.
 */
export async function refund(
  dependencies: PaymentDependencies,
  payment: store.OwnedPayment,
): Promise<void> {
  const outcome = await requestRefund(dependencies.provider, payment)
  const settled = await applyOutcome(dependencies, payment, outcome)
  if (settled.refund_requested_at === null) return
  throw unknownOutcomeProblem(outcome.kind === 'unknown' ? outcome.because : 'garbage')
}

/** Refunds a charge; voids one that the provider does not know, so that it cannot be made later. */
async function requestRefund(
  provider: PaymentProvider,
  { attempt_key: key }: store.OwnedPayment,
): Promise<ProviderOutcome> {
  const outcome = await provider.refund(key)
  return outcome.kind === 'absent' ? provider.void(key) : outcome
}

/**
 * Settles payments whose requests ended without an outcome, by querying the provider. Returns how
 * many were queried. Processes may run this concurrently, because each payment is claimed first.
 */
export async function settleUnfinished(dependencies: PaymentDependencies, db: Db): Promise<number> {
  const now = dependencies.clock()
  let settled = 0
  for (const payment of await store.findUnsettled(db, now)) {
    if (!(await store.claimUnsettled(db, payment, now + 2 * settlementDelayMs))) continue
    await applyOutcome(
      dependencies,
      payment,
      await queryProvider(dependencies.provider, payment, now),
    )
    settled++
  }
  return settled
}

const isDecisionOverdue = (payment: store.OwnedPayment, now: Instant): boolean =>
  now - payment.created_at > decisionWindowMs

async function queryProvider(
  provider: PaymentProvider,
  payment: store.OwnedPayment,
  now: Instant,
): Promise<ProviderLookup> {
  const key = payment.attempt_key
  if (payment.refund_requested_at !== null) return requestRefund(provider, payment)
  // A charge that never got a response is voided; one that is pending at the provider is awaited.
  if (payment.provider_reference === null || isDecisionOverdue(payment, now)) {
    return provider.void(key)
  }
  return provider.find(key)
}
