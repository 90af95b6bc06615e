import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Instant } from '#values/instant.ts'
import { type Refusal, refusal } from '#values/refusal.ts'
import { type ErrorSettings, errorAnswer } from './errors.ts'
import { securityHeaders } from './security-headers.ts'

/** The longest address read, in characters. */
export const longestAddress = 8_000
/** The most bytes of a request before its body. */
export const mostHeaderBytes = 16_384

/** How long a client may take, in milliseconds. */
export interface Patience {
  /** For everything before the body. */
  readonly headersMs: number
  /** For the whole request. */
  readonly requestMs: number
  /** How often it is looked at. */
  readonly sweepMs: number
}

/** Enough for a body of 1 MiB over the slowest line worth serving. */
export const usualPatience: Patience = { headersMs: 10_000, requestMs: 60_000, sweepMs: 2_000 }

interface ClientError {
  readonly code?: string
  readonly rawPacket?: unknown
}

/** Answers what never becomes a request, in the catalogue's words, and hangs up (RFC 9112 2.2). */
export const clientErrorResponder =
  (settings: ErrorSettings, clock: () => Instant) =>
  (error: ClientError, socket: Socket): void => {
    // An answer that has begun must not be continued by another.
    const begun = (socket as { _httpMessage?: { headersSent?: boolean } | null })._httpMessage
    if (error.code === 'ECONNRESET' || !socket.writable || begun?.headersSent) {
      socket.destroy()
      return
    }
    const occasion = { path: '', requestId: randomUUID(), now: clock() }
    const { status, body } = errorAnswer(refusalOf(error), occasion, settings)
    const text = JSON.stringify(body?.())
    const fields = {
      ...securityHeaders,
      'x-request-id': occasion.requestId,
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(text)),
      date: new Date(occasion.now).toUTCString(),
      connection: 'close',
    }
    const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`HTTP/1.1 ${status} \r\n${head.join('')}\r\n${text}`)
    socket.destroySoon()
  }

function refusalOf({ code, rawPacket }: ClientError): Refusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refusal('4081', 'detail.too_slow')
  if (code !== 'HPE_HEADER_OVERFLOW') return refusal('4002', 'detail.bad_request')
  const received = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : ''
  const [line = ''] = received.split('\r\n', 1)
  return /^[A-Z]+ \S+/.test(line) && line.length > longestAddress
    ? refusal('4141', 'detail.too_long')
    : refusal('4311', 'detail.header_limit', { limit: mostHeaderBytes })
}
