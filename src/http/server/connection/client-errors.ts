import { randomUUID } from 'node:crypto'
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorSettings, problemResponse } from '#http/response/problems/response.ts'
import { securityHeadersOver } from '#http/response/security-headers.ts'
import { isEncrypted } from '#http/server/network/proxies.ts'
import { createMessage } from '#i18n/message.ts'
import type { ErrorCode } from '#values/error-codes.ts'
import type { Instant } from '#values/instant.ts'
import { Problem, problem } from '#values/problem.ts'

/** The longest address read, in characters. */
export const maxAddressLength = 8_000
/** The most bytes of a request before its body. */
export const maxHeaderBytes = 16_384

/** How long a client may take, in milliseconds. */
export interface Timeouts {
  /** For everything before the body. */
  readonly headersMs: number
  /** For the whole request. */
  readonly requestMs: number
  /** How often it is looked at. */
  readonly sweepMs: number
  /** Between two requests on a connection. */
  readonly idleMs: number
  /** Without taking anything of an answer; more than the slowest answer takes to begin. */
  readonly stalledMs: number
}

/** Enough for a body of 1 MiB over the slowest line worth serving. */
export const defaultTimeouts: Timeouts = {
  headersMs: 10_000,
  requestMs: 60_000,
  sweepMs: 2_000,
  idleMs: 72_000,
  stalledMs: 180_000,
}

/** What is known of bytes that never became a request, once they have been answered. */
export interface RejectedRequest {
  readonly requestId: string
  readonly status: number
  readonly errorCode: ErrorCode
  /** What Node calls the complaint; nothing of what was sent. */
  readonly reason: string
  /** The other end of the connection: a proxy, or the client itself. */
  readonly address: string | undefined
}

interface ClientError {
  readonly code?: string
  readonly rawPacket?: unknown
  /** Where in it the complaint arose. */
  readonly bytesParsed?: number
}

/** How what never becomes a request is answered, and who is told of it. */
interface ClientErrorOptions {
  readonly settings: ErrorSettings
  readonly clock: () => Instant
  readonly observe: ((unread: RejectedRequest) => void) | undefined
}

/** The refusal of a method at an address. */
type MethodProblem = (method: string, address: string) => Problem

/** The request that a socket is being answered, in HTTP/1.1. */
const inFlight = (socket: Socket): ServerResponse | undefined =>
  (socket as { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? undefined

/**
 * Answers what never becomes a request, in the catalogue's words, and hangs up (RFC 9112 2.2). What
 * was asked before it on the same connection is answered before (RFC 9112 9.3.2).
 */
export function clientErrorResponder(
  options: ClientErrorOptions,
  methodProblem: MethodProblem,
): (error: ClientError, socket: Socket) => void {
  const waiting = new WeakSet<Socket>()
  const respond = (error: ClientError, socket: Socket): void => {
    const started = inFlight(socket)
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else if (started?.req.complete) {
      waiting.add(socket)
      started.once('close', () => {
        if (socket.writable) respond(error, socket)
      })
    }
    // An answer that has begun must not be continued by another.
    else if (started?.headersSent) socket.destroy()
    else refuse(error, socket, options, methodProblem)
  }
  return (error, socket) => {
    // The parser complains of whatever else comes.
    if (error.code === 'ECONNRESET' || !waiting.has(socket)) respond(error, socket)
  }
}

function refuse(
  error: ClientError,
  socket: Socket,
  { settings, clock, observe }: ClientErrorOptions,
  methodProblem: MethodProblem,
): void {
  const asked = unknownMethod(error)
  const refused = asked ? methodProblem(asked.method, asked.address) : problemOf(error)
  const [path = ''] = asked?.address.split('?', 1) ?? []
  const errorContext = { path, requestId: randomUUID(), now: clock() }
  // What its header fields ask for is not believed, or never arrived.
  const { status, headers, body } = problemResponse(refused, errorContext, {}, settings)
  const text = String(body?.())
  const fields = {
    ...headers,
    ...securityHeadersOver(isEncrypted(socket) ? 'https' : 'http'),
    'x-request-id': errorContext.requestId,
    'cache-control': 'no-store',
    'content-length': String(Buffer.byteLength(text)),
    date: new Date(errorContext.now).toUTCString(),
    connection: 'close',
  }
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  // Once it is closed, the socket knows no more of it.
  const { remoteAddress: address } = socket
  socket.write(`HTTP/1.1 ${status} \r\n${head.join('')}\r\n${text}`)
  socket.destroySoon()
  const { requestId } = errorContext
  observe?.({ requestId, status, errorCode: refused.code, reason: error.code ?? '', address })
}

const tunnel = 'CONNECT'

/**
 * Answers what Node would answer itself, or not at all: CONNECT with 405, since this is no proxy,
 * and a request that expects something unknown as any other (RFC 9110 10.1.1 leaves that free).
 */
export function answerConnectAndExpect(server: Server): void {
  server.on('connect', (_request, socket) => {
    server.emit('clientError', { code: tunnel } satisfies ClientError, socket)
  })
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/** A request line (RFC 9112 3) whose target is a path, in any of the forms it may have. */
const requestLine =
  /^([\w!#$%&'*+.^`|~-]{1,64}) (?:https?:\/\/[\w.:[\]-]+)?(\/[!-~]{0,7999}) HTTP\/1\.[01]$/

/** What a sound request line asks for by a method that Node has never heard of. */
function unknownMethod({ code, rawPacket, bytesParsed = 0 }: ClientError) {
  if (code !== 'HPE_INVALID_METHOD' && code !== 'HPE_INVALID_CONSTANT') return undefined
  if (!Buffer.isBuffer(rawPacket)) return undefined
  // Other requests may stand before it.
  const before = rawPacket.subarray(0, bytesParsed).lastIndexOf('\n') + 1
  const end = rawPacket.indexOf('\r\n', before)
  if (end < 0) return undefined
  const [, method, address] = requestLine.exec(rawPacket.toString('latin1', before, end)) ?? []
  return method !== undefined && address !== undefined ? { method, address } : undefined
}

function problemOf({ code, rawPacket }: ClientError): Problem {
  if (code === tunnel) {
    const allow = 'OPTIONS'
    const detail = createMessage('detail.method', { method: tunnel, allowed: allow })
    return new Problem('4051', detail, { headers: { allow } })
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return problem('4081', 'detail.too_slow')
  if (code !== 'HPE_HEADER_OVERFLOW') return problem('4002', 'detail.bad_request')
  const received = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : ''
  const [line = ''] = received.split('\r\n', 1)
  return /^[A-Z]+ \S+/.test(line) && line.length > maxAddressLength
    ? problem('4141', 'detail.too_long')
    : problem('4311', 'detail.header_limit', { limit: maxHeaderBytes })
}
