import { findLines } from '#shop/orders/order-items/store.ts'
import { findOrder, type OrderState } from '#shop/orders/orders/store.ts'
import { piecesByItem } from '#shop/orders/parcels/quantities.ts'
import { type PaymentParts, toStoredPayment } from '#shop/orders/payments/parts.ts'
import { settlementDelayMs, unknownOutcomeProblem } from '#shop/orders/payments/rules.ts'
import { recordOutcome } from '#shop/orders/payments/settlement/record.ts'
import {
  findPayment,
  findSucceededPayment,
  type OwnedPayment,
} from '#shop/orders/payments/store.ts'
import { claimedPieces } from '#shop/orders/returns/claims.ts'
import { findReturns } from '#shop/orders/returns/store.ts'
import type {
  PaymentOutcome,
  PaymentProvider,
  ProviderRefund,
  UnknownOutcome,
} from '#shop/providers/provider.ts'
import type { Db } from '#store/database.ts'
import { requireWrittenRow } from '#store/stale-write.ts'
import type { Instant } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import { applyRefunds, type RefundedOrder } from './apply.ts'
import {
  type PricedRefund,
  priceRefund,
  quantitiesLeft,
  requireConsistentBody,
  requireRefundableOrder,
} from './rules.ts'
import type { RefundBody } from './schema.ts'
import { changeOfRefund, createRefundKey, providerKeyOf } from './settlement.ts'
import * as store from './store.ts'
import type { StoredRefund } from './table.ts'

/** A refund that is stored, and its payment. */
export interface StartedRefund {
  readonly refund: StoredRefund
  readonly payment: OwnedPayment
}

/**
 * Stores a refund before any money moves, and reserves what it takes. One of pieces that cost nothing
 * succeeds at once. Throws 409 when the order cannot be refunded, less is left or the payment was made
 * at another provider than the present one, and 422 for a contradictory body.
 */
export async function startRefund(
  db: Db,
  order: OrderState,
  body: RefundBody,
  provider: PaymentProvider,
  now: Instant,
  returnId: number | null = null,
): Promise<StartedRefund> {
  requireConsistentBody(body)
  requireRefundableOrder(order)
  const refunded = await readRefundedOrder(db, order, provider)
  if (returnId === null && order.return_count > 0) {
    await requireUnclaimed(db, refunded, body)
  }
  return priceAndInsert(db, refunded, body, now, returnId)
}

/** Throws 409 for pieces that an open return claims: they are refunded by it. */
async function requireUnclaimed(
  db: Db,
  { order, refunds }: RefundedOrder,
  { items }: RefundBody,
): Promise<void> {
  if (!items) return
  const claimed = claimedPieces(await findReturns(db, order), refunds)
  const left = piecesByItem([
    { items: quantitiesLeft({ items: await findLines(db, order.id) }, refunds) },
  ])
  for (const [id, quantity] of piecesByItem([{ items }])) {
    const claims = claimed.get(id) ?? 0
    if (claims > 0 && quantity > (left.get(id) ?? 0) - claims) {
      throw problem('4091', 'refund.pieces_claimed', { claimed: claims })
    }
  }
}

async function priceAndInsert(
  db: Db,
  refunded: RefundedOrder,
  body: RefundBody,
  now: Instant,
  return_id: number | null = null,
): Promise<StartedRefund> {
  const { payment, order, refunds } = refunded
  const items = await findLines(db, order.id)
  const priced = priceRefund(body, { ...order, items }, refunds, amountLeft(payment))
  return insert(db, refunded, { ...priced, return_id, reason: body.reason ?? null }, now)
}

/** What neither succeeded nor pending refunds take of a payment. */
const amountLeft = ({ amount, refunded, refunding }: OwnedPayment) =>
  Math.max(0, amount - refunded - refunding)

async function readRefundedOrder(
  db: Db,
  order: OrderState,
  provider: PaymentProvider,
): Promise<RefundedOrder> {
  if (order.source === 'import') throw problem('4091', 'refund.imported')
  const found = await findSucceededPayment(db, order.id)
  if (!found && order.total === 0) throw problem('4091', 'refund.nothing_paid')
  // Without one, the order was refunded since it was read.
  const payment = requireWrittenRow(found)
  if (payment.provider !== provider.name) {
    throw problem('4091', 'payment.other_provider', { provider: payment.provider })
  }
  // After the payment, whose revision shows whether they have changed since.
  return { payment, order, refunds: await store.findActiveRefunds(db, order.id) }
}

async function insert(
  db: Db,
  refunded: RefundedOrder,
  {
    amountMinor,
    ...claim
  }: PricedRefund & { readonly reason: string | null; readonly return_id: number | null },
  now: Instant,
): Promise<StartedRefund> {
  const { payment, order } = refunded
  const isFree = amountMinor === 0
  const refund: store.NewRefund = {
    ...claim,
    order_id: order.id,
    payment_id: payment.id,
    refund_key: createRefundKey(order.id),
    provider_reference: null,
    origin: 'shop',
    amount: amountMinor,
    status: isFree ? 'succeeded' : 'pending',
    due_at: isFree ? null : now + settlementDelayMs,
  }
  const next = await applyRefunds(db, refunded, { changed: [], added: [refund] }, now)
  const [stored] = next.added
  if (!stored) throw new TypeError('The refund was not stored')
  return { refund: stored, payment: next.payment }
}

/**
 * Starts the refund of all that is left of an order; its refunds that are pending already are
 * returned, too. Throws as `startRefund`, and StaleWriteError when all was refunded meanwhile.
 */
export async function startFullRefund(
  db: Db,
  order: OrderState,
  provider: PaymentProvider,
  now: Instant,
): Promise<readonly StartedRefund[]> {
  const refunded = await readRefundedOrder(db, order, provider)
  const { payment, refunds } = refunded
  const pending = refunds
    .filter(({ status, payment_id }) => status === 'pending' && payment_id === payment.id)
    .map((refund) => ({ refund, payment }))
  if (amountLeft(payment) > 0) {
    return [...pending, await priceAndInsert(db, refunded, {}, now)]
  }
  // Without one, the last refund has succeeded since the payment was read.
  requireWrittenRow(pending[0])
  return pending
}

/**
 * Asks the provider for a pending refund and stores what became of it. Without an answer (`doubt`)
 * it stays pending, and the settlement job goes on.
 */
export async function settleRefund(
  parts: PaymentParts,
  { refund, payment }: StartedRefund,
): Promise<{ readonly doubt?: UnknownOutcome }> {
  const { provider } = parts
  const key = providerKeyOf(refund)
  if (key === null) {
    const found = await provider.find(toStoredPayment(payment))
    await recordOutcome(parts, payment, found)
    return found.kind === 'unknown' ? { doubt: found } : {}
  }
  const { outcome, state } = await requestRefund(provider, payment, key, refund.amount)
  if (outcome.kind === 'unknown') return { doubt: outcome }
  const recorded = await parts.transaction((db) =>
    recordRefund(parts, db, refund.id, outcome.refund),
  )
  // A refund may be rejected because of others that were made at the provider.
  if (state) await recordOutcome(parts, recorded, state)
  return {}
}

/**
 * Settles refunds of all that is left of an order. Throws 409 when the provider rejected it or has not
 * decided, and 5021, 5031 or 5041 when it did not answer; then the settlement job goes on.
 */
export async function settleFullRefund(
  parts: PaymentParts,
  db: Db,
  started: readonly StartedRefund[],
): Promise<OrderState> {
  let doubt: UnknownOutcome | undefined
  for (const each of started) doubt = (await settleRefund(parts, each)).doubt ?? doubt
  const [first] = started
  const order = first && (await findOrder(db, first.refund.order_id))
  if (order?.status === 'cancelled' || order?.status === 'refunded') return order
  if (doubt) throw unknownOutcomeProblem(doubt.because)
  throw problem('4091', order?.refund_pending ? 'order.refund_under_way' : 'refund.rejected')
}

/** What a provider said about a refund, and about its payment where it was asked. */
interface RefundReply {
  readonly outcome: { readonly kind: 'refund'; readonly refund: ProviderRefund } | UnknownOutcome
  readonly state?: PaymentOutcome
}

/**
 * Asks the provider to return an amount. Of a payment for which it never took money, nothing is to be
 * returned; one that it does not know is cancelled, so that it cannot take money later.
 */
async function requestRefund(
  provider: PaymentProvider,
  payment: OwnedPayment,
  key: string,
  amountMinor: number,
): Promise<RefundReply> {
  const stored = toStoredPayment(payment)
  const outcome = await provider.refund(stored, { key, amountMinor })
  if (outcome.kind === 'unknown') return { outcome }
  if (outcome.kind === 'refund' && outcome.refund.status !== 'failed') return { outcome }
  const isAbsent = outcome.kind === 'absent'
  const state = isAbsent ? await provider.cancel(stored) : await provider.find(stored)
  if (state.kind !== 'payment') {
    return { outcome: state.kind === 'unknown' ? state : { kind: 'unknown', because: 'garbage' } }
  }
  const { status } = state.payment
  if (status === 'cancelled' || status === 'declined') {
    const refund = { key, reference: null, status: 'succeeded', amountMinor } as const
    return { outcome: { kind: 'refund', refund } }
  }
  return isAbsent ? { outcome: { kind: 'unknown', because: 'garbage' } } : { outcome, state }
}

/** Stores what became of a refund, unless that is known already; returns its payment. */
async function recordRefund(
  { clock }: PaymentParts,
  db: Db,
  refundId: number,
  answer: ProviderRefund,
): Promise<OwnedPayment> {
  const refund = await store.findRefund(db, refundId)
  const payment = refund && (await findPayment(db, refund.payment_id))
  const order = refund && (await findOrder(db, refund.order_id))
  if (!refund || !payment || !order) throw new TypeError(`The refund ${refundId} is gone`)
  const now = clock()
  const change = changeOfRefund(refund, answer, now)
  if (!change) return payment
  const refunds = await store.findActiveRefunds(db, order.id)
  const changes = { changed: [{ refund, change }], added: [] }
  return (await applyRefunds(db, { payment, order, refunds }, changes, now)).payment
}
