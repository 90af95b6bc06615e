import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { anonymous } from '#http/declare/actor.ts'
import { networkOf } from '#http/message/client-network.ts'
import { requireSecureTransport } from '#http/pipeline/guards/confidentiality.ts'
import { requireFewParameters } from '#http/pipeline/middleware/query-bounds.ts'
import type { PipelineServices } from '#http/pipeline/step-order.ts'
import { limitEndpoint } from '#http/rate-limit/middleware.ts'
import { inPlace } from '#http/rate-limit/network-work.ts'
import { requireCapacity } from '#http/rate-limit/overload.ts'
import { defaultLanguage, languages } from '#i18n/languages.ts'
import { formatMessage } from '#i18n/message.ts'
import type { Instant } from '#values/instant.ts'
import { Problem, problem } from '#values/problem.ts'
import type { ServerProblem } from './error-handler.ts'

/** A request to a raw route. */
export interface RawRequest {
  readonly request: IncomingMessage
  /** The header fields of every response of this server are set already. */
  readonly response: ServerResponse
  /** The body, after its content coding is decoded. */
  readonly body: Buffer
  /** The path without a version prefix, and the query. */
  readonly url: string
  /** The address of the client; trusted proxies are skipped. */
  readonly ip: string
  readonly now: Instant
  readonly requestId: string
}

/** An endpoint that follows another specification than the API, such as OAuth. */
export interface RawRoute {
  readonly method: 'GET' | 'POST'
  /** A path template of Fastify. */
  readonly path: string
  /** True for an endpoint without secrets; others need HTTPS or a client on this machine. */
  readonly isPublic?: boolean
  /** Writes the response. */
  readonly respond: (call: RawRequest) => Promise<void>
}

/** The configuration of raw routes. */
export interface RawRouteOptions extends PipelineServices {
  readonly clock: () => Instant
  readonly serverProblem: ServerProblem
}

/** The largest body of a raw route, in bytes. */
export const rawBodyLimitBytes = 56 * 1024

/**
 * Serves raw routes with the header fields, request IDs, CORS, limits and log of the declared ones.
 * Errors have the format of OAuth (RFC 6749 5.2).
 */
export function serveRawRoutes(
  app: FastifyInstance,
  routes: readonly RawRoute[],
  options: RawRouteOptions,
): void {
  if (routes.length === 0) return
  app.register((scope, _, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: rawBodyLimitBytes },
      (_request, body, parsed) => {
        parsed(null, body)
      },
    )
    scope.setErrorHandler((error, request, reply) => {
      const { status, headers, body } = errorResponse(error, request, options)
      return reply.code(status).headers(headers).send(body)
    })
    for (const route of routes) serveRawRoute(scope, route, options)
    done()
  })
}

function serveRawRoute(scope: FastifyInstance, route: RawRoute, options: RawRouteOptions): void {
  const { method, path, respond, isPublic = false } = route
  const { limits, load, work, clock } = options
  const limit = limits && limitEndpoint(`${method} ${path}`, limits, load)
  scope.route({
    method,
    url: path,
    onRequest: async (request, reply) => {
      if (load) requireCapacity(load, networkOf(request.ip))
      if (!isPublic) requireSecureTransport(request)
      // Koa, on which OAuth runs, reads repeated parameters in quadratic time.
      requireFewParameters(request.query as Readonly<Record<string, unknown>>)
      const responseHeaders = {}
      try {
        await limit?.({ now: clock(), responseHeaders, request })
      } finally {
        reply.headers(responseHeaders)
      }
    },
    handler: async (request, reply) => {
      reply.hijack()
      const { raw } = reply
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) raw.setHeader(name, value)
      }
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const { url, ip, id: requestId } = request
      const now = clock()
      const call = { request: request.raw, response: raw, body, url, ip, now, requestId }
      try {
        await inPlace(work, { request, actor: anonymous, now }, () => respond(call))
      } catch (error) {
        const { status, headers, body } = errorResponse(error, request, options)
        if (raw.headersSent) raw.destroy()
        else raw.writeHead(status, headers).end(body)
      }
    },
  })
}

/** The OAuth error response for an error (RFC 6749 5.2). */
function errorResponse(
  error: unknown,
  request: FastifyRequest,
  { serverProblem }: RawRouteOptions,
) {
  const { status, detail, headers } = clientProblem(error) ?? serverProblem(error, request)
  const body = {
    error: oauthErrorCode(status),
    error_description: formatMessage(detail, languages[defaultLanguage]),
  }
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      // error_description must be ASCII (RFC 6749 5.2), so it is English in every language.
      'content-language': defaultLanguage,
      'cache-control': 'no-store',
      ...headers,
    },
    body: JSON.stringify(body),
  }
}

function clientProblem(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  const { statusCode } = error as { readonly statusCode?: number }
  if (statusCode === 413) return problem('4131', 'detail.body_limit', { limit: rawBodyLimitBytes })
  return statusCode !== undefined && statusCode < 500
    ? problem('4002', 'detail.bad_request')
    : undefined
}

const oauthErrorCode = (status: number): string => {
  if (status === 429 || status === 503) return 'temporarily_unavailable'
  return status < 500 ? 'invalid_request' : 'server_error'
}
