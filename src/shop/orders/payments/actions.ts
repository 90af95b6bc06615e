import { randomUUID } from 'node:crypto'
import { createMessage } from '#i18n/message.ts'
import { requireUseLeft } from '#shop/checkout/discounts/uses.ts'
import { findUserOrderToPay, updateOrderStatement } from '#shop/orders/orders/store.ts'
import type {
  PaymentInput,
  PaymentOutcome,
  ProviderPayment,
  Rejected,
  StartOutcome,
  UnknownOutcome,
} from '#shop/providers/provider.ts'
import { requirePresent } from '#shop/require-present.ts'
import type { Db } from '#store/database.ts'
import { writeBatch } from '#store/query/write-batch.ts'
import type { Instant } from '#values/instant.ts'
import { fieldProblem, type Problem, problem } from '#values/problem.ts'
import { type PaymentParts, toStoredPayment } from './parts.ts'
import {
  isCancelled,
  requirePayableOrder,
  requireReturnUrl,
  settlementDelayMs,
  unknownOutcomeProblem,
} from './rules.ts'
import type { PaymentBody } from './schema.ts'
import { recordOutcome, type StartedPayment } from './settlement/record.ts'
import * as store from './store.ts'

/** A request of a user to pay for an order. */
interface PaymentRequest {
  readonly userId: number
  readonly orderId: number
  readonly body: PaymentBody
}

/** A payment that is stored, and what the buyer pays with. */
interface StartedRequest extends StartedPayment {
  readonly means: PaymentInput
}

/**
 * Stores a pending payment before any money moves, so that the settlement job finds it even if the
 * process ends. Throws 404, 409, 410 or 422 when the order cannot be paid. Three statements; two
 * round trips on PostgreSQL; one more for an order with a discount.
 */
export async function startPayment(
  db: Db,
  { userId, orderId, body: { method, token, amount: requestedAmount, return_url } }: PaymentRequest,
  {
    provider,
    returnOrigins,
  }: Pick<PaymentParts, 'returnOrigins'> & {
    readonly provider: { readonly name: string }
  },
  now: Instant,
): Promise<StartedRequest> {
  const order = requirePresent('order', await findUserOrderToPay(db, userId, orderId))
  requirePayableOrder(order, requestedAmount, now)
  await requireUseLeft(db, order)
  const { next_payment_id: id, total: amount, currency, user_id } = order
  const means =
    return_url === undefined
      ? { token }
      : { token, returnUrl: requireReturnUrl(return_url, returnOrigins, id) }
  // A new revision of the order makes concurrent changes of it fail.
  const revised = updateOrderStatement(order, {}, now)
  const idempotency_key = `order-${orderId}-${randomUUID()}`
  const { payment, write } = store.insertPaymentStatement(
    {
      ...{ id, order_id: orderId, idempotency_key, method, amount, currency },
      ...{ provider: provider.name, due_at: now + settlementDelayMs },
    },
    now,
  )
  await writeBatch(db, [revised.write, write], store.toPaymentInProgress)
  return { payment: { ...payment, user_id, order_deleted_at: null }, order: revised.order, means }
}

/**
 * Takes the money of a started payment and stores the outcome, which may be that the buyer has to
 * act. Throws 4221, 4223, 5021, 5031 or 5041 unless the payment succeeds or goes on.
 */
export async function pay(
  parts: PaymentParts,
  started: StartedRequest,
): Promise<store.OwnedPayment> {
  const { payment, means } = started
  const { provider, callbackUrl } = parts
  const outcome = await provider.start({ ...toStoredPayment(payment), ...means, callbackUrl })
  if (outcome.kind !== 'unconfirmed') return finish(parts, payment, outcome, started)
  const known = await storeReference(parts, payment, outcome.reference)
  return finish(parts, known, await provider.confirm(toStoredPayment(known), means))
}

/**
 * Stores the provider's ID of a payment, without which nobody may confirm it. Throws 504 when it was
 * cancelled meanwhile.
 */
async function storeReference(
  { transaction, clock }: PaymentParts,
  started: store.OwnedPayment,
  reference: string,
): Promise<store.OwnedPayment> {
  return transaction(async (db) => {
    const payment = await store.findByKey(db, started.idempotency_key)
    if (payment?.status !== 'pending') throw unknownOutcomeProblem('timeout')
    const now = clock()
    const known = { provider_reference: reference, due_at: now + settlementDelayMs }
    const next = store.updatePaymentStatement(payment, known, now)
    await writeBatch(db, [next.write])
    return next.payment
  })
}

async function finish(
  parts: PaymentParts,
  payment: store.OwnedPayment,
  outcome: Exclude<StartOutcome, { readonly kind: 'unconfirmed' }>,
  started?: StartedPayment,
): Promise<store.OwnedPayment> {
  switch (outcome.kind) {
    case 'payment':
      return requireUndeclinedPayment(await recordOutcome(parts, payment, outcome, started))
    case 'rejected':
      await recordOutcome(parts, payment, rejectedPayment(payment, outcome), started)
      throw rejectionProblem(outcome)
    case 'unknown':
      return reconcile(parts, payment, outcome)
    default:
      return outcome satisfies never
  }
}

/**
 * Finds out what became of a payment whose request got no answer. What has not happened is
 * cancelled, so that the buyer can try again; when that gets no answer either, the payment stays
 * pending and the settlement job goes on.
 */
async function reconcile(
  parts: PaymentParts,
  payment: store.OwnedPayment,
  { because }: UnknownOutcome,
): Promise<store.OwnedPayment> {
  const { provider } = parts
  const stored = toStoredPayment(payment)
  const found = await provider.find(stored)
  const isUndone = found.kind === 'absent' || found.kind === 'unconfirmed'
  const outcome = isUndone ? await provider.cancel(stored) : found
  const settled = await recordOutcome(parts, payment, outcome)
  if (outcome.kind === 'unknown' || isCancelled(settled)) throw unknownOutcomeProblem(because)
  return requireUndeclinedPayment(settled)
}

/** Throws 422/4223 for a payment that the provider has declined. */
export function requireUndeclinedPayment(payment: store.OwnedPayment): store.OwnedPayment {
  if (payment.status !== 'failed') return payment
  throw problem('4223', 'payment.declined', { reason: payment.failure ?? '' })
}

/** The state of a payment that the provider does not accept. */
function rejectedPayment(payment: store.OwnedPayment, { reason }: Rejected): PaymentOutcome {
  const { key, reference, amountMinor, currency } = toStoredPayment(payment)
  const nothing = { refundedMinor: 0, refunds: [] }
  const state: ProviderPayment = {
    key,
    reference,
    amountMinor,
    currency,
    ...nothing,
    status: 'declined',
    reason,
  }
  return { kind: 'payment', payment: state }
}

/** 422/4221 for an amount, 422/4223 for a token that the provider does not accept. */
const rejectionProblem = ({ field, reason }: Rejected): Problem =>
  field === 'amount'
    ? fieldProblem([{ field, message: createMessage('payment.amount_rejected', { reason }) }])
    : problem('4223', 'payment.declined', { reason })
