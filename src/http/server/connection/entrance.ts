import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http'
import { constants, type Http2ServerRequest } from 'node:http2'
import type { Socket } from 'node:net'
import type { AddressMatcher } from '#http/message/addresses.ts'
import { networkOf, siteOf } from '#http/message/client-network.ts'
import { headerBytes } from '#http/message/request-validity.ts'
import { clientAddress } from '../network/client-address.ts'
import { createBodyBudget } from './body-budget.ts'
import type { Timeouts } from './client-errors.ts'
import { limitConnections } from './connection-limit.ts'
import { createRequestTurns } from './request-turns.ts'
import { CountedResponse, overheadBytes, UnreadResponses } from './unread-responses.ts'

/** The requests on a connection over HTTP/1.1 that may wait for their responses (RFC 9112 9.3.2). */
export const maxPipelined = 16

/**
 * Creates the HTTP server, which bounds what a request costs before it is routed: its body, its turn, and
 * how many of them a connection has unanswered; and after it, until its response is read. HTTP/2 bounds its
 * streams by itself.
 */
export function createEntrance(
  options: ServerOptions,
  { idleMs, stalledMs }: Timeouts,
  isTrustedProxy: AddressMatcher | undefined,
): (route: RequestListener) => Server {
  const takeTurn = createRequestTurns()
  const budget = createBodyBudget()
  const unread = new UnreadResponses()
  const unanswered = new WeakMap<Socket, number>()
  const count = (socket: Socket, change: number): number => {
    const counted = (unanswered.get(socket) ?? 0) + change
    unanswered.set(socket, counted)
    return counted
  }
  return (route) => {
    const serverOptions = { ...options, ServerResponse: CountedResponse }
    const server: Server = createServer(serverOptions, (request, response) => {
      const { socket } = request
      const isHttp2 = request.httpVersionMajor === 2
      if (!isHttp2) {
        // The parser goes on with what has arrived already.
        if (socket.destroyed) return
        if (count(socket, 1) > maxPipelined) return void socket.destroy()
        response.once('close', () => count(socket, -1))
      }
      const network = networkOf(clientAddress(request, isTrustedProxy))
      const site = siteOf(network)
      budget.watch(request, response, site)
      // A request over HTTP/1.1 has 16 KiB of header fields at most.
      const bytes = overheadBytes + (isHttp2 ? headerBytes(request.rawHeaders) : 0)
      if (isHttp2) unread.watch(response, site, bytes)
      else {
        response.unread = unread
        response.network = site
      }
      const begin = (): void => {
        const isConnected = request.socket.remoteAddress !== undefined
        if (isConnected && !request.destroyed && !response.destroyed) route(request, response)
      }
      if (!takeTurn(site, begin, bytes)) refuse(request)
    })
    limitConnections(server, isTrustedProxy)
    server.keepAliveTimeout = idleMs
    // body-time.ts limits the time of a body.
    server.requestTimeout = 0
    server.setTimeout(stalledMs)
    return server
  }
}

/** Ends a request unserved: over HTTP/2 alone, so that its client may repeat it (RFC 9113 8.7). */
function refuse(request: IncomingMessage): void {
  const { stream } = request as unknown as Partial<Http2ServerRequest>
  if (stream) stream.close(constants.NGHTTP2_REFUSED_STREAM)
  else request.socket.destroy()
}
