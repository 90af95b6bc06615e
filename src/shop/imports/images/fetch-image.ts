import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { ErrorCode } from '#i18n/error-codes.ts'
import { createMessage, type Message } from '#i18n/message.ts'
import { type DestinationPolicy, literalAddresses } from '#shop/outbound/destinations.ts'
import { checkedLookup, reasonOf } from '#shop/outbound/lookup.ts'
import { type ResolveHost, resolveHost } from '#shop/outbound/resolve.ts'
import { maxImageBytes } from '#src/files/image-type.ts'

/** Why an image could not be fetched. */
export class FetchError extends Error {
  override readonly name = 'FetchError'
  readonly code: ErrorCode
  readonly detail: Message
  /** True if its server did not answer, and will hardly answer for others. */
  readonly isOfHost: boolean

  constructor(detail: Message, { code = '4221' as ErrorCode, isOfHost = false } = {}) {
    super(detail.key)
    this.code = code
    this.detail = detail
    this.isOfHost = isOfHost
  }
}

/** Fetches the bytes of an image, at most `maxImageBytes`. Throws a FetchError. */
export type FetchImage = (url: string, signal?: AbortSignal) => Promise<Buffer>

interface FetchOptions {
  readonly destinations: DestinationPolicy
  readonly resolve?: ResolveHost
  /** The time for an image with all redirects, in milliseconds. */
  readonly timeoutMs?: number
}

const defaultTimeoutMs = 20_000
const maxRedirects = 5
const redirections: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308])
const headers = { accept: 'image/avif,image/webp,image/png,image/jpeg', 'user-agent': 'cartwright' }

/**
 * Returns a function that fetches images from public addresses and from those that `destinations` lists besides. Each
 * redirect is checked as the first address is.
 */
export function createImageFetcher({
  destinations,
  resolve = resolveHost,
  timeoutMs = defaultTimeoutMs,
}: FetchOptions): FetchImage {
  // Anybody may read a public image, so http is as good as https.
  const mayConnect = (address: string): boolean => destinations.mayConnect(address, true)
  const lookup = checkedLookup(resolve, mayConnect)
  const open = async (url: URL, signal: AbortSignal): Promise<IncomingMessage> => {
    const addresses = literalAddresses(url.hostname)
    if (addresses.length > 0 && !addresses.some(mayConnect)) throw notAllowed()
    const { promise, resolve: answer, reject } = Promise.withResolvers<IncomingMessage>()
    // Without keepAlive, every request checks the address that it connects to.
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    send(url, { headers, lookup, signal, agent: false }, answer).on('error', reject).end()
    return promise
  }
  return async (text, stopping) => {
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = stopping ? AbortSignal.any([timeout, stopping]) : timeout
    try {
      return await followRedirects(text, (url) => open(url, signal))
    } catch (error) {
      if (error instanceof FetchError) throw error
      stopping?.throwIfAborted()
      throw failureOf(error, timeout, timeoutMs)
    }
  }
}

function failureOf(error: unknown, timeout: AbortSignal, timeoutMs: number): FetchError {
  if (timeout.aborted) {
    const detail = createMessage('import.image_timeout', { seconds: timeoutMs / 1000 })
    return new FetchError(detail, { isOfHost: true })
  }
  const reason = reasonOf(error)
  if (reason === 'address_not_allowed') return notAllowed()
  return new FetchError(createMessage('import.image_unreachable', { reason }), { isOfHost: true })
}

const notAllowed = () => new FetchError(createMessage('import.image_address'))

/** Returns the address of an image. Throws a FetchError for other texts than web addresses without credentials. */
export function imageUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (url && isWeb && url.username === '' && url.password === '') return url
  throw new FetchError(createMessage('field.uri'))
}

async function followRedirects(
  text: string,
  open: (url: URL) => Promise<IncomingMessage>,
): Promise<Buffer> {
  let url = imageUrl(text)
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const message = await open(url)
    const { statusCode: status, headers } = message
    if (status === 200) return readBody(message)
    message.destroy()
    if (!redirections.has(status) || headers.location === undefined) {
      throw new FetchError(createMessage('import.image_status', { status: status ?? 0 }))
    }
    url = imageUrl(headers.location, url)
  }
  throw new FetchError(createMessage('import.image_redirects', { limit: maxRedirects }))
}

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = Number(message.headers['content-length'] ?? 0)
  if (length <= maxImageBytes) {
    length = 0
    for await (const chunk of message) {
      chunks.push(chunk)
      length += chunk.length
      if (length > maxImageBytes) break
    }
  }
  message.destroy()
  if (length <= maxImageBytes) return Buffer.concat(chunks)
  throw new FetchError(createMessage('detail.body_limit', { limit: maxImageBytes }), {
    code: '4131',
  })
}
