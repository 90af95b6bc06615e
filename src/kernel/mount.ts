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
import { anonymous } from './actor.ts'
import type { Authentication } from './authentication.ts'
import { acceptJson, bodyLimitBytes, compileBody, sayBody } from './body.ts'
import type { Context } from './context.ts'
import type { ErrorSettings } from './errors.ts'
import type { Answer, Exchange, Gate, Says } from './exchange.ts'
import { faultResponder, sayFaults } from './faults.ts'
import { offerMethods } from './methods.ts'
import { compose, gates, type Protection, stages } from './pipeline.ts'
import { compilePresentation, type Dress, type Represent, sayPlaces } from './present.ts'
import { compileQuery, sayQuery } from './query.ts'
import { send } from './send.ts'
import { observeServed, type Served } from './served.ts'
import { AfterCommit, type Route } from './verb.ts'

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
  const { routes, logger, authentication, errors } = mounting
  const settings = { ...errors, challenges: authentication.challenges }
  const respond = faultResponder(settings, mounting)
  const app = Fastify({
    ...(logger ? { loggerInstance: logger } : {}),
    // What is logged of a request names it; a logger for each would cost more than it tells.
    childLoggerFactory: (parent) => parent,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimitBytes,
    requestIdHeader: false,
    genReqId: requestId,
    routerOptions: { maxParamLength: 1000 },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => respond(error, request, reply),
  }) as unknown as FastifyInstance
  app.decorateRequest('exchange')
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  if (mounting.observe) observeServed(app, mounting.observe)
  acceptJson(app)
  app.setErrorHandler(respond)
  offerMethods(app, routes)
  const represent = compilePresentation(routes, mounting.dress)
  const before = gates(authentication, mounting)
  const around = stages(settings, mounting)
  const operations = routes.map((route) => {
    const checks = before.flatMap((gate) => gate.prepare(route) ?? [])
    const steps = around.flatMap((stage) => stage.prepare(route) ?? [])
    const core = compileCore(route, represent(route))
    const run = compose(
      steps.map(({ step }) => step),
      core,
    )
    serveRoute(app, route, mounting, checks, run)
    const said = [sayFaults(route), sayQuery(route), sayBody(route), sayPlaces(route)]
    return { route, says: [...said, ...[...checks, ...steps].map(({ says }) => says)] }
  })
  return { app, operations }
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
  return async (exchange) => {
    const { input, params, current } = exchange
    const result = await handle(exchange.ctx, { ...input, params, current })
    if (!(result instanceof AfterCommit)) return represent(exchange, result)
    const afterCommit = async () => represent(exchange, await result.run(exchange.ctx))
    return { status: 202, headers: {}, afterCommit }
  }
}

function serveRoute(
  app: FastifyInstance,
  route: Route,
  { dress, db, transaction, clock }: Mounting,
  checks: readonly Check[],
  run: Run,
): void {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const readQuery = compileQuery(route, dress)
  const readBody = compileBody(route, dress)
  const noInput = { body: undefined, raw: { text: '', header: () => undefined }, ...readQuery({}) }

  const begin = (request: FastifyRequest): Exchange => {
    const now = clock()
    const actor = anonymous
    return {
      route,
      request,
      now,
      params: readParams(names, request.params as Record<string, string>),
      version: dress.version,
      prefix: '',
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
      const body = readBody?.(request.body)
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
