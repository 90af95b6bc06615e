import type Stripe from 'stripe'
import type {
  BuyerAction,
  FindOutcome,
  PaymentOutcome,
  ProviderPayment,
  StoredPayment,
} from '#shop/providers/provider.ts'
import { toStripeAmount } from './amounts.ts'
import type { StripeClient } from './client.ts'
import { paymentKeyOf } from './metadata.ts'
import { listRefunds } from './refunds.ts'
import { invalidAnswer, unknownOutcomeOf } from './unknown.ts'

/** Reads the state of a payment by the ID that is stored. */
export async function findIntent(
  client: StripeClient,
  payment: StoredPayment,
): Promise<FindOutcome> {
  const { reference } = payment
  // An intent that nobody stored is never confirmed, so it takes no money.
  if (reference === null) return { kind: 'absent' }
  const reply = await client.call((stripe) => stripe.paymentIntents.retrieve(reference))
  return reply.kind === 'reply' ? readState(client, payment, reply.value) : unknownOutcomeOf(reply)
}

/** Cancels an intent unless it is decided, and returns what has become of it. */
export async function cancelIntent(
  client: StripeClient,
  payment: StoredPayment,
): Promise<PaymentOutcome> {
  const { reference } = payment
  if (reference === null) return stateOf(payment, null, { status: 'cancelled' })
  const reply = await client.call((stripe) => stripe.paymentIntents.cancel(reference))
  if (reply.kind === 'failed') return unknownOutcomeOf(reply)
  if (reply.kind === 'reply') return requireDecided(await readState(client, payment, reply.value))
  // Stripe rejects cancelling what is cancelled, has succeeded or is being processed.
  const retrieved = await client.call((stripe) => stripe.paymentIntents.retrieve(reference))
  if (retrieved.kind !== 'reply') return unknownOutcomeOf(retrieved)
  const isCancellable = retrieved.value.status.startsWith('requires_')
  return isCancellable
    ? invalidAnswer
    : requireDecided(await readState(client, payment, retrieved.value))
}

const requireDecided = (outcome: FindOutcome): PaymentOutcome =>
  outcome.kind === 'payment' || outcome.kind === 'unknown' ? outcome : invalidAnswer

/** True for an intent that was created for this payment. */
export function isIntentOf(payment: StoredPayment, intent: Stripe.PaymentIntent): boolean {
  const { object, amount, currency } = intent
  return (
    object === 'payment_intent' &&
    paymentKeyOf(intent) === payment.key &&
    amount === toStripeAmount(payment.amountMinor, payment.currency) &&
    currency === payment.currency.toLowerCase()
  )
}

/** Reads the state of a payment from its intent; an intent of something else is garbage. */
export async function readState(
  client: StripeClient,
  payment: StoredPayment,
  intent: Stripe.PaymentIntent,
): Promise<FindOutcome> {
  const { id, last_payment_error: failure } = intent
  const isExpected = payment.reference === null || payment.reference === id
  if (!isExpected || !isIntentOf(payment, intent)) return invalidAnswer
  switch (intent.status) {
    case 'succeeded':
      return readSuccess(client, payment, id)
    case 'processing':
      return stateOf(payment, id, { status: 'pending' })
    case 'requires_action':
      return readAction(payment, intent)
    case 'canceled':
      return stateOf(payment, id, failure ? decline(failure) : { status: 'cancelled' })
    case 'requires_payment_method':
      return failure
        ? endDeclined(client, payment, intent, failure)
        : { kind: 'unconfirmed', reference: id }
    case 'requires_confirmation':
      return { kind: 'unconfirmed', reference: id }
    default:
      // `requires_capture` is not for us: the money is captured at once.
      return invalidAnswer
  }
}

async function readSuccess(
  client: StripeClient,
  payment: StoredPayment,
  id: string,
): Promise<PaymentOutcome> {
  const listed = await listRefunds(client, payment, id)
  if (listed.kind === 'unknown') return listed
  const { refunds } = listed
  const refundedMinor = refunds
    .filter(({ status }) => status === 'succeeded')
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  const status = refundedMinor >= payment.amountMinor ? 'refunded' : 'succeeded'
  return stateOf(payment, id, { status, refunds, refundedMinor })
}

/** After a decline an intent takes another card, so it is cancelled: then it takes no money any more. */
async function endDeclined(
  client: StripeClient,
  payment: StoredPayment,
  { id }: Stripe.PaymentIntent,
  failure: Stripe.PaymentIntent.LastPaymentError,
): Promise<PaymentOutcome> {
  const outcome = await cancelIntent(client, { ...payment, reference: id })
  const isCancelled = outcome.kind === 'payment' && outcome.payment.status === 'cancelled'
  return isCancelled ? stateOf(payment, id, decline(failure)) : outcome
}

function readAction(payment: StoredPayment, intent: Stripe.PaymentIntent): PaymentOutcome {
  const { id, next_action: next, client_secret: clientSecret } = intent
  const url = next?.type === 'redirect_to_url' ? next.redirect_to_url?.url : null
  const action: BuyerAction | undefined = url
    ? { type: 'redirect', url }
    : clientSecret
      ? { type: 'provider', clientSecret }
      : undefined
  return action ? stateOf(payment, id, { status: 'action_required', action }) : invalidAnswer
}

// Stripe advises not to tell a buyer that the card was reported: the buyer may be a thief.
const confidential = new Set([
  'fraudulent',
  'lost_card',
  'merchant_blacklist',
  'pickup_card',
  'restricted_card',
  'stolen_card',
])

/** Only the code is kept: the rest of the error holds the card's last digits. */
function decline({ decline_code, code }: Stripe.PaymentIntent.LastPaymentError) {
  const reason = decline_code ?? code
  const isTold = reason !== undefined && !confidential.has(reason)
  return { status: 'declined', reason: isTold ? reason : 'card_declined' } as const
}

type State = Pick<ProviderPayment, 'status'> &
  Partial<Pick<ProviderPayment, 'refunds' | 'refundedMinor' | 'action' | 'reason'>>

const stateOf = (
  { key, amountMinor, currency }: StoredPayment,
  reference: string | null,
  state: State,
): PaymentOutcome => ({
  kind: 'payment',
  payment: { key, reference, amountMinor, currency, refunds: [], refundedMinor: 0, ...state },
})
