import type { FastifyInstance } from 'fastify'
import type { Db } from '#db/database.ts'
import { acceptCodings } from '#http/codec/content-coding/decompress.ts'
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
import { describeProblems, type Fault, faultResponder, isProblem } from './error-handler.ts'
import { offerMethods, placesOf } from './methods.ts'
import { type HttpsPolicy, redirectPlain } from './network/https-policy.ts'
import { observeServed, type Served } from './observe-requests.ts'
import { type RawRoute, serveRawRoutes } from './raw-routes.ts'
import { acceptBodies, bodyLimitBytes, describeBody } from './request-body.ts'
import { exchangeStarter, serveRoute } from './serve-route.ts'

/** Everything a server of routes needs. */
export interface Mounting extends ConnectionOptions, Protection, Preconditions {
  readonly routes: readonly Route[]
  /** Endpoints that follow another specification, such as OAuth. */
  readonly rawRoutes?: readonly RawRoute[]
  readonly db: Db
  readonly transaction: Context['transaction']
  readonly authentication: Authentication
  readonly representationOptions: RepresentationOptions
  readonly errors: Pick<ErrorSettings, 'shape' | 'baseUrl'>
  /** The origins whose pages may use the API; none by default. */
  readonly origins?: Origins
  /** Called for every request once its response is sent. */
  readonly observe?: (served: Served) => void
  /** True for an error of something the service depends on, which becomes 503. */
  readonly isUnavailable: (error: unknown) => boolean
}

/** A route and what each of its steps contributes to OpenAPI. */
export interface DescribedRoute {
  readonly route: Route
  readonly fragments: readonly OpenApiFragment[]
}

/** A server and the routes it serves. */
export interface Mounted {
  readonly app: FastifyInstance
  readonly operations: readonly DescribedRoute[]
}

/** Allows any transport and trusts no proxy. */
const anyTransport: HttpsPolicy = { plain: 'allow' }

/** Builds the server from declared routes. */
export function mount(mounting: Mounting): Mounted {
  const { routes, rawRoutes = [], authentication, origins = [] } = mounting
  const places = placesOf([...routes, ...rawRoutes])
  const errors = { ...mounting.errors, challenge: authentication.challenge }
  const respond = faultResponder(errors, mounting)
  const app = createServer(mounting, errors, respond, places)
  answerConnectAndExpect(app.server)
  app.decorateRequest('exchange')
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeadersOver(request.protocol)).header('x-request-id', request.id)
    done(requestProblem(request.raw, request.originalUrl))
  })
  if (mounting.observe) observeServed(app, mounting.observe)
  acceptBodies(app)
  limitBodyTime(app, mounting.timeouts ?? defaultTimeouts)
  acceptCodings(app, bodyLimitBytes)
  app.setErrorHandler(async (error: Fault, request, reply) => {
    const { exchange } = request
    // A body that cannot be read cannot tell who is calling either.
    const deferred =
      exchange && 'deferredProblem' in exchange ? exchange.deferredProblem : undefined
    const problem = deferred ?? error
    const counted = isProblem(problem) && exchange ? countedProblem(exchange, problem) : problem
    return respond(await counted, request, reply)
  })
  redirectPlain(app, mounting.httpsPolicy ?? anyTransport, routes)
  allowOrigins(app, origins)
  offerMethods(app, places, origins)
  serveRawRoutes(app, rawRoutes, mounting)
  return { app, operations: serveRoutes(app, mounting, { ...mounting, origins, errors }) }
}

function serveRoutes(
  app: FastifyInstance,
  mounting: Mounting,
  options: Omit<Parameters<typeof order>[0], 'codecOptions'>,
): readonly DescribedRoute[] {
  const { routes, representationOptions, limits, load } = mounting
  const steps = order({ ...options, codecOptions: representationOptions })
  const codecsOf = compileVersionCodecs(routes, representationOptions)
  const exchangeOptions = { ...mounting, defaultVersion: representationOptions.version }
  return routes.map((route) => {
    const pipeline = compileRoute(steps, route)
    const problemLimit = compileProblemLimit(route, limits, load)
    serveRoute(
      app,
      route,
      pipeline,
      exchangeStarter(route, codecsOf(route), problemLimit, exchangeOptions),
    )
    const own = [
      describeProblems(route),
      describeQuery(route),
      describeBody(route),
      describeLocations(route),
    ]
    const limit = problemLimit ? [problemLimit.fragment] : []
    return { route, fragments: [...own, ...limit, ...pipeline.fragments] }
  })
}
