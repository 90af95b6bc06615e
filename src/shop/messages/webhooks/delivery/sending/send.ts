import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { DestinationPolicy } from '#shop/outbound/destinations.ts'
import { checkedLookup, GivenUpError, reasonOf } from '#shop/outbound/lookup.ts'
import { type ResolveHost, resolveHost } from '#shop/outbound/resolve.ts'

/** A request to an endpoint. */
export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Reply {
  readonly status: number
  /** The beginning of the body. */
  readonly response: string
  readonly retryAfter: string | undefined
}

/** What became of a request: a response, or the reason why there is none. */
export type AttemptResult = { readonly durationMs: number } & (
  | (Reply & { readonly error: null })
  | { readonly status: null; readonly response: null; readonly error: string }
)

/** Sends one request and resolves to its result; never rejects. */
export type SendWebhook = (request: WebhookRequest) => Promise<AttemptResult>

interface SendOptions {
  readonly destinations: DestinationPolicy
  readonly resolve?: ResolveHost
  readonly timeoutMs?: number
  /** Certificates of authorities to trust, in PEM; those of Node by default. */
  readonly ca?: string
}

const defaultTimeoutMs = 15_000
const maxResponseBytes = 1024
const autoSelectFamilyAttemptTimeout = 2000
const maxCachedSessions = 1000

/**
 * Returns a function that sends requests, each on a connection of its own, to what `destinations`
 * allows. The address of a name is checked when it is connected to, so that a name with changing
 * addresses is no way around. A redirect is a response like any other. A result has the first KiB
 * of the body of the response, or what of it arrived within `timeoutMs`.
 */
export function createSender({
  destinations,
  resolve = resolveHost,
  timeoutMs = defaultTimeoutMs,
  ca,
}: SendOptions): SendWebhook {
  // Without keepAlive, every request checks the address that it connects to.
  const http = new HttpAgent({ autoSelectFamilyAttemptTimeout })
  const https = new HttpsAgent({
    autoSelectFamilyAttemptTimeout,
    maxCachedSessions,
    ...(ca === undefined ? {} : { ca }),
  })
  const open = ({ url, headers, body }: WebhookRequest): ClientRequest => {
    // Checked again, because the settings may have changed. Literal addresses are not resolved.
    if (destinations.issueOf(url) !== undefined) throw new GivenUpError('address_not_allowed')
    const isSecure = url.startsWith('https:')
    const options: RequestOptions = {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      lookup: checkedLookup(resolve, (address) => destinations.mayConnect(address, isSecure)),
    }
    return isSecure
      ? requestHttps(url, { ...options, agent: https })
      : requestHttp(url, { ...options, agent: http })
  }
  return async (message) => {
    const startedAt = performance.now()
    const durationMs = () => Math.round(performance.now() - startedAt)
    try {
      const reply = await exchange(open(message), message.body, timeoutMs)
      return { ...reply, error: null, durationMs: durationMs() }
    } catch (error) {
      return { status: null, response: null, error: reasonOf(error), durationMs: durationMs() }
    }
  }
}

function exchange(request: ClientRequest, body: string, timeoutMs: number): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  let stop = () => {
    request.destroy(new GivenUpError('timeout'))
  }
  const timer = setTimeout(() => stop(), timeoutMs)
  request.on('error', reject)
  // A response after which the protocol would change.
  request.on('upgrade', (_, socket) => {
    socket.destroy()
    reject(new GivenUpError('invalid_response'))
  })
  request.on('response', (message) => {
    const { statusCode = 0, headers } = message
    // From here on, the result is known.
    stop = () => {
      message.destroy()
    }
    const reply = readStart(message).then((response) => ({
      status: statusCode,
      response,
      retryAfter: headers['retry-after'],
    }))
    resolve(reply)
  })
  request.end(body)
  return promise.finally(() => clearTimeout(timer))
}

/** Reads the first KiB of a body, or what of it arrives; never rejects. */
async function readStart(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of message) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= maxResponseBytes) break
    }
  } catch {
    // The status is known; the rest of the body does not matter.
  }
  message.destroy()
  const bytes = Buffer.concat(chunks).subarray(0, maxResponseBytes)
  // In a stream, an incomplete character at the end is left out. PostgreSQL does not store NUL.
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\u{FFFD}')
}
