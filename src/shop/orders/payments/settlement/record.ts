import { giveBackNetworkQuota } from '#http/rate-limit/network-quota.ts'
import { eventStatements } from '#shop/events/outbox-store.ts'
import { settleItemsStatement } from '#shop/orders/order-items/store.ts'
import { orderEvent } from '#shop/orders/orders/events.ts'
import { statusChange } from '#shop/orders/orders/rules.ts'
import { findOrder, type OrderState, updateOrderStatement } from '#shop/orders/orders/store.ts'
import { statusEvents } from '#shop/orders/payments/events.ts'
import { encryptAction } from '#shop/orders/payments/next-action.ts'
import { type PaymentParts, toStoredPayment } from '#shop/orders/payments/parts.ts'
import { isCharged, type Settlement, settle } from '#shop/orders/payments/rules.ts'
import * as store from '#shop/orders/payments/store.ts'
import { recordPurchasesStatement } from '#shop/orders/purchases/store.ts'
import { applyRefunds } from '#shop/orders/refunds/apply.ts'
import {
  compareRefunds,
  createRefundKey,
  hasNewRefundState,
} from '#shop/orders/refunds/settlement.ts'
import { findActiveRefunds } from '#shop/orders/refunds/store.ts'
import { placementQuota } from '#shop/orders/unpaid/limit.ts'
import type { FindOutcome, ProviderPayment } from '#shop/providers/provider.ts'
import type { Db } from '#store/database.ts'
import { writeBatch } from '#store/query/write-batch.ts'
import type { Instant } from '#values/instant.ts'

/** A payment and its order, as read together. */
export interface StartedPayment {
  readonly payment: store.OwnedPayment
  readonly order: OrderState
}

/** A payment after an attempt to record what the provider said about it. */
interface RecordOutcome {
  readonly payment: store.OwnedPayment
  /** True when the payment had changed since the provider was asked: nothing was recorded. */
  readonly isStale: boolean
  /** The network of an order that was paid thereby; null where an administrator placed it. */
  readonly paidNetwork?: string | null
}

const maxAttempts = 5

/**
 * Records the state of a payment at the provider, in the payment, its order, the purchases and the
 * stock, and returns the payment. `payment` is as it was before the provider was asked: if it has
 * changed since, the answer may be outdated, and the provider is asked again. An answer without a
 * state changes nothing. `started` saves reading payment and order.
 */
export async function recordOutcome(
  parts: PaymentParts,
  payment: store.OwnedPayment,
  outcome: FindOutcome,
  started?: StartedPayment,
): Promise<store.OwnedPayment> {
  let known = payment
  let latest = outcome
  let lastRead = started
  for (let attempt = 1; attempt <= maxAttempts && latest.kind === 'payment'; attempt += 1) {
    const { payment: state } = latest
    const seen = known
    const recorded = await parts.transaction((db) => {
      // Used by the first attempt only: the transaction is retried when it is outdated.
      const previous = lastRead
      lastRead = undefined
      return recordState(parts, db, seen, state, previous)
    })
    known = recorded.payment
    await countAsPaid(parts, recorded)
    if (!recorded.isStale) return known
    latest = await parts.provider.find(toStoredPayment(known))
  }
  return known
}

/** Gives an order that is paid back to what its network may place without paying. */
async function countAsPaid(
  { limits, clock }: PaymentParts,
  { paidNetwork = null }: RecordOutcome,
): Promise<void> {
  if (!limits || paidNetwork === null) return
  await giveBackNetworkQuota(limits, placementQuota, paidNetwork, clock())
}

async function recordState(
  parts: Pick<PaymentParts, 'cipher' | 'clock'>,
  db: Db,
  seen: store.OwnedPayment,
  state: ProviderPayment,
  previous: StartedPayment | undefined,
): Promise<RecordOutcome> {
  const known = previous ?? (await readTogether(db, seen))
  if (known.payment.revision !== seen.revision) return { payment: known.payment, isStale: true }
  const now = parts.clock()
  const settlement = settle(known.payment, state, known.order, now)
  // What is written fails when it is outdated, but a decision against writing must be checked.
  if (!settlement && previous) return recordState(parts, db, seen, state, undefined)
  const settled = settlement ? await writeSettlement(parts, db, known, settlement, now) : known
  const payment = await recordRefunds(db, settled, state, settlement?.isTooLate ?? false, now)
  const isPaid = settlement?.order === 'paid'
  return { payment, isStale: false, ...(isPaid && { paidNetwork: known.order.network }) }
}

async function readTogether(
  db: Db,
  { idempotency_key, order_id }: store.OwnedPayment,
): Promise<StartedPayment> {
  const payment = await store.findByKey(db, idempotency_key)
  const order = await findOrder(db, order_id)
  if (!payment || !order) throw new TypeError(`The payment ${idempotency_key} is gone`)
  return { payment, order }
}

/** Writes a settlement; the order gets a new revision in any case. */
async function writeSettlement(
  { cipher }: Pick<PaymentParts, 'cipher'>,
  db: Db,
  { payment, order }: StartedPayment,
  { payment: change, order: effect, action }: Settlement,
  now: Instant,
): Promise<StartedPayment> {
  const next = store.updatePaymentStatement(
    payment,
    action ? { ...change, next_action: encryptAction(cipher, payment, action) } : change,
    now,
  )
  const isPaid = effect === 'paid'
  const revised = updateOrderStatement(order, isPaid ? statusChange('paid', now) : {}, now)
  const events = [
    ...statusEvents(payment, next.payment, now),
    ...(isPaid ? [orderEvent('order.paid', revised.order, now)] : []),
  ]
  await writeBatch(db, [
    next.write,
    revised.write,
    ...(isPaid ? [settleItemsStatement([order.id]), recordPurchasesStatement(order, now)] : []),
    ...eventStatements(db, events),
  ])
  return { payment: next.payment, order: revised.order }
}

/** Records what the provider has returned of a payment, and asks for what came too late. */
async function recordRefunds(
  db: Db,
  { payment, order }: StartedPayment,
  state: ProviderPayment,
  isTooLate: boolean,
  now: Instant,
): Promise<store.OwnedPayment> {
  if (!isTooLate && !(isCharged(payment, state) && hasNewRefundState(payment, state)))
    return payment
  const refunds = await findActiveRefunds(db, order.id)
  const own = refunds.filter(({ payment_id }) => payment_id === payment.id)
  const returnKey = isTooLate ? createRefundKey(order.id) : undefined
  const changes = compareRefunds(payment, own, state, { returnKey, now })
  if (changes.changed.length + changes.added.length === 0) return payment
  return (await applyRefunds(db, { payment, order, refunds }, changes, now)).payment
}
