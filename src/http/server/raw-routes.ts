import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireConfidential } from '#http/pipeline/guards/confidentiality.ts'
import { requireCapacity } from '#http/pipeline/guards/overload.ts'
import type { Protection } from '#http/pipeline/order.ts'
import { limitEndpoint } from '#http/rate-limit/middleware.ts'
import { defaultLanguage, languages } from '#i18n/languages.ts'
import { formatMessage } from '#i18n/message.ts'
import type { Instant } from '#values/instant.ts'
import { Problem, problem, unavailable } from '#values/problem.ts'
import { networkOf } from './network/client-network.ts'

/** A request that somebody else's code answers. */
export interface RawRequest {
  readonly request: IncomingMessage
  /** Has the header fields of every answer of this server already. */
  readonly response: ServerResponse
  /** The body as it came, decoded. */
  readonly body: Buffer
  /** The path without a version's prefix, and the query. */
  readonly url: string
  /** The address of the client, as far as proxies are believed. */
  readonly ip: string
  readonly now: Instant
  readonly requestId: string
}

/** A place whose answers follow another specification than the API, made by somebody else's code. */
export interface RawRoute {
  readonly method: 'GET' | 'POST'
  /** A path template, as routes have it. */
  readonly path: string
  /** True for what holds no secret either way; all else needs HTTPS, or a client of this machine. */
  readonly isPublic?: boolean
  /** Answers on the response itself. */
  readonly answer: (call: RawRequest) => Promise<void>
}

/** What foreign routes are served with. */
export interface RawRouteOptions extends Protection {
  readonly clock: () => Instant
  readonly isUnavailable: (error: unknown) => boolean
}

const bodyLimit = 56 * 1024

/**
 * Serves foreign routes beside the declared ones: with the same header fields, identifiers, CORS,
 * limits and log, and with errors in the shape of OAuth (RFC 6749 5.2).
 */
export function serveRawRoutes(
  app: FastifyInstance,
  routes: readonly RawRoute[],
  dependencies: RawRouteOptions,
): void {
  if (routes.length === 0) return
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_, body, parsed) => {
      parsed(null, body)
    })
    scope.setErrorHandler((error, request, reply) => {
      const { status, fields, text } = tell(error, request, dependencies)
      return reply.code(status).headers(fields).send(text)
    })
    for (const route of routes) serveOne(scope, route, dependencies)
    done()
  })
}

function serveOne(scope: FastifyInstance, route: RawRoute, dependencies: RawRouteOptions): void {
  const { method, path, answer, isPublic = false } = route
  const { limits, load, clock } = dependencies
  const limit = limits && limitEndpoint(`${method} ${path}`, limits, load)
  scope.route({
    method,
    url: path,
    onRequest: async (request, reply) => {
      if (load) requireCapacity(load)
      if (!isPublic) requireConfidential(request)
      const responseHeaders = {}
      try {
        await limit?.({ now: clock(), responseHeaders }, networkOf(request.ip))
      } finally {
        reply.headers(responseHeaders)
      }
    },
    handler: async (request, reply) => {
      reply.hijack()
      const { raw } = reply
      const known = Object.entries(reply.getHeaders())
      for (const [name, value] of known) if (value !== undefined) raw.setHeader(name, value)
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const { url, ip, id: requestId } = request
      const call = { request: request.raw, response: raw, body, url, ip, now: clock(), requestId }
      try {
        await answer(call)
      } catch (error) {
        const { status, fields, text } = tell(error, request, dependencies)
        if (raw.headersSent) raw.destroy()
        else raw.writeHead(status, fields).end(text)
      }
    },
  })
}

/** What a client is told of an error; what is no refusal is logged, and nothing told of it. */
function tell(error: unknown, request: FastifyRequest, { isUnavailable }: RawRouteOptions) {
  const known = problemIn(error)
  if (!known) request.log.error({ err: error, request_id: request.id }, 'request failed')
  const refused =
    known ??
    (isUnavailable(error) ? unavailable('detail.unavailable') : problem('5001', 'detail.internal'))
  const { status, detail, headers } = refused
  const told = {
    error: labelOf(status),
    error_description: formatMessage(detail, languages[defaultLanguage]),
  }
  const fields = {
    'content-type': 'application/json; charset=utf-8',
    // Nothing but ASCII may stand there (RFC 6749 5.2), so English does for everybody.
    'content-language': defaultLanguage,
    'cache-control': 'no-store',
    ...headers,
  }
  return { status, fields, text: JSON.stringify(told) }
}

function problemIn(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  const { statusCode } = error as { readonly statusCode?: number }
  if (statusCode === 413) return problem('4131', 'detail.body_limit', { limit: bodyLimit })
  return statusCode !== undefined && statusCode < 500
    ? problem('4002', 'detail.bad_request')
    : undefined
}

const labelOf = (status: number): string => {
  if (status === 429 || status === 503) return 'temporarily_unavailable'
  return status < 500 ? 'invalid_request' : 'server_error'
}
