import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PaymentProvider, ProviderLookup, ProviderOutcome } from '#src/payments/provider.ts'
import { isAbsence, MESSAGE_LIMIT_BYTES, parseCharge } from './charge-message.ts'
import { type Exchange, type NoReply, openExchange, type Reply } from './exchange.ts'

const SIGNATURE_TOLERANCE_MS = 5 * 60_000

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
  providerOver(openExchange(baseUrl, options.secret, timeoutMs), options)

/**
 * Returns a provider that uses the API of the sandbox and treats invalid responses as `garbage`.
 */
export function providerOver(exchange: Exchange, options: ProviderOptions): PaymentProvider {
  return {
    name: options.name,
    signatureHeader: 'sandbox-signature',
    async charge({ key, token, amountMinor, currency, callbackUrl }) {
      const terms = { token, amount_minor: amountMinor, currency, callback_url: callbackUrl }
      const outcome = readOutcome(
        await exchange.send('PUT', pathOf(key), JSON.stringify(terms)),
        key,
      )
      return matchesRequest(outcome, amountMinor, currency) ? outcome : garbage()
    },
    find: async (key) => readLookup(await exchange.send('GET', pathOf(key)), key),
    void: async (key) => readOutcome(await exchange.send('DELETE', pathOf(key)), key),
    refund: async (key) => readLookup(await exchange.send('PUT', `${pathOf(key)}/refund`), key),
    verifyCallback: (body, signature, now) =>
      isAuthentic(body, signature, now, options.secret)
        ? parseCharge(body.toString('utf8'))
        : undefined,
    close: async () => exchange.close(),
  }
}

function pathOf(key: string): string {
  return `/charges/${encodeURIComponent(key)}`
}

function garbage(): ProviderOutcome {
  return { kind: 'unknown', because: 'garbage' }
}

function readLookup(reply: Reply | NoReply, key: string): ProviderLookup {
  return reply.kind === 'reply' && reply.status === 404 && isJson(reply) && isAbsence(reply.text)
    ? { kind: 'absent' }
    : readOutcome(reply, key)
}

function readOutcome(reply: Reply | NoReply, key: string): ProviderOutcome {
  if (reply.kind === 'unknown') return reply
  if ((reply.status !== 200 && reply.status !== 201) || !isJson(reply)) return garbage()
  const charge = parseCharge(reply.text)
  return charge?.key === key ? { kind: 'answered', charge } : garbage()
}

function isJson(reply: Reply): boolean {
  return /^application\/json(?:\s*;|$)/i.test(reply.contentType)
}

function matchesRequest(outcome: ProviderOutcome, amountMinor: number, currency: string): boolean {
  if (outcome.kind === 'unknown') return true
  const { charge } = outcome
  // A key voided before it was charged has no amount.
  if (charge.status === 'voided') return true
  return charge.amountMinor === amountMinor && charge.currency === currency
}

function isAuthentic(
  body: Buffer,
  signature: string | undefined,
  now: number,
  secret: string,
): boolean {
  const [, seconds, mac] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature ?? '') ?? []
  if (seconds === undefined || mac === undefined) return false
  if (body.length > MESSAGE_LIMIT_BYTES) return false
  if (Math.abs(now - Number(seconds) * 1000) > SIGNATURE_TOLERANCE_MS) return false
  const expected = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest()
  return timingSafeEqual(expected, Buffer.from(mac, 'hex'))
}
