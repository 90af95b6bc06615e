import { randomUUID } from 'node:crypto'
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isEncrypted } from '#http/message/addresses.ts'
import { maxHeaderBytes, maxRequestTargetLength } from '#http/message/request-validity.ts'
import { securityHeadersOver } from '#http/message/security-headers.ts'
import { pathOf } from '#http/message/url-path.ts'
import { type ErrorSettings, problemResponse } from '#http/response/problems/response.ts'
import type { ErrorCode } from '#i18n/error-codes.ts'
import { createMessage } from '#i18n/message.ts'
import type { Instant } from '#values/instant.ts'
import { Problem, problem } from '#values/problem.ts'

/** How fast a body has to arrive on average. */
export interface BodyPace {
  readonly bytesPerSecond: number
  /** How long it may take beyond that, in milliseconds: lines of phones pause now and then. */
  readonly graceMs: number
}

/** The time limits of a connection, in milliseconds. */
export interface Timeouts {
  /** To receive the request line and the header fields. */
  readonly headersMs: number
  /** To receive a body; of an upload, each 256 KiB. */
  readonly requestMs: number
  /** The mean pace of a body, after a while. */
  readonly bodyPace: BodyPace
  /** The interval at which the limit of the header fields is checked. */
  readonly checkIntervalMs: number
  /** Between two requests on a connection. */
  readonly idleMs: number
  /** Without traffic while a response is pending; longer than the slowest one takes to start. */
  readonly stalledMs: number
}

/** The time limits in production: enough for a body of 1 MiB over a slow line. */
export const defaultTimeouts: Timeouts = {
  headersMs: 10_000,
  requestMs: 60_000,
  bodyPace: { bytesPerSecond: 1024, graceMs: 10_000 },
  checkIntervalMs: 2_000,
  idleMs: 72_000,
  stalledMs: 180_000,
}

/** A request that was rejected before it reached Fastify; holds nothing of what was sent. */
export interface RejectedRequest {
  readonly requestId: string
  readonly status: number
  readonly errorCode: ErrorCode
  /** Node's error code. */
  readonly reason: string
  /** The address of the peer: a proxy or the client. */
  readonly address: string | undefined
}

interface ClientError {
  readonly code?: string
  readonly rawPacket?: unknown
  /** The offset in `rawPacket` at which the parser failed. */
  readonly bytesParsed?: number
}

/** The configuration of the responses to rejected requests. */
interface ClientErrorOptions {
  readonly settings: ErrorSettings
  readonly clock: () => Instant
  readonly observe: ((rejected: RejectedRequest) => void) | undefined
  /** Returns the problem of a method that no route has, at a path with query. */
  readonly methodProblem: (method: string, address: string) => Problem
}

/** The response that Node is writing to a socket (HTTP/1.1). */
const pendingResponse = (socket: Socket): ServerResponse | undefined =>
  (socket as { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? undefined

/**
 * Answers a request that Node rejects with a problem of the catalogue and closes the connection
 * (RFC 9112 2.2), after the responses to earlier requests on it (RFC 9112 9.3.2).
 */
export function clientErrorResponder(
  options: ClientErrorOptions,
): (error: ClientError, socket: Socket) => void {
  const waiting = new WeakSet<Socket>()
  const respond = (error: ClientError, socket: Socket): void => {
    const pending = pendingResponse(socket)
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else if (pending?.req.complete) {
      waiting.add(socket)
      pending.once('close', () => {
        if (socket.writable) respond(error, socket)
      })
    }
    // A second response must not follow the start of the first.
    else if (pending?.headersSent) socket.destroy()
    else writeProblem(error, socket, options)
  }
  return (error, socket) => {
    // While a socket waits, the parser reports an error for everything that follows.
    if (error.code === 'ECONNRESET' || !waiting.has(socket)) respond(error, socket)
  }
}

function writeProblem(
  error: ClientError,
  socket: Socket,
  { settings, clock, observe, methodProblem }: ClientErrorOptions,
): void {
  const requested = unknownMethod(error)
  const rejection = requested
    ? methodProblem(requested.method, requested.address)
    : catchProblem(error)
  const path = pathOf(requested?.address ?? '')
  const errorContext = { path, requestId: randomUUID(), now: clock() }
  // The header fields of a malformed request are ignored.
  const { status, headers, body } = problemResponse(rejection, errorContext, {}, settings)
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
  // A closed socket has no remoteAddress.
  const { remoteAddress: address } = socket
  socket.write(`HTTP/1.1 ${status} \r\n${head.join('')}\r\n${text}`)
  socket.destroySoon()
  const { requestId } = errorContext
  observe?.({ requestId, status, errorCode: rejection.code, reason: error.code ?? '', address })
}

const tunnel = 'CONNECT'

/**
 * Answers CONNECT with 405, and ignores an unknown Expect (RFC 9110 10.1.1 allows that). By
 * default, Node closes the connection for the first and answers the second with 417.
 */
export function answerConnectAndExpect(server: Server): void {
  server.on('connect', (_request, socket) => {
    server.emit('clientError', { code: tunnel } satisfies ClientError, socket)
  })
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/** A request line (RFC 9112 3) whose target is a path or a URL. */
const requestLine =
  /^([\w!#$%&'*+.^`|~-]{1,64}) (?:https?:\/\/[\w.:[\]-]+)?(\/[!-~]{0,7999}) HTTP\/1\.[01]$/

/** The method and target of a valid request line whose method Node does not know. */
function unknownMethod({ code, rawPacket, bytesParsed = 0 }: ClientError) {
  if (code !== 'HPE_INVALID_METHOD' && code !== 'HPE_INVALID_CONSTANT') return undefined
  if (!Buffer.isBuffer(rawPacket)) return undefined
  // The packet may start with other requests.
  const start = rawPacket.subarray(0, bytesParsed).lastIndexOf('\n') + 1
  const end = rawPacket.indexOf('\r\n', start)
  if (end < 0) return undefined
  const [, method, address] = requestLine.exec(rawPacket.toString('latin1', start, end)) ?? []
  return method !== undefined && address !== undefined ? { method, address } : undefined
}

function catchProblem({ code, rawPacket }: ClientError): Problem {
  if (code === tunnel) {
    const allow = 'OPTIONS'
    const detail = createMessage('detail.method', { method: tunnel, allowed: allow })
    return new Problem('4051', detail, { headers: { allow } })
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return problem('4081', 'detail.too_slow')
  if (code !== 'HPE_HEADER_OVERFLOW') return problem('4002', 'detail.bad_request')
  const received = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : ''
  const [line = ''] = received.split('\r\n', 1)
  return /^[A-Z]+ \S+/.test(line) && line.length > maxRequestTargetLength
    ? problem('4141', 'detail.too_long')
    : problem('4311', 'detail.header_limit', { limit: maxHeaderBytes })
}
