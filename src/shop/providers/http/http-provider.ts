import { createHmac, timingSafeEqual } from 'node:crypto'
import type {
  CallbackRequest,
  FindOutcome,
  PaymentOutcome,
  PaymentProvider,
  RefundOutcome,
  RefundRequest,
  StartRequest,
  StoredPayment,
  UnknownOutcome,
} from '#shop/providers/provider.ts'
import { maxMessageBytes, parseCharge, parseError, parseKey } from './charge-message.ts'
import {
  createProviderClient,
  type NoReply,
  type ProviderClient,
  type Reply,
} from './provider-client.ts'

const signatureToleranceMs = 5 * 60_000

/** Name and secret of a provider; `secret` is the bearer token and signs callbacks. */
interface ProviderOptions {
  readonly secret: string
  readonly name: string
}

/** Base URL and timeout per call, in milliseconds. */
interface HttpProviderOptions extends ProviderOptions {
  readonly baseUrl: string
  readonly timeoutMs: number
}

/** Returns a provider that is reached over HTTP. */
export const httpProvider = ({ baseUrl, timeoutMs, ...options }: HttpProviderOptions) =>
  providerOver(createProviderClient(baseUrl, options.secret, timeoutMs), options)

/**
 * Returns a provider that uses the API of the sandbox and treats invalid responses as `garbage`. It
 * charges in one step.
 */
export function providerOver(client: ProviderClient, options: ProviderOptions): PaymentProvider {
  const { secret, name } = options
  const find = async (payment: StoredPayment): Promise<FindOutcome> =>
    readLookup(await client.send('GET', pathOf(payment.key)), payment)
  return {
    name,
    callbackPath: '/payment-notifications',
    start: (request) => start(client, request),
    confirm: async (payment) => {
      const found = await find(payment)
      return found.kind === 'payment' || found.kind === 'unknown' ? found : garbage
    },
    find,
    cancel: async (payment) =>
      readPayment(await client.send('DELETE', pathOf(payment.key)), payment),
    refund: (payment, request) => refund(client, payment, request),
    verifyCallback: async (request, now) => {
      if (!isAuthentic(request, now, secret)) return { kind: 'invalid' }
      const key = parseKey(request.body.toString('utf8'))
      return key === undefined ? { kind: 'ignored' } : { kind: 'payment', key }
    },
    close: async () => client.close(),
  }
}

async function start(client: ProviderClient, request: StartRequest): Promise<PaymentOutcome> {
  const { key, token, amountMinor, currency, callbackUrl, returnUrl } = request
  const chargeRequest = {
    token,
    amount_minor: amountMinor,
    currency,
    callback_url: callbackUrl,
    ...(returnUrl !== undefined && { return_url: returnUrl }),
  }
  return readPayment(await client.send('PUT', pathOf(key), JSON.stringify(chargeRequest)), request)
}

async function refund(
  client: ProviderClient,
  payment: StoredPayment,
  { key, amountMinor }: RefundRequest,
): Promise<RefundOutcome> {
  const path = `${pathOf(payment.key)}/refunds/${encodeURIComponent(key)}`
  const reply = await client.send('PUT', path, JSON.stringify({ amount_minor: amountMinor }))
  if (isMissingPath(reply)) return refundInFull(client, payment, { key, amountMinor })
  if (reply.kind === 'reply' && reply.status === 422 && isJson(reply)) {
    return failedRefund(key, amountMinor, parseError(reply.text))
  }
  const outcome = readLookup(reply, payment)
  if (outcome.kind !== 'payment') return outcome
  const made = outcome.payment.refunds.find((each) => each.key === key)
  return made?.amountMinor === amountMinor ? { kind: 'refund', refund: made } : garbage
}

/** Refunds at a provider that knows neither partial refunds nor keys of refunds. */
async function refundInFull(
  client: ProviderClient,
  payment: StoredPayment,
  { key, amountMinor }: RefundRequest,
): Promise<RefundOutcome> {
  if (amountMinor !== payment.amountMinor) {
    return failedRefund(key, amountMinor, 'the provider refunds whole payments only')
  }
  const outcome = readLookup(await client.send('PUT', `${pathOf(payment.key)}/refund`), payment)
  if (outcome.kind !== 'payment') return outcome
  const { status, reference } = outcome.payment
  if (status !== 'refunded') return failedRefund(key, amountMinor, `the payment is ${status}`)
  return { kind: 'refund', refund: { key, reference, status: 'succeeded', amountMinor } }
}

const failedRefund = (key: string, amountMinor: number, reason = 'rejected'): RefundOutcome => ({
  kind: 'refund',
  refund: { key, reference: null, status: 'failed', amountMinor, reason },
})

const pathOf = (key: string): string => `/charges/${encodeURIComponent(key)}`

const garbage: UnknownOutcome = { kind: 'unknown', because: 'garbage' }

/** True for a 404 that is not about the charge, and for 405. */
function isMissingPath(reply: Reply | NoReply): boolean {
  if (reply.kind === 'unknown') return false
  return reply.status === 405 || (reply.status === 404 && !isAbsence(reply))
}

/** True for a 404 that denies the charge, unlike the 404 of a proxy or a wrong URL. */
const isAbsence = (reply: Reply): boolean =>
  reply.status === 404 && isJson(reply) && parseError(reply.text) === 'no_such_charge'

type Lookup = PaymentOutcome | { readonly kind: 'absent' }

const readLookup = (reply: Reply | NoReply, payment: StoredPayment): Lookup =>
  reply.kind === 'reply' && isAbsence(reply) ? { kind: 'absent' } : readPayment(reply, payment)

/** Reads a charge; one of another key, amount or currency than ours is garbage. */
function readPayment(
  reply: Reply | NoReply,
  { key, amountMinor, currency }: StoredPayment,
): PaymentOutcome {
  if (reply.kind === 'unknown') return reply
  if ((reply.status !== 200 && reply.status !== 201) || !isJson(reply)) return garbage
  const payment = parseCharge(reply.text)
  if (payment?.key !== key) return garbage
  // A key cancelled before it was charged has no amount.
  const isOurs = payment.amountMinor === amountMinor && payment.currency === currency
  return isOurs || payment.status === 'cancelled' ? { kind: 'payment', payment } : garbage
}

const isJson = (reply: Reply): boolean => /^application\/json(?:\s*;|$)/i.test(reply.contentType)

function isAuthentic({ body, header }: CallbackRequest, now: number, secret: string): boolean {
  const signature = header('sandbox-signature') ?? ''
  const [, seconds, mac] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature) ?? []
  if (seconds === undefined || mac === undefined) return false
  if (body.length > maxMessageBytes) return false
  if (Math.abs(now - Number(seconds) * 1000) > signatureToleranceMs) return false
  const expected = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest()
  return timingSafeEqual(expected, Buffer.from(mac, 'hex'))
}
