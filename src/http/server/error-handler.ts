import type { FastifyReply, FastifyRequest } from 'fastify'
import { undecodable } from '#http/codec/content-coding/decompress.ts'
import type { Route } from '#http/declare/route.ts'
import type { OpenApiFragment } from '#http/pipeline/step.ts'
import { type ErrorSettings, problemResponse } from '#http/response/problems/response.ts'
import { securityHeadersOver } from '#http/response/security-headers.ts'
import { sendProblem } from '#http/response/send.ts'
import type { Instant } from '#values/instant.ts'
import { Problem, problem, unavailable } from '#values/problem.ts'
import { closeGracefully } from './connection/graceful-close.ts'
import { bodyLimitBytes, mediaTypeProblem } from './request-body.ts'

/** An error outside the middleware: of a guard, of the framework, or a bug. */
export interface Fault {
  readonly code?: string
  readonly statusCode?: number
}

/** True for an error of the client (below 500). */
export function isProblem(error: Fault | Problem): boolean {
  const status = error instanceof Problem ? error.status : (error.statusCode ?? 500)
  return status < 500
}

/** Answers an error outside the middleware with a problem of the catalogue; logs a bug once. */
export function faultResponder(
  settings: ErrorSettings,
  ports: { readonly clock: () => Instant; readonly isUnavailable: (error: unknown) => boolean },
): (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  return (error, request, reply) => {
    const known =
      error instanceof Problem ? error : frameworkProblem(error as Fault, request.method)
    if (!known) request.log.error({ err: error, request_id: request.id }, 'request failed')
    const refused =
      known ??
      (ports.isUnavailable(error)
        ? unavailable('detail.unavailable')
        : problem('5001', 'detail.internal'))
    const [path = ''] = request.originalUrl.split('?', 1)
    const errorContext = { path, requestId: request.id, now: ports.clock() }
    reply.headers({
      ...securityHeadersOver(request.protocol),
      'cache-control': 'no-store',
      vary: 'Accept, Accept-Encoding, Accept-Language, Authorization',
      'x-request-id': request.id,
    })
    // The rest of an oversized body is not awaited.
    if (request.raw.httpVersionMajor === 2) reply.removeHeader('connection')
    else if (refused.status === 413) {
      reply.header('connection', 'close')
      closeGracefully(request.raw)
    }
    const response = problemResponse(refused, errorContext, request.headers, settings)
    return sendProblem(reply, response, request.exchange)
  }
}

/** The problems and header fields that every route may have. */
export const describeProblems = ({ path }: Route): OpenApiFragment => ({
  requestHeaders: ['Accept-Language', 'X-Request-Id'],
  everyHeaders: ['X-Request-Id'],
  // A parameter in the path can be too long, or no text at all.
  problems: path.includes(':') ? ['4001', '4141', '5001', '5031'] : ['5001', '5031'],
  problemHeaders: { 401: ['WWW-Authenticate'], 503: ['Retry-After'] },
})

/** The problem for an error code of Fastify; undefined for a bug. */
function frameworkProblem({ code, statusCode }: Fault, method: string): Problem | undefined {
  switch (code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return mediaTypeProblem(method)
    case undecodable:
      return problem('4002', 'detail.malformed_coding')
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return problem('4131', 'detail.body_limit', { limit: bodyLimitBytes })
    case 'FST_ERR_BAD_URL':
      return problem('4001', 'detail.bad_url')
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return problem('4141', 'detail.too_long')
    default:
      return statusCode !== undefined && statusCode >= 400 && statusCode < 500
        ? problem('4002', 'detail.bad_request')
        : undefined
  }
}
