import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Route } from '#http/declare/route.ts'
import type { OpenApiFragment } from '#http/exchange/step.ts'
import { securityHeadersOver } from '#http/message/security-headers.ts'
import { pathOf } from '#http/message/url-path.ts'
import { type ErrorSettings, problemResponse } from '#http/response/problems/response.ts'
import { sendProblem } from '#http/response/send.ts'
import { OutcomeUnknownError } from '#store/errors.ts'
import type { Instant } from '#values/instant.ts'
import { Problem, problem, unavailableProblem } from '#values/problem.ts'
import { tellRarely } from '#values/tell-rarely.ts'
import { undecodableBodyCode } from './body/decompress.ts'
import { mediaTypeProblem } from './body/request-body.ts'
import { closeGracefully } from './connection/graceful-close.ts'

/** An error of Fastify. */
export interface FrameworkError {
  readonly code?: string
  readonly statusCode?: number
}

/** True for an error that is answered with a status below 500. */
export function isClientError(error: FrameworkError | Problem): boolean {
  const status = error instanceof Problem ? error.status : (error.statusCode ?? 500)
  return status < 500
}

/** What the error handler depends on. */
interface ErrorHandlerOptions {
  readonly clock: () => Instant
  readonly serverProblem: ServerProblem
}

/** Answers an error thrown outside the middleware with a problem of the catalogue; logs a bug. */
export function createErrorHandler(
  settings: ErrorSettings,
  { clock, serverProblem }: ErrorHandlerOptions,
): (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  return (error, request, reply) => {
    const clientProblem =
      error instanceof Problem ? error : frameworkProblem(error as FrameworkError, request)
    const thrown = clientProblem ?? serverProblem(error, request)
    const path = pathOf(request.originalUrl)
    const errorContext = { path, requestId: request.id, now: clock() }
    reply.headers({
      ...securityHeadersOver(request.protocol),
      'cache-control': 'no-store',
      vary: 'Accept, Accept-Encoding, Accept-Language, Authorization',
      'x-request-id': request.id,
    })
    // The rest of an oversized body is not read; HTTP/2 has no Connection field.
    if (request.raw.httpVersionMajor === 2) reply.removeHeader('connection')
    else if (thrown.status === 413) {
      reply.header('connection', 'close')
      closeGracefully(request.raw)
    }
    const response = problemResponse(thrown, errorContext, request.headers, settings)
    return sendProblem(reply, response, request.exchange)
  }
}

/** Describes the problems and header fields that every route may have. */
export const describeProblems = ({ path }: Route): OpenApiFragment => ({
  commonHeaders: ['X-Request-Id'],
  // A path parameter can be too long or malformed.
  problems: path.includes(':') ? ['4001', '4141', '5001', '5031'] : ['5001', '5031'],
  problemHeaders: { 401: ['WWW-Authenticate'], 503: ['Retry-After'] },
})

/** Logs an error that is no problem, and returns the problem to send: 503/5031 or 500/5001. */
export type ServerProblem = (error: unknown, request: Pick<FastifyRequest, 'log' | 'id'>) => Problem

/**
 * Creates it. What `isUnavailable` is true for is logged once a second and without a stack, because every
 * request meets it while a dependency is away; any other error is a bug, and always logged.
 */
export function createServerProblem(isUnavailable: (error: unknown) => boolean): ServerProblem {
  const countLeftOut = tellRarely()
  return (error, { log, id }) => {
    if (!isUnavailable(error)) {
      log.error({ err: error, request_id: id }, 'request failed')
      return problem('5001', 'detail.internal')
    }
    const left_out = countLeftOut()
    if (left_out !== undefined) {
      const { code } = error as { readonly code?: unknown }
      log.error({ reason: String(error), code, request_id: id, left_out }, 'request failed')
    }
    return unavailableProblem(
      error instanceof OutcomeUnknownError ? 'detail.outcome_unknown' : 'detail.unavailable',
    )
  }
}

/** The problem for an error code of Fastify; undefined for a bug. */
function frameworkProblem(
  { code, statusCode }: FrameworkError,
  { method, routeOptions }: FastifyRequest,
): Problem | undefined {
  switch (code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE':
      return mediaTypeProblem(method)
    case undecodableBodyCode:
      return problem('4002', 'detail.malformed_coding')
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return problem('4131', 'detail.body_limit', { limit: routeOptions.bodyLimit })
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
