import Stripe from 'stripe'
import type { CallbackOutcome, CallbackRequest } from '#shop/providers/provider.ts'
import type { Instant } from '#values/instant.ts'
import type { StripeClient } from './client.ts'
import { paymentKeyOf } from './metadata.ts'
import { unknownOutcomeOf } from './unknown.ts'

/**
 * Verifies the signature of an event and returns the payment that it is about. What the event says is
 * not believed: it may be older than what is known.
 */
export async function readCallback(
  client: StripeClient,
  secret: string,
  { body, header }: CallbackRequest,
  now: Instant,
): Promise<CallbackOutcome> {
  const signature = header('stripe-signature') ?? ''
  const event = await verify(client, body, signature, secret, now)
  if (typeof event === 'string') return { kind: event }
  const subject = subjectOf(event)
  if (!subject) return { kind: 'ignored' }
  const { key, intentId } = subject
  if (key !== undefined) return { kind: 'payment', key }
  return intentId === undefined ? { kind: 'ignored' } : findKey(client, intentId)
}

async function verify(
  { webhooks }: StripeClient,
  body: Buffer,
  signature: string,
  secret: string,
  now: Instant,
): Promise<Stripe.Event | 'invalid' | 'ignored'> {
  try {
    return await webhooks.constructEventAsync(body, signature, secret, undefined, undefined, now)
  } catch (error) {
    // Signed, but no event with a snapshot of an object.
    const isForged = error instanceof Stripe.errors.StripeSignatureVerificationError
    return isForged ? 'invalid' : 'ignored'
  }
}

interface Subject {
  /** Our key, where the object carries it. */
  readonly key?: string | undefined
  /** The intent to ask for the key otherwise. */
  readonly intentId?: string | undefined
}

function subjectOf(event: Stripe.Event): Subject | undefined {
  const object = event.data?.object
  if (!object || !('object' in object)) return undefined
  switch (object.object) {
    case 'payment_intent':
      return { key: paymentKeyOf(object) }
    // A refund made in the dashboard carries nothing of ours.
    case 'refund':
    case 'charge':
      return { key: paymentKeyOf(object), intentId: idOf(object.payment_intent) }
    default:
      return undefined
  }
}

const idOf = (intent: string | { readonly id: string } | null): string | undefined =>
  typeof intent === 'string' ? intent : intent?.id

async function findKey(client: StripeClient, intentId: string): Promise<CallbackOutcome> {
  const reply = await client.call((stripe) => stripe.paymentIntents.retrieve(intentId))
  if (reply.kind === 'failed') return unknownOutcomeOf(reply)
  const key = reply.kind === 'reply' ? paymentKeyOf(reply.value) : undefined
  return key === undefined ? { kind: 'ignored' } : { kind: 'payment', key }
}
