import type Stripe from 'stripe'
import type {
  ConfirmOutcome,
  PaymentInput,
  PaymentOutcome,
  PaymentProvider,
  Rejected,
  StartOutcome,
  StartRequest,
  StoredPayment,
} from '#shop/providers/provider.ts'
import { toStripeAmount, unsupportedAmountReason } from './amounts.ts'
import { readCallback } from './callbacks.ts'
import { createStripeClient, type StripeClient, type StripeEndpoint } from './client.ts'
import { cancelIntent, findIntent, isIntentOf, readState } from './intents.ts'
import { paymentMetadata } from './metadata.ts'
import { refundIntent } from './refunds.ts'
import { invalidAnswer, unknownOutcomeOf } from './unknown.ts'

interface StripeOptions extends StripeEndpoint {
  /** Signs the events that Stripe sends. */
  readonly webhookSecret: string
}

/**
 * Returns Stripe as a provider that charges in two steps: an intent is created, its ID is stored, and
 * only then it is confirmed. From then on its state is read by that ID; nothing is created twice.
 */
export function stripeProvider({ webhookSecret, ...endpoint }: StripeOptions): PaymentProvider {
  const client = createStripeClient(endpoint)
  return {
    name: 'stripe',
    callbackPath: '/payment-notifications/stripe',
    start: (request) => createIntent(client, request),
    confirm: (payment, means) => confirmIntent(client, payment, means),
    find: (payment) => findIntent(client, payment),
    cancel: (payment) => cancelIntent(client, payment),
    refund: (payment, request) => refundIntent(client, payment, request),
    verifyCallback: (request, now) => readCallback(client, webhookSecret, request, now),
    close: async () => client.close(),
  }
}

async function createIntent(client: StripeClient, request: StartRequest): Promise<StartOutcome> {
  const { token, amountMinor, currency, orderId, key: idempotencyKey } = request
  if (!namePaymentMethod(token)) return rejected('token', 'not a payment method of Stripe')
  const amount = toStripeAmount(amountMinor, currency)
  if (amount === undefined) return rejected('amount', unsupportedAmountReason(currency))
  const suffix = statementSuffix(orderId)
  const params: Stripe.PaymentIntentCreateParams = {
    amount,
    currency: currency.toLowerCase(),
    allowed_payment_method_types: ['card'],
    description: `Order ${orderId}`,
    metadata: paymentMetadata(request),
    ...(suffix !== undefined && { statement_descriptor_suffix: suffix }),
  }
  const reply = await client.call((stripe) =>
    stripe.paymentIntents.create(params, { idempotencyKey }),
  )
  if (reply.kind === 'rejected') {
    const { param, code, message } = reply.error
    // Below the minimum, above the maximum, or in a currency that the account does not take.
    const isAboutAmount = param === 'amount' || param === 'currency' || /amount/.test(code ?? '')
    return isAboutAmount ? rejected('amount', message) : invalidAnswer
  }
  if (reply.kind === 'failed') return unknownOutcomeOf(reply)
  const { value: intent } = reply
  const isOurs = typeof intent.id === 'string' && isIntentOf(request, intent)
  return isOurs ? { kind: 'unconfirmed', reference: intent.id } : invalidAnswer
}

async function confirmIntent(
  client: StripeClient,
  payment: StoredPayment,
  { token, returnUrl }: PaymentInput,
): Promise<ConfirmOutcome> {
  const { reference, key } = payment
  const method = namePaymentMethod(token)
  if (reference === null || !method) return invalidAnswer
  const params: Stripe.PaymentIntentConfirmParams = {
    ...method,
    // Where there is no page to return to, the buyer acts in the script of Stripe.
    ...(returnUrl === undefined ? { use_stripe_sdk: true } : { return_url: returnUrl }),
  }
  const idempotencyKey = `${key}-confirm`
  const reply = await client.call((stripe) =>
    stripe.paymentIntents.confirm(reference, params, { idempotencyKey }),
  )
  if (reply.kind === 'failed') return unknownOutcomeOf(reply)
  // A rejection, or a replayed answer, does not show the present state.
  const isPresent =
    reply.kind === 'reply' && reply.value.lastResponse.headers['idempotent-replayed'] !== 'true'
  const found = isPresent
    ? await readConfirmed(client, payment, reply.value)
    : await findIntent(client, payment)
  if (found.kind === 'payment' || found.kind === 'unknown') return found
  if (reply.kind !== 'rejected') return invalidAnswer
  return rejectMethod(client, payment, reply.error.code)
}

/** A payment that has just succeeded has no refunds yet. */
async function readConfirmed(
  client: StripeClient,
  payment: StoredPayment,
  intent: Stripe.PaymentIntent,
) {
  if (intent.status !== 'succeeded' || !isIntentOf(payment, intent)) {
    return readState(client, payment, intent)
  }
  const { key, amountMinor, currency } = payment
  const state = { key, amountMinor, currency, reference: intent.id, status: 'succeeded' } as const
  return { kind: 'payment', payment: { ...state, refundedMinor: 0, refunds: [] } } as const
}

/** Ends an intent whose payment method Stripe does not take, so that it takes no other one either. */
async function rejectMethod(
  client: StripeClient,
  payment: StoredPayment,
  code: string | undefined,
): Promise<PaymentOutcome | Rejected> {
  const outcome = await cancelIntent(client, payment)
  const isEnded = outcome.kind === 'payment' && outcome.payment.status === 'cancelled'
  return isEnded ? rejected('token', code ?? 'payment method declined') : outcome
}

/** The parameter that names what the buyer pays with; undefined for another kind of token. */
function namePaymentMethod(token: string): Stripe.PaymentIntentConfirmParams | undefined {
  if (/^pm_\w{1,200}$/.test(token)) return { payment_method: token }
  return /^ctoken_\w{1,200}$/.test(token) ? { confirmation_token: token } : undefined
}

// With a prefix of 10 characters, an asterisk and a space, 10 of 22 are left.
const statementSuffix = (orderId: number): string | undefined =>
  [`ORDER ${orderId}`, `O${orderId}`].find(({ length }) => length <= 10)

const rejected = (field: Rejected['field'], reason: string): Rejected => ({
  kind: 'rejected',
  field,
  reason,
})
