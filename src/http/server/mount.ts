import type { FastifyInstance } from 'fastify'
import type { Db } from '#db/database.ts'
import { decompressBodies } from '#http/codec/content-coding/decompress.ts'
import { compileVersionCodecs } from '#http/codec/versioned-codec.ts'
import type { Context } from '#http/declare/context.ts'
import type { Route } from '#http/declare/route.ts'
import { compileRoute } from '#http/pipeline/compile.ts'
import type { Authentication } from '#http/pipeline/guards/authentication.ts'
import { allowOrigins, type Origins } from '#http/pipeline/guards/cors.ts'
import type { Preconditions } from '#http/pipeline/middleware/conditional.ts'
import { describeQuery } from '#http/pipeline/middleware/query.ts'
import { order, type Protection } from '#http/pipeline/order.ts'
import type { OpenApiFragment } from '#http/pipeline/step.ts'
import { compileProblemLimit, countedProblem } from '#http/rate-limit/middleware.ts'
import type { ErrorSettings } from '#http/response/problems/response.ts'
import { describeLocations, type RepresentationOptions } from '#http/response/representation.ts'
import { securityHeadersOver } from '#http/response/security-headers.ts'
import { answerConnectAndExpect, defaultTimeouts } from './connection/client-errors.ts'
import { limitBodyTime } from './connection/http2.ts'
import { requestProblem } from './connection/request-validity.ts'
import { type ConnectionOptions, createServer } from './create-server.ts'
import {
  createErrorHandler,
  describeProblems,
  type FrameworkError,
  isClientError,
} from './error-handler.ts'
import { answerOtherMethods, methodsByPath } from './methods.ts'
import { type HttpsPolicy, redirectPlain } from './network/https-policy.ts'
import { observeRequests, type ServedRequest } from './observe-requests.ts'
import { type RawRoute, serveRawRoutes } from './raw-routes.ts'
import { acceptBodies, bodyLimitBytes, describeBody } from './request-body.ts'
import { type ExchangeOptions, exchangeFactory, serveRoute } from './serve-route.ts'

/** The configuration of a server and its routes. */
export interface MountOptions extends ConnectionOptions, Protection, Preconditions {
  readonly routes: readonly Route[]
  /** Endpoints that follow another specification, such as OAuth. */
  readonly rawRoutes?: readonly RawRoute[]
  readonly db: Db
  readonly transaction: Context['transaction']
  readonly authentication: Authentication
  readonly representationOptions: RepresentationOptions
  /** What responses state about their version, such as its deprecation; nothing by default. */
  readonly versionNotices?: ExchangeOptions['versionNotices']
  readonly errors: Pick<ErrorSettings, 'shape' | 'baseUrl'>
  /** The origins that CORS allows; none by default. */
  readonly origins?: Origins
  /** Called for every request once its response is sent. */
  readonly observe?: (served: ServedRequest) => void
  /** True for an error of a dependency, such as the database being down: the response is 503. */
  readonly isUnavailable: (error: unknown) => boolean
}

/** A route and the OpenAPI fragments of its steps. */
export interface DescribedRoute {
  readonly route: Route
  readonly fragments: readonly OpenApiFragment[]
}

/** A Fastify server and the routes it serves. */
export interface MountedServer {
  readonly app: FastifyInstance
  readonly operations: readonly DescribedRoute[]
}

/** Allows any transport and trusts no proxy. */
const anyTransport: HttpsPolicy = { plain: 'allow' }

/** Builds the server from declared routes. */
export function mount(options: MountOptions): MountedServer {
  const { routes, rawRoutes = [], authentication, origins = [] } = options
  const paths = methodsByPath([...routes, ...rawRoutes])
  const errors = { ...options.errors, challenge: authentication.challenge }
  const handleError = createErrorHandler(errors, options)
  const app = createServer(options, errors, handleError, paths)
  answerConnectAndExpect(app.server)
  app.decorateRequest('exchange')
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeadersOver(request.protocol)).header('x-request-id', request.id)
    done(requestProblem(request.raw, request.originalUrl))
  })
  if (options.observe) observeRequests(app, options.observe)
  acceptBodies(app)
  limitBodyTime(app, options.timeouts ?? defaultTimeouts)
  decompressBodies(app, bodyLimitBytes)
  app.setErrorHandler(async (error: FrameworkError, request, reply) => {
    const { exchange } = request
    // A body that cannot be read holds no API key, so the caller is anonymous.
    const deferred =
      exchange && 'deferredProblem' in exchange ? exchange.deferredProblem : undefined
    const problem = deferred ?? error
    const counted = isClientError(problem) && exchange ? countedProblem(exchange, problem) : problem
    return handleError(await counted, request, reply)
  })
  redirectPlain(app, options.httpsPolicy ?? anyTransport, routes)
  allowOrigins(app, origins)
  answerOtherMethods(app, paths, origins)
  serveRawRoutes(app, rawRoutes, options)
  return { app, operations: serveRoutes(app, options, { ...options, origins, errors }) }
}

function serveRoutes(
  app: FastifyInstance,
  options: MountOptions,
  orderOptions: Omit<Parameters<typeof order>[0], 'codecOptions'>,
): readonly DescribedRoute[] {
  const { routes, representationOptions, limits, load } = options
  const steps = order({ ...orderOptions, codecOptions: representationOptions })
  const codecsOf = compileVersionCodecs(routes, representationOptions)
  const exchangeOptions = {
    versionNotices: new Map(),
    ...options,
    defaultVersion: representationOptions.version,
  }
  return routes.map((route) => {
    const pipeline = compileRoute(steps, route)
    const problemLimit = compileProblemLimit(route, limits, load)
    serveRoute(
      app,
      route,
      pipeline,
      exchangeFactory(route, codecsOf(route), problemLimit, exchangeOptions),
    )
    const common = [
      describeProblems(route),
      describeQuery(route),
      describeBody(route),
      describeLocations(route),
    ]
    const limit = problemLimit ? [problemLimit.fragment] : []
    return { route, fragments: [...common, ...limit, ...pipeline.fragments] }
  })
}
