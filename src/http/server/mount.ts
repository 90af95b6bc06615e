import type { IncomingMessage } from 'node:http'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Db } from '#db/database.ts'
import type { ResponseCache } from '#http/cache/response-cache.ts'
import { type Serving, serveFromCache } from '#http/cache/serve.ts'
import { storeResponses } from '#http/cache/store-response.ts'
import { acceptCodings } from '#http/codec/content-coding/decompress.ts'
import { compileVersionCodecs } from '#http/codec/versioned-codec.ts'
import { prefixOf, withoutPrefix } from '#http/codec/versions.ts'
import { anonymous } from '#http/declare/caller.ts'
import type { Context } from '#http/declare/context.ts'
import { AfterCommit, type Route } from '#http/declare/operation.ts'
import {
  codecFor,
  type Exchange,
  type OpenApiFragment,
  type Response,
  type VersionCodecs,
} from '#http/pipeline/exchange.ts'
import type { Authentication } from '#http/pipeline/guards/authentication.ts'
import { allowOrigins, type Origins } from '#http/pipeline/guards/cors.ts'
import type { Preconditions } from '#http/pipeline/middleware/conditional.ts'
import { boundsOf } from '#http/pipeline/middleware/credential-bounds.ts'
import { describeQuery } from '#http/pipeline/middleware/query.ts'
import { unread } from '#http/pipeline/middleware/read-input.ts'
import { compose, guards, middleware, type Protection } from '#http/pipeline/order.ts'
import { type Check, enter, requireCaller } from '#http/pipeline/run-guards.ts'
import { costFor, countedProblem, type RequestCost } from '#http/rate-limit/middleware.ts'
import { json } from '#http/response/media-type.ts'
import type { ErrorSettings } from '#http/response/problems/response.ts'
import {
  describeLocations,
  type Represent,
  type RepresentationOptions,
} from '#http/response/representation.ts'
import { securityHeadersOver } from '#http/response/security-headers.ts'
import { send } from '#http/response/send.ts'
import { defaultLanguage } from '#i18n/languages.ts'
import type { AuditActor } from '#values/audit-actor.ts'
import { toIdentifier } from '#values/identifier.ts'
import type { Instant } from '#values/instant.ts'
import {
  answerConnectAndExpect,
  clientErrorResponder,
  defaultTimeouts,
  maxHeaderBytes,
  type RejectedRequest,
  type Timeouts,
} from './connection/client-errors.ts'
import { limitBodyTime } from './connection/http2.ts'
import { originForm, requestProblem } from './connection/request-validity.ts'
import { describeProblems, type Fault, faultResponder, isProblem } from './error-handler.ts'
import { methodProblem, offerMethods, placesOf } from './methods.ts'
import { type HttpsPolicy, redirectPlain } from './network/https-policy.ts'
import { observeServed, type Served } from './observe-requests.ts'
import { type RawRoute, serveRawRoutes } from './raw-routes.ts'
import { acceptBodies, bodyLimitBytes, describeBody } from './request-body.ts'
import { requestId } from './request-id.ts'

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange
  }
}

/** What the kernel needs to serve routes. */
export interface Mounting extends Protection, Preconditions {
  readonly routes: readonly Route[]
  /** Places whose answers follow another specification. */
  readonly rawRoutes?: readonly RawRoute[]
  readonly db: Db
  readonly transaction: Context['transaction']
  readonly authentication: Authentication
  readonly representationOptions: RepresentationOptions
  readonly errors: Pick<ErrorSettings, 'shape' | 'baseUrl'>
  readonly clock: () => Instant
  /** Whose pages may use the API; nobody's by default. */
  readonly origins?: Origins
  /** How long clients may take; the usual time by default. */
  readonly timeouts?: Timeouts
  /** On which ways requests may come in; any, and no proxy is believed, by default. */
  readonly httpsPolicy?: HttpsPolicy
  readonly logger?: FastifyBaseLogger
  /** Is told of every request once its answer has been sent. */
  readonly observe?: (served: Served) => void
  /** Is told of everything answered that never became a request. */
  readonly observeRejected?: (unread: RejectedRequest) => void
  /** True for a fault of a part the service depends on, which is answered with 503. */
  readonly isUnavailable: (error: unknown) => boolean
}

/** A route, and what every concern says of it. */
export interface DescribedRoute {
  readonly route: Route
  readonly fragment: readonly OpenApiFragment[]
}

/** A served set of routes. */
export interface Mounted {
  readonly app: FastifyInstance
  readonly operations: readonly DescribedRoute[]
}

/** Turns declarations into a server. The only module that talks to Fastify's router. */
export function mount(mounting: Mounting): Mounted {
  const { routes, rawRoutes = [], authentication, errors, httpsPolicy = anyWay } = mounting
  const places = placesOf([...routes, ...rawRoutes])
  const settings = { ...errors, challenge: authentication.challenge }
  const respond = faultResponder(settings, mounting)
  const app = openServer(mounting, settings, respond, places)
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
    const exchange = request.exchange as Exchange | undefined
    // A body that cannot be read tells of nobody.
    const refused = exchange?.deferredError ?? error
    const counted = isProblem(refused) && exchange ? countedProblem(exchange, refused) : refused
    return respond(await counted, request, reply)
  })
  redirectPlain(app, httpsPolicy, routes)
  allowOrigins(app, mounting.origins ?? [])
  offerMethods(app, places, mounting.origins ?? [])
  serveRawRoutes(app, rawRoutes, mounting)
  const codecsOf = compileVersionCodecs(routes, mounting.representationOptions)
  const show: Represent = (exchange, result) => codecFor(exchange).represent(exchange, result)
  const { before, ofCaller } = guards(authentication, mounting.origins ?? [], mounting)
  const around = middleware(settings, mounting.representationOptions, mounting)
  const operations = routes.map((route) => {
    const prepared = new Map(before.map((guard) => [guard, guard.prepare(route) ?? []]))
    const checks = [...prepared.values()].flat()
    const callerChecks = ofCaller.flatMap((guard) => prepared.get(guard) ?? [])
    const steps = around.flatMap((middleware) => middleware.prepare(route, show) ?? [])
    const core = compileCore(route, show)
    const run = compose(
      steps.map(({ step }) => step),
      core,
    )
    serveRoute(app, { route, codecs: codecsOf(route) }, mounting, { checks, callerChecks }, run)
    const said = [
      describeProblems(route),
      describeQuery(route),
      describeBody(route),
      describeLocations(route),
    ]
    return { route, fragment: [...said, ...[...checks, ...steps].map(({ fragment }) => fragment)] }
  })
  if (mounting.responseCache) serveFromCache(app, servingOf(mounting, mounting.responseCache))
  return { app, operations }
}

function servingOf(mounting: Mounting, answers: ResponseCache): Serving {
  const { routes, limits, load, clock, observe, httpsPolicy = anyWay } = mounting
  const charges = new Map<Route, RequestCost | undefined>(
    limits ? routes.map((route) => [route, costFor(route, limits, load, true)]) : [],
  )
  return { answers, clock, load, observe, httpsPolicy, costFor: (route) => charges.get(route) }
}

function openServer(
  { logger, clock, httpsPolicy, timeouts = defaultTimeouts, observeRejected }: Mounting,
  settings: ErrorSettings,
  respond: ReturnType<typeof faultResponder>,
  places: ReturnType<typeof placesOf>,
): FastifyInstance {
  const told = { settings, clock, observe: observeRejected }
  const refuse = (method: string, address: string) => methodProblem(places, method, address)
  return Fastify({
    ...(logger ? { loggerInstance: logger } : {}),
    // What is logged of a request names it; a logger for each would cost more than it tells.
    childLoggerFactory: (parent) => parent,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimitBytes,
    // Routes have no schemas of Fastify's; without these it would load Ajv and a serializer.
    schemaController: { compilersFactory: { buildValidator: notHere, buildSerializer: notHere } },
    requestIdHeader: false,
    genReqId: requestId,
    rewriteUrl: (request: IncomingMessage & { originalUrl?: string }) => {
      // What every other module reads as the address.
      request.originalUrl = originForm(request)
      return withoutPrefix(request.originalUrl)
    },
    routerOptions: { maxParamLength: 1000 },
    http: {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: timeouts.sweepMs,
      // Refused in our own words.
      requireHostHeader: false,
    },
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.idleMs,
    connectionTimeout: timeouts.stalledMs,
    clientErrorHandler: clientErrorResponder(told, refuse),
    trustProxy: httpsPolicy?.trusts ?? false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => respond(error, request, reply),
  }) as unknown as FastifyInstance
}

const notHere = (): never => {
  throw new Error('Fastify compiles no schemas here')
}

/** Where nobody says otherwise. */
const anyWay: HttpsPolicy = { plain: 'allow' }

type Run = (exchange: Exchange) => Promise<Response>

function compileCore(route: Route, represent: Represent): Run {
  const { handle } = route
  const requireBounded = boundsOf(route)
  if (!handle) return (exchange) => represent(exchange, exchange.current)
  if (route.resource.kind === 'document') {
    return async (exchange) => {
      const { ctx, params, version } = exchange
      return represent(exchange, await handle(ctx, { params, version }))
    }
  }
  return async (exchange) => {
    const { input, params, current } = exchange
    const result = await handle(exchange.ctx, { ...input, params, current })
    if (!(result instanceof AfterCommit)) {
      requireBounded?.(exchange.actor, result)
      return represent(exchange, result)
    }
    const afterCommit = async () => represent(exchange, await result.run(exchange.ctx))
    return { status: 202, headers: {}, afterCommit, subject: result.subject }
  }
}

function serveRoute(
  app: FastifyInstance,
  { route, codecs }: { readonly route: Route; readonly codecs: VersionCodecs },
  { representationOptions, db, transaction, clock, responseCache }: Mounting,
  { checks, callerChecks }: Record<'checks' | 'callerChecks', readonly Check[]>,
  run: Run,
): void {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

  const begin = (request: FastifyRequest): Exchange => {
    const now = clock()
    const actor = anonymous
    const auditActor = () => auditActorOf(exchange)
    const exchange: Exchange = {
      route,
      request,
      now,
      params: readParams(names, request.params as Record<string, string>),
      codecs,
      version: representationOptions.version,
      prefix: prefixOf(request.originalUrl),
      representation: json,
      actor,
      ctx: {
        db,
        transaction,
        actor,
        now,
        requestId: request.id,
        auditActor,
        language: defaultLanguage,
      },
      input: unread,
    }
    return exchange
  }
  app.route({
    method: route.method,
    url: route.path,
    onRequest: (request, _reply, done) => {
      request.exchange = begin(request)
      enter(checks, request.exchange, done)
    },
    ...(responseCache ? storeResponses(responseCache, route) : {}),
    handler: async (request, reply) => {
      const { exchange } = request
      const judging = requireCaller(request, callerChecks)
      if (judging) await judging
      return send(reply, await run(exchange))
    },
  })
}

/** Who is calling, as far as is known by now. */
const auditActorOf = ({ actor, request, now }: Exchange): AuditActor => ({
  actorId: actor.userId,
  credential: actor.credential?.scheme ?? null,
  address: request.ip,
  requestId: request.id,
  at: now,
})

/** Path parameters as identifiers; a text that can name nothing becomes 0, which nothing has. */
function readParams(
  names: readonly string[],
  raw: Readonly<Record<string, string>>,
): Readonly<Record<string, number>> {
  const params: Record<string, number> = {}
  for (const name of names) params[name] = toIdentifier(raw[name] ?? '') ?? 0
  return params
}
