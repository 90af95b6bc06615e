import type { FastifyInstance, FastifyRequest } from 'fastify'
import { loggedPath, pathOf } from '#http/message/url-path.ts'

/** A request whose response was sent, or whose client disconnected. */
export interface ServedRequest {
  readonly method: string
  /** Without the query and the secrets of the path; at most 256 characters and an ellipsis. */
  readonly path: string
  /** The path template of the route; undefined where none matched. */
  readonly route: string | undefined
  readonly status: number
  readonly milliseconds: number
  readonly requestId: string
  /** The address of the client; undefined if it disconnected before that was read. */
  readonly address: string | undefined
  /** ID of the user whose credential was sent. */
  readonly userId: number | null
}

/** Calls `observe` for every request after its response. */
export function observeRequests(
  app: FastifyInstance,
  observe: (served: ServedRequest) => void,
): void {
  app.addHook('onResponse', (request, reply, done) => {
    observe(describeServedRequest(request, reply.statusCode, reply.elapsedTime))
    done()
  })
}

/** Describes a request whose response was sent, or whose client disconnected. */
export function describeServedRequest(
  request: FastifyRequest,
  status: number,
  milliseconds: number,
): ServedRequest {
  const { method, url, id, routeOptions, exchange } = request
  return {
    method,
    path: loggedPath(pathOf(url), routeOptions.url),
    route: routeOptions.url,
    status,
    milliseconds,
    requestId: id,
    address: request.ip,
    userId: exchange && 'actor' in exchange ? exchange.actor.userId : null,
  }
}
