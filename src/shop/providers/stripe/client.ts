import * as http from 'node:http'
import * as https from 'node:https'
import Stripe from 'stripe'
import type { UnknownOutcome } from '#shop/providers/provider.ts'

/** Where Stripe is, and how long a call may take, in milliseconds. */
export interface StripeEndpoint {
  readonly secretKey: string
  /** An origin. */
  readonly apiBase: string
  readonly timeoutMs: number
}

/** A request that Stripe has understood and rejected: nothing has changed. */
interface Rejection {
  readonly kind: 'rejected'
  readonly error: Stripe.errors.StripeError
}

/** No answer, or one that says nothing about the effect. */
interface Failure {
  readonly kind: 'failed'
  readonly because: UnknownOutcome['because']
  /** True when Stripe has repeated the answer that it stored under the idempotency key. */
  readonly isReplayed: boolean
}

/** What became of a call. */
export type Reply<T> = { readonly kind: 'reply'; readonly value: T } | Rejection | Failure

/** Calls Stripe; calls in flight at `close` end as unreachable. */
export interface StripeClient {
  readonly webhooks: Stripe['webhooks']
  /** Never rejects, and resolves within the timeout. */
  call<T>(send: (stripe: Stripe) => Promise<T>): Promise<Reply<T>>
  close(): void
}

/** Creates a client with kept connections. Throws for an invalid URL. */
export function createStripeClient({
  secretKey,
  apiBase,
  timeoutMs,
}: StripeEndpoint): StripeClient {
  const { protocol, hostname, port } = new URL(apiBase)
  const isSecure = protocol === 'https:'
  const agent = new (isSecure ? https : http).Agent({ keepAlive: true })
  const stripe = new Stripe(secretKey, {
    // What this code was written for; Stripe answers in this version whatever the account uses.
    apiVersion: '2026-10-28.endive',
    protocol: isSecure ? 'https' : 'http',
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isSecure ? 443 : 80) : port,
    httpAgent: agent,
    timeout: timeoutMs,
    // What to do about a lost answer is decided by the state of the payment.
    maxNetworkRetries: 0,
    telemetry: false,
  })
  const closing = Promise.withResolvers<Failure>()
  return {
    webhooks: stripe.webhooks,
    call: async (send) => {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<Failure>((resolve) => {
        // The timeout of the package is for silence; this one also ends an answer that trickles in.
        timer = setTimeout(() => resolve(failure('timeout')), timeoutMs)
      })
      try {
        return await Promise.race([answerTo(send(stripe)), late, closing.promise])
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => {
      closing.resolve(failure('unreachable'))
      agent.destroy()
    },
  }
}

async function answerTo<T>(call: Promise<T>): Promise<Reply<T>> {
  try {
    return { kind: 'reply', value: await call }
  } catch (error) {
    return readError(error)
  }
}

function readError(error: unknown): Rejection | Failure {
  const { errors } = Stripe
  if (!(error instanceof errors.StripeError)) return failure('garbage')
  if (error instanceof errors.StripeConnectionError) {
    return failure(isTimeout(error.detail) ? 'timeout' : 'unreachable')
  }
  const isReplayed = error.headers?.['idempotent-replayed'] === 'true'
  const { statusCode } = error
  // 409 and 429: another request holds the payment or the key, or there are too many.
  if (statusCode === 409 || statusCode === 429 || statusCode === 503) {
    return failure('unreachable', isReplayed)
  }
  if (
    error instanceof errors.StripeCardError ||
    error instanceof errors.StripeInvalidRequestError
  ) {
    return { kind: 'rejected', error }
  }
  return failure('garbage', isReplayed)
}

const isTimeout = (detail: unknown): boolean =>
  typeof detail === 'object' && detail !== null && 'code' in detail && detail.code === 'ETIMEDOUT'

const failure = (because: Failure['because'], isReplayed = false): Failure => ({
  kind: 'failed',
  because,
  isReplayed,
})
