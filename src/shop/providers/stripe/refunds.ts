import type Stripe from 'stripe'
import type {
  ProviderRefund,
  RefundOutcome,
  RefundRequest,
  StoredPayment,
  UnknownOutcome,
} from '#shop/providers/provider.ts'
import { fromStripeAmount, toStripeAmount, unsupportedAmountReason } from './amounts.ts'
import type { Reply, StripeClient } from './client.ts'
import { refundKeyOf, refundMetadata } from './metadata.ts'
import { invalidAnswer, unknownOutcomeOf } from './unknown.ts'

// More refunds of one payment than Stripe or a shop ever makes.
const maxRefunds = 1_000
// How often a refund whose stored answer is an error of Stripe is tried under another key.
const maxAttempts = 3

type Refunds =
  | { readonly kind: 'refunds'; readonly refunds: readonly ProviderRefund[] }
  | UnknownOutcome

/** Lists the refunds of an intent, also those that were made in Stripe's dashboard. */
export async function listRefunds(
  client: StripeClient,
  { currency }: StoredPayment,
  intentId: string,
): Promise<Refunds> {
  const reply = await client.call((stripe) =>
    stripe.refunds
      .list({ payment_intent: intentId, limit: 100 })
      .autoPagingToArray({ limit: maxRefunds }),
  )
  if (reply.kind !== 'reply') return unknownOutcomeOf(reply)
  const refunds = reply.value.map((refund) => readRefund(refund, currency))
  const readable = refunds.filter((refund) => refund !== undefined)
  return readable.length === refunds.length ? { kind: 'refunds', refunds: readable } : invalidAnswer
}

/**
 * Refunds a part of an intent, once per key. Keys are forgotten by Stripe after a day, so the refunds
 * that exist are looked at first.
 */
export async function refundIntent(
  client: StripeClient,
  payment: StoredPayment,
  request: RefundRequest,
): Promise<RefundOutcome> {
  const { reference: intentId } = payment
  if (intentId === null) return { kind: 'absent' }
  const amount = toStripeAmount(request.amountMinor, payment.currency)
  if (amount === undefined) return failedRefund(request, unsupportedAmountReason(payment.currency))
  for (let attempt = 1; ; attempt += 1) {
    const made = await findRefund(client, payment, intentId, request)
    if (made) return made
    const params: Stripe.RefundCreateParams = {
      payment_intent: intentId,
      amount,
      metadata: refundMetadata(payment, request.key),
    }
    // A stored error is repeated for a day. Once it is, the request has ended, and the list shows
    // whether it had an effect: then, and only then, another key is safe.
    const idempotencyKey = attempt === 1 ? request.key : `${request.key}-${attempt}`
    const reply = await client.call((stripe) => stripe.refunds.create(params, { idempotencyKey }))
    if (reply.kind === 'failed' && reply.isReplayed && attempt < maxAttempts) continue
    return readCreated(reply, payment, request)
  }
}

async function findRefund(
  client: StripeClient,
  payment: StoredPayment,
  intentId: string,
  { key, amountMinor }: RefundRequest,
): Promise<RefundOutcome | undefined> {
  const listed = await listRefunds(client, payment, intentId)
  if (listed.kind === 'unknown') return listed
  const refund = listed.refunds.find((each) => each.key === key)
  if (!refund) return undefined
  return refund.amountMinor === amountMinor ? { kind: 'refund', refund } : invalidAnswer
}

function readCreated(
  reply: Reply<Stripe.Refund>,
  { currency }: StoredPayment,
  request: RefundRequest,
): RefundOutcome {
  if (reply.kind === 'rejected') {
    const { code, message } = reply.error
    // Nothing of the account is known by this ID: the keys of another account are configured.
    return code === 'resource_missing' ? invalidAnswer : failedRefund(request, code ?? message)
  }
  if (reply.kind === 'failed') return unknownOutcomeOf(reply)
  const refund = readRefund(reply.value, currency)
  const isOurs = refund?.key === request.key && refund.amountMinor === request.amountMinor
  return isOurs ? { kind: 'refund', refund } : invalidAnswer
}

function readRefund(refund: Stripe.Refund, currency: string): ProviderRefund | undefined {
  const { id, object, status, amount, failure_reason: reason } = refund
  const amountMinor = fromStripeAmount(amount, currency)
  if (object !== 'refund' || amountMinor === undefined) return undefined
  return {
    key: refundKeyOf(refund) ?? null,
    reference: id,
    status: statusOf(status),
    amountMinor,
    ...(reason !== undefined && { reason }),
  }
}

function statusOf(status: Stripe.Refund['status']): ProviderRefund['status'] {
  switch (status) {
    case 'succeeded':
      return 'succeeded'
    case 'failed':
    case 'canceled':
      return 'failed'
    default:
      // `pending`, and `requires_action` of the buyer or of Stripe.
      return 'pending'
  }
}

const failedRefund = ({ key, amountMinor }: RefundRequest, reason: string): RefundOutcome => ({
  kind: 'refund',
  refund: { key, reference: null, status: 'failed', amountMinor, reason },
})
