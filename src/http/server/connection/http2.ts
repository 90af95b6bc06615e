import { METHODS, type Server } from 'node:http'
import {
  constants,
  createServer,
  type Http2Server,
  type Http2ServerRequest,
  type ServerHttp2Session,
} from 'node:http2'
import type { FastifyInstance } from 'fastify'
import { problem } from '#values/problem.ts'
import type { Timeouts } from './client-errors.ts'

// What is over the limit of a request is refused in our own words up to here; beyond, the stream is
// reset.
const maxHeaderListBytes = 65_536
const maxStreams = 100
/** How many resets come for free, and how many a second after (CVE-2023-44487). */
const resets = { streamResetBurst: 200, streamResetRate: 20 }
const maxMistakes = 50
const lastStream = 2 ** 31 - 1

/** HTTP/2 on connections that it is given. */
export interface Http2Listener {
  /** Takes a connection on which HTTP/2 has been agreed. */
  readonly take: (connection: Parameters<Http2Server['emit']>[1]) => void
  /** Tells clients to come back on another connection; what they have begun is answered. */
  readonly dismiss: () => void
  /** Closes every connection as soon as what is under way there has been answered. */
  readonly close: () => void
}

/**
 * Speaks HTTP/2 (RFC 9113) and hands its requests to a server of HTTP/1.1, so that both are
 * answered by the same application; a connection on which nothing is asked for `idleMs` is closed.
 */
export function openHttp2(
  inside: Server,
  { headersMs, idleMs, stalledMs }: Timeouts,
): Http2Listener {
  const sessions = new Set<ServerHttp2Session>()
  const server = createServer({
    ...resets,
    maxSessionInvalidFrames: maxMistakes,
    maxSessionRejectedStreams: maxMistakes,
    settings: { maxConcurrentStreams: maxStreams, maxHeaderListSize: maxHeaderListBytes },
  })
  server.on('request', (request, response) => {
    renameMethod(request)
    inside.emit('request', request, response)
  })
  // What is expected is not judged: RFC 9110 10.1.1 leaves that free.
  server.on('checkExpectation', (request, response) => inside.emit('request', request, response))
  // Answered with 405, as any other method that nothing has.
  server.on('connect', (request, response) => inside.emit('request', request, response))
  let isClosed = false
  server.on('session', (session) => {
    sessions.add(session)
    // Its handshake took so long that everybody else has left.
    if (isClosed) session.close()
    session.once('close', () => sessions.delete(session))
    session.setTimeout(stalledMs, () => session.destroy())
    closeWhenIdle(session, headersMs, idleMs)
  })
  return {
    take: (connection) => void server.emit('connection', connection),
    dismiss: () => {
      for (const session of sessions) {
        if (!session.closed) session.goaway(constants.NGHTTP2_NO_ERROR, lastStream)
      }
    },
    close: () => {
      isClosed = true
      for (const session of sessions) session.close()
    },
  }
}

const methods = new Set(METHODS)

/**
 * Gives a method that no parser of HTTP/1.1 would have let in the name of one that no path offers,
 * so that it is refused as that is; `sentMethod` keeps what was sent.
 */
function renameMethod(request: Http2ServerRequest & { sentMethod?: string }): void {
  if (methods.has(request.method)) return
  request.sentMethod = request.method
  request.headers[':method'] = 'TRACE'
}

/** Nothing but a request keeps a connection: no ping, no settings, no half of a header. */
function closeWhenIdle(session: ServerHttp2Session, firstMs: number, idleMs: number): void {
  let open = 0
  const wait = (milliseconds: number) => setTimeout(() => session.close(), milliseconds).unref()
  let timer = wait(firstMs)
  session.on('stream', (stream) => {
    open += 1
    clearTimeout(timer)
    stream.once('close', () => {
      open -= 1
      if (open === 0 && !session.closed) timer = wait(idleMs)
    })
  })
  session.once('close', () => clearTimeout(timer))
}

/** Refuses with 408 a body that is not there in time, which Node watches over in HTTP/1.1 alone. */
export function limitBodyTime(app: FastifyInstance, { requestMs }: Timeouts): void {
  app.addHook('preParsing', ({ raw }, reply, payload, done) => {
    if (raw.httpVersionMajor === 2 && !raw.complete) {
      const refuse = (): void => {
        // Only who reads the body listens; anybody else has begun to answer without it.
        if (raw.listenerCount('error') > 0) raw.emit('error', problem('4081', 'detail.too_slow'))
      }
      const timer = setTimeout(refuse, requestMs)
      raw.once('end', () => clearTimeout(timer))
      reply.raw.once('close', () => clearTimeout(timer))
    }
    done(null, payload)
  })
}
