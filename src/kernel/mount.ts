import { randomUUID } from 'node:crypto'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Db } from '#store/database.ts'
import { toIdentifier } from '#values/identifier.ts'
import type { Instant } from '#values/instant.ts'
import { type Refusal, refusal } from '#values/refusal.ts'
import { anonymous } from './actor.ts'
import type { Authentication } from './authentication.ts'
import { acceptBodies, bodyLimitBytes, sayBody } from './body.ts'
import {
  clientErrorResponder,
  longestAddress,
  mostHeaderBytes,
  type Patience,
  usualPatience,
} from './client-errors.ts'
import type { Context } from './context.ts'
import { allowOrigins, type Origins } from './cors.ts'
import type { ErrorSettings } from './errors.ts'
import { type Answer, type Exchange, type Faces, faceOf, type Gate, type Says } from './exchange.ts'
import { compileFaces } from './face.ts'
import { faultResponder, sayFaults } from './faults.ts'
import { json } from './media-type.ts'
import { offerMethods } from './methods.ts'
import { compose, gates, type Protection, stages } from './pipeline.ts'
import { type Dress, type Represent, sayPlaces } from './present.ts'
import { requireHttps, type Trust } from './proxies.ts'
import { compileQuery, sayQuery } from './query.ts'
import { acceptCodings } from './request-coding.ts'
import { securityHeaders } from './security-headers.ts'
import { send } from './send.ts'
import { observeServed, type Served } from './served.ts'
import { AfterCommit, type Route } from './verb.ts'
import { prefixOf, withoutPrefix } from './versions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange
  }
}

/** What the kernel needs to serve routes. */
export interface Mounting extends Protection {
  readonly routes: readonly Route[]
  readonly db: Db
  readonly transaction: Context['transaction']
  readonly authentication: Authentication
  readonly dress: Dress
  readonly errors: Pick<ErrorSettings, 'shape'>
  readonly clock: () => Instant
  /** Whose pages may use the API; nobody's by default. */
  readonly origins?: Origins
  /** How long clients may take; the usual time by default. */
  readonly patience?: Patience
  /** Which proxies are believed, and whom they bring over plain HTTP; none by default. */
  readonly proxies?: { readonly trusts: Trust; readonly plain: 'loopback' | 'redirect' }
  readonly logger?: FastifyBaseLogger
  /** Is told of every request once its answer has been sent. */
  readonly observe?: (served: Served) => void
  /** True for a fault of a part the service depends on, which is answered with 503. */
  readonly isUnavailable: (error: unknown) => boolean
}

/** A route, and what every concern says of it. */
export interface Operation {
  readonly route: Route
  readonly says: readonly Says[]
}

/** A served set of routes. */
export interface Mounted {
  readonly app: FastifyInstance
  readonly operations: readonly Operation[]
}

/** Turns declarations into a server. The only module that talks to Fastify's router. */
export function mount(mounting: Mounting): Mounted {
  const { routes, authentication, errors } = mounting
  const settings = { ...errors, challenges: authentication.challenges }
  const respond = faultResponder(settings, mounting)
  const app = openServer(mounting, settings, respond)
  app.decorateRequest('exchange')
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeaders).header('x-request-id', request.id)
    done(refuseForm(request))
  })
  if (mounting.observe) observeServed(app, mounting.observe)
  acceptBodies(app)
  acceptCodings(app, bodyLimitBytes)
  app.setErrorHandler(respond)
  if (mounting.proxies) requireHttps(app, mounting.proxies.trusts, mounting.proxies.plain)
  allowOrigins(app, mounting.origins ?? [])
  offerMethods(app, routes, mounting.origins ?? [])
  const facesOf = compileFaces(routes, mounting.dress)
  const show: Represent = (exchange, result) => faceOf(exchange).represent(exchange, result)
  const before = gates(authentication, mounting)
  const around = stages(settings, mounting)
  const operations = routes.map((route) => {
    const checks = before.flatMap((gate) => gate.prepare(route) ?? [])
    const steps = around.flatMap((stage) => stage.prepare(route, show) ?? [])
    const core = compileCore(route, show)
    const run = compose(
      steps.map(({ step }) => step),
      core,
    )
    serveRoute(app, { route, faces: facesOf(route) }, mounting, checks, run)
    const said = [sayFaults(route), sayQuery(route), sayBody(route), sayPlaces(route)]
    return { route, says: [...said, ...[...checks, ...steps].map(({ says }) => says)] }
  })
  return { app, operations }
}

function openServer(
  { logger, clock, proxies, patience = usualPatience }: Mounting,
  settings: ErrorSettings,
  respond: ReturnType<typeof faultResponder>,
): FastifyInstance {
  return Fastify({
    ...(logger ? { loggerInstance: logger } : {}),
    // What is logged of a request names it; a logger for each would cost more than it tells.
    childLoggerFactory: (parent) => parent,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimitBytes,
    requestIdHeader: false,
    genReqId: requestId,
    rewriteUrl: ({ url = '/' }) => withoutPrefix(url),
    routerOptions: { maxParamLength: 1000 },
    http: {
      maxHeaderSize: mostHeaderBytes,
      headersTimeout: patience.headersMs,
      connectionsCheckingInterval: patience.sweepMs,
      // Refused in our own words.
      requireHostHeader: false,
    },
    requestTimeout: patience.requestMs,
    clientErrorHandler: clientErrorResponder(settings, clock),
    trustProxy: proxies?.trusts ?? false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => respond(error, request, reply),
  }) as unknown as FastifyInstance
}

/** The refusal of a request that cannot be read on, whatever it asks for. */
function refuseForm({ originalUrl, headers, raw }: FastifyRequest): Refusal | undefined {
  if (originalUrl.length > longestAddress) return refusal('4141', 'detail.too_long')
  const needsHost = raw.httpVersionMajor === 1 && raw.httpVersionMinor === 1
  return needsHost && headers.host === undefined ? refusal('4002', 'detail.no_host') : undefined
}

/** The client's own request identifier where it is sane, else a new one. */
function requestId(request: { headers: Record<string, string | string[] | undefined> }): string {
  const sent = request.headers['x-request-id']
  return typeof sent === 'string' && /^[\w.:@/+=-]{1,128}$/.test(sent) ? sent : randomUUID()
}

type Run = (exchange: Exchange) => Promise<Answer>
type Check = NonNullable<ReturnType<Gate['prepare']>>

function compileCore(route: Route, represent: Represent): Run {
  const { handle } = route
  if (!handle) return (exchange) => represent(exchange, exchange.current)
  if (route.noun.kind === 'document') {
    return async (exchange) => {
      const { ctx, params, version } = exchange
      return represent(exchange, await handle(ctx, { params, version }))
    }
  }
  return async (exchange) => {
    const { input, params, current } = exchange
    const result = await handle(exchange.ctx, { ...input, params, current })
    if (!(result instanceof AfterCommit)) return represent(exchange, result)
    const afterCommit = async () => represent(exchange, await result.run(exchange.ctx))
    return { status: 202, headers: {}, afterCommit, subject: result.subject }
  }
}

function serveRoute(
  app: FastifyInstance,
  { route, faces }: { readonly route: Route; readonly faces: Faces },
  { dress, db, transaction, clock }: Mounting,
  checks: readonly Check[],
  run: Run,
): void {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const readQuery = compileQuery(route, dress)
  const noInput = { body: undefined, raw: { text: '', header: () => undefined }, ...readQuery({}) }

  const begin = (request: FastifyRequest): Exchange => {
    const now = clock()
    const actor = anonymous
    return {
      route,
      request,
      now,
      params: readParams(names, request.params as Record<string, string>),
      faces,
      version: dress.version,
      prefix: prefixOf(request.originalUrl),
      representation: json,
      actor,
      ctx: { db, transaction, actor, now, requestId: request.id },
      input: noInput,
    }
  }
  app.route({
    method: route.method,
    url: route.path,
    onRequest: (request, _reply, done) => {
      request.exchange = begin(request)
      enter(checks, request.exchange, done)
    },
    handler: async (request, reply) => {
      const { exchange } = request
      route.screen?.(exchange.actor, request.body)
      const body = faceOf(exchange).readBody?.(request.body)
      const raw = { text: request.bodyText, header: (name: string) => headerOf(request, name) }
      exchange.input = { body, raw, ...readQuery(request.query as Record<string, unknown>) }
      return send(reply, await run(exchange))
    },
  })
}

/** Lets the request in once every gate has; without a turn of the event loop where none waits. */
function enter(checks: readonly Check[], exchange: Exchange, done: (error?: Error) => void): void {
  try {
    const pending = passGates(checks, exchange)
    if (pending) pending.then(() => done(), done)
    else done()
  } catch (error) {
    done(error as Error)
  }
}

/** Runs the gates in order; at once, where none has to wait. */
function passGates(checks: readonly Check[], exchange: Exchange, from = 0): void | Promise<void> {
  for (let at = from; at < checks.length; at++) {
    const pending = checks[at]?.check(exchange)
    if (pending) return pending.then(() => passGates(checks, exchange, at + 1))
  }
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

/** Path parameters as identifiers; a text that can name nothing becomes 0, which nothing has. */
function readParams(
  names: readonly string[],
  raw: Readonly<Record<string, string>>,
): Readonly<Record<string, number>> {
  const params: Record<string, number> = {}
  for (const name of names) params[name] = toIdentifier(raw[name] ?? '') ?? 0
  return params
}
