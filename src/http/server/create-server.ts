import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { withoutPrefix } from '#http/message/api-versions.ts'
import { maxHeaderBytes, originForm } from '#http/message/request-validity.ts'
import type { ErrorSettings } from '#http/response/problems/response.ts'
import type { Instant } from '#values/instant.ts'
import { maxBodyBytes } from './body/body-limit.ts'
import {
  clientErrorResponder,
  defaultTimeouts,
  type RejectedRequest,
  type Timeouts,
} from './connection/client-errors.ts'
import { createEntrance } from './connection/entrance.ts'
import type { createErrorHandler } from './error-handler.ts'
import { methodProblem, type PathMethods } from './methods.ts'
import type { HttpsPolicy } from './network/https-policy.ts'
import { requestId } from './request-id.ts'

/** The configuration of connections. */
export interface ConnectionOptions {
  readonly clock: () => Instant
  /** The time limits of connections; `defaultTimeouts` by default. */
  readonly timeouts?: Timeouts
  /** Which transports are allowed and which proxies are trusted; all and none by default. */
  readonly httpsPolicy?: HttpsPolicy
  readonly logger?: FastifyBaseLogger
  /** Called for every rejected connection or request that never reached a route. */
  readonly observeRejected?: (request: RejectedRequest) => void
}

/** Creates the Fastify server without routes. */
export function createServer(
  { logger, clock, httpsPolicy, timeouts = defaultTimeouts, observeRejected }: ConnectionOptions,
  settings: ErrorSettings,
  handleError: ReturnType<typeof createErrorHandler>,
  paths: readonly PathMethods[],
): FastifyInstance {
  return Fastify({
    ...(logger ? { loggerInstance: logger } : {}),
    // Log lines name the request; a child logger per request costs more.
    childLoggerFactory: (parent) => parent,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: maxBodyBytes,
    // Routes declare no Fastify schemas, so neither Ajv nor a serializer is loaded.
    schemaController: {
      compilersFactory: { buildValidator: unsupported, buildSerializer: unsupported },
    },
    requestIdHeader: false,
    genReqId: requestId,
    rewriteUrl: (request: IncomingMessage & { originalUrl?: string }) => {
      // Every other module reads the address here.
      request.originalUrl = originForm(request)
      return withoutPrefix(request.originalUrl)
    },
    routerOptions: { maxParamLength: 1000 },
    serverFactory: createEntrance(
      {
        maxHeaderSize: maxHeaderBytes,
        headersTimeout: timeouts.headersMs,
        connectionsCheckingInterval: timeouts.checkIntervalMs,
        // request-validity.ts answers a missing Host.
        requireHostHeader: false,
      },
      timeouts,
      httpsPolicy?.isTrustedProxy,
    ),
    clientErrorHandler: clientErrorResponder({
      settings,
      clock,
      observe: observeRejected,
      methodProblem: (method, address) => methodProblem(paths, method, address),
    }),
    trustProxy: httpsPolicy?.isTrustedProxy ?? false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => handleError(error, request, reply),
  }) as unknown as FastifyInstance
}

const unsupported = (): never => {
  throw new Error('Fastify compiles no schemas here')
}
