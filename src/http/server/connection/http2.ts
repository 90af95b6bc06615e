import { METHODS, type Server } from 'node:http'
import {
  constants,
  createServer,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2'
import type { Timeouts } from './client-errors.ts'

// Above `maxHeaderBytes` a request is answered with a problem; above this, Node resets the stream.
const maxHeaderListBytes = 32_768
const maxStreams = 100
/** The stream resets allowed at once, and per second after that (CVE-2023-44487). */
const resetLimits = { streamResetBurst: 200, streamResetRate: 20 }
const maxProtocolErrors = 50
const maxStreamId = 2 ** 31 - 1

/** Serves HTTP/2 on the connections passed to it. */
export interface Http2Listener {
  /** Serves a connection that negotiated HTTP/2 (ALPN). */
  readonly acceptConnection: (connection: Parameters<Http2Server['emit']>[1]) => void
  /** Sends GOAWAY on every connection; requests in progress are answered (RFC 9113 6.8). */
  readonly announceClose: () => void
  /** Closes every connection once its requests in progress are answered. */
  readonly close: () => void
}

/**
 * Serves HTTP/2 (RFC 9113) and passes its requests to an HTTP/1.1 server, so that one application
 * answers both. A connection without a request for `idleMs` is closed.
 */
export function createHttp2Listener(
  http1Server: Server,
  { headersMs, idleMs, stalledMs }: Timeouts,
): Http2Listener {
  const sessions = new Set<ServerHttp2Session>()
  const server = createServer({
    ...resetLimits,
    maxSessionInvalidFrames: maxProtocolErrors,
    maxSessionRejectedStreams: maxProtocolErrors,
    settings: { maxConcurrentStreams: maxStreams, maxHeaderListSize: maxHeaderListBytes },
  })
  const forward = (request: Http2ServerRequest, response: Http2ServerResponse): void => {
    http1Server.emit('request', request, response)
  }
  server.on('request', (request, response) => {
    replaceUnknownMethod(request)
    forward(request, response)
  })
  // An unknown Expect is ignored (RFC 9110 10.1.1).
  server.on('checkExpectation', forward)
  // CONNECT gets 405, like any other method that no path offers.
  server.on('connect', forward)
  let isClosed = false
  server.on('session', (session) => {
    sessions.add(session)
    // The handshake ended after `close`.
    if (isClosed) session.close()
    session.once('close', () => sessions.delete(session))
    session.setTimeout(stalledMs, () => session.destroy())
    closeWhenIdle(session, headersMs, idleMs)
  })
  return {
    acceptConnection: (connection) => void server.emit('connection', connection),
    announceClose: () => {
      for (const session of sessions) {
        if (!session.closed) session.goaway(constants.NGHTTP2_NO_ERROR, maxStreamId)
      }
    },
    close: () => {
      isClosed = true
      for (const session of sessions) session.close()
    },
  }
}

const knownMethods = new Set(METHODS)

/**
 * Replaces a method that Node does not know, which Fastify could not route, by TRACE, which no path
 * offers: the response is 405. `sentMethod` holds the original.
 */
function replaceUnknownMethod(request: Http2ServerRequest & { sentMethod?: string }): void {
  if (knownMethods.has(request.method)) return
  request.sentMethod = request.method
  request.headers[':method'] = 'TRACE'
}

/** Closes a session that has had no open stream for a while; only requests keep it open. */
function closeWhenIdle(session: ServerHttp2Session, headersMs: number, idleMs: number): void {
  let openStreams = 0
  const closeAfter = (milliseconds: number) =>
    setTimeout(() => session.close(), milliseconds).unref()
  let timer = closeAfter(headersMs)
  session.on('stream', (stream) => {
    openStreams += 1
    clearTimeout(timer)
    stream.once('close', () => {
      openStreams -= 1
      if (openStreams === 0 && !session.closed) timer = closeAfter(idleMs)
    })
  })
  session.once('close', () => clearTimeout(timer))
}
