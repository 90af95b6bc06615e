import type { FastifyInstance } from 'fastify'
import type { Authentication } from '#http/declare/authentication.ts'
import type { Context } from '#http/declare/context.ts'
import type { Route } from '#http/declare/route.ts'
import { requestProblem } from '#http/message/request-validity.ts'
import { securityHeadersOver } from '#http/message/security-headers.ts'
import { compileRoute, type DescribedRoute } from '#http/pipeline/compile.ts'
import { admissionCheck } from '#http/pipeline/guards/authentication.ts'
import { allowOrigins, type Origins } from '#http/pipeline/guards/cors.ts'
import type { Preconditions } from '#http/pipeline/middleware/conditional.ts'
import { describeQuery } from '#http/pipeline/middleware/query.ts'
import {
  orderedSteps,
  type PipelineOptions,
  type PipelineServices,
} from '#http/pipeline/step-order.ts'
import { compileProblemLimit, countedProblem } from '#http/rate-limit/middleware.ts'
import type { ErrorSettings } from '#http/response/problems/response.ts'
import { describeLocations, type RepresentationOptions } from '#http/response/representation.ts'
import type { Senders } from '#http/response/send.ts'
import { compileVersionCodecs } from '#http/response/versioned-codec.ts'
import type { Db, ReadReplica } from '#store/database.ts'
import type { ListReader } from '#store/list-reader.ts'
import { decompressBodies } from './body/decompress.ts'
import { acceptsQuery, serveQueryMethod } from './body/query-method.ts'
import { acceptBodies, describeBody } from './body/request-body.ts'
import { serveUpload } from './body/uploads.ts'
import { limitBodyTime } from './connection/body-time.ts'
import { answerConnectAndExpect, defaultTimeouts } from './connection/client-errors.ts'
import { type ConnectionOptions, createServer } from './create-server.ts'
import {
  createErrorHandler,
  createServerProblem,
  describeProblems,
  type FrameworkError,
  isClientError,
} from './error-handler.ts'
import { answerOtherMethods, methodsByPath } from './methods.ts'
import { type HttpsPolicy, redirectToHttps } from './network/https-policy.ts'
import { observeRequests, type ServedRequest } from './observe-requests.ts'
import { type RawRoute, serveRawRoutes } from './raw-routes.ts'
import { measureRefusals } from './refusals.ts'
import { type ExchangeOptions, exchangeFactory, serveRoute } from './serve-route.ts'
import { createEventStreams, type EventStreamLimits } from './streams/event-streams.ts'
import { createExports, type ExportLimits, type OpenSnapshot } from './streams/exports.ts'
import { type TraceRequest, traceRequests } from './trace-requests.ts'

/** The configuration of a server and its routes. */
export interface MountOptions extends ConnectionOptions, PipelineServices, Preconditions {
  readonly routes: readonly Route[]
  /** Endpoints that follow another specification, such as OAuth. */
  readonly rawRoutes?: readonly RawRoute[]
  readonly db: Db
  /** Where reads may run; undefined without a replica. */
  readonly replica?: ReadReplica | undefined
  /** Where lists are read from a large SQLite file; undefined without one. */
  readonly listReader?: ListReader | undefined
  readonly transaction: Context['transaction']
  /** Opens what exports are read from. */
  readonly openSnapshot: OpenSnapshot
  readonly authentication: Authentication
  readonly representationOptions: RepresentationOptions
  /** What responses state about their version, such as its deprecation; nothing by default. */
  readonly versionNotices?: ExchangeOptions['versionNotices']
  readonly errors: Pick<ErrorSettings, 'shape' | 'baseUrl'>
  /** The origins that CORS allows; none by default. */
  readonly origins?: Origins
  /** The limits of event streams; those of `createEventStreams` by default. */
  readonly eventStreamLimits?: EventStreamLimits
  /** The limits of exports; those on SQLite by default. */
  readonly exportLimits?: ExportLimits
  /** Called for every request once its response is sent. */
  readonly observe?: (served: ServedRequest) => void
  /** Traces requests; they are not traced by default. */
  readonly traceRequest?: TraceRequest | undefined
  /** True for an error of a dependency, such as the database being down: the response is 503. */
  readonly isUnavailable: (error: unknown) => boolean
}

/** A Fastify server and the routes it serves. */
export interface MountedServer {
  readonly app: FastifyInstance
  readonly operations: readonly DescribedRoute[]
  /** Ends every event stream and breaks exports off, for a graceful shutdown. */
  readonly endStreams: () => void
}

/** Allows any transport and trusts no proxy. */
const anyTransport: HttpsPolicy = { plain: 'allow' }

/** Builds the server from declared routes. */
export function mount(options: MountOptions): MountedServer {
  const { routes, rawRoutes = [], authentication, origins = [] } = options
  const paths = methodsByPath([...routes, ...rawRoutes])
  const errors = { ...options.errors, challenge: authentication.challenge }
  const serverProblem = createServerProblem(options.isUnavailable)
  const handleError = createErrorHandler(errors, { ...options, serverProblem })
  const app = createServer(options, errors, handleError, paths)
  answerConnectAndExpect(app.server)
  app.decorateRequest('exchange')
  measureRefusals(app, options.work, options.clock)
  limitBodyTime(app, options.timeouts ?? defaultTimeouts)
  if (options.traceRequest) traceRequests(app, options.traceRequest)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeadersOver(request.protocol)).header('x-request-id', request.id)
    done(requestProblem(request.raw, request.originalUrl))
  })
  if (options.observe) observeRequests(app, options.observe)
  acceptBodies(app, options.work)
  decompressBodies(app)
  app.setErrorHandler(async (error: FrameworkError, request, reply) => {
    const { exchange } = request
    // A body that cannot be read holds no API key, so the caller is anonymous.
    const deferred =
      exchange && 'deferredProblem' in exchange ? exchange.deferredProblem : undefined
    const problem = deferred ?? error
    const counted = isClientError(problem) && exchange ? countedProblem(exchange, problem) : problem
    return handleError(await counted, request, reply)
  })
  redirectToHttps(app, options.httpsPolicy ?? anyTransport, routes)
  allowOrigins(app, origins)
  answerOtherMethods(app, paths, origins)
  serveRawRoutes(app, rawRoutes, { ...options, serverProblem })
  const isAdmitted = admissionCheck(authentication, options.clock)
  const streams = createEventStreams(isAdmitted, options.eventStreamLimits)
  const exports = createExports(isAdmitted, {
    ...options,
    countsNetworks: options.limits !== undefined,
  })
  const senders = { stream: streams.send, download: exports.send }
  const operations = serveRoutes(app, options, { ...options, origins, errors }, senders)
  const endStreams = () => {
    streams.end()
    exports.end()
  }
  return { app, operations, endStreams }
}

function serveRoutes(
  app: FastifyInstance,
  options: MountOptions,
  pipelineOptions: Omit<PipelineOptions, 'codecOptions'>,
  senders: Senders,
): readonly DescribedRoute[] {
  const { routes, representationOptions, limits, load, work } = options
  const steps = orderedSteps({ ...pipelineOptions, codecOptions: representationOptions })
  const codecsOf = compileVersionCodecs(routes, representationOptions)
  const exchangeOptions = {
    versionNotices: new Map(),
    ...options,
    defaultVersion: representationOptions.version,
  }
  return routes.map((route) => {
    const pipeline = compileRoute(steps, route)
    const problemLimit = compileProblemLimit(route, limits, load)
    const start = exchangeFactory(route, codecsOf(route), problemLimit, exchangeOptions)
    if (route.upload) serveUpload(app, route, pipeline, start, senders, work)
    else serveRoute(app, route, pipeline, start, senders, work)
    if (acceptsQuery(route)) serveQueryMethod(app, route, pipeline, start, senders, work)
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
