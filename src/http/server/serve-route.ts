import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Context } from '#http/declare/context.ts'
import type { Route } from '#http/declare/route.ts'
import { readApiKey } from '#http/exchange/api-key-location.ts'
import type { AdmittedExchange, Exchange, VersionCodecs } from '#http/exchange/exchange.ts'
import { type Response, withHeaders } from '#http/exchange/response.ts'
import { prefixOf } from '#http/message/api-versions.ts'
import type { RoutePipeline } from '#http/pipeline/compile.ts'
import type { compileProblemLimit } from '#http/rate-limit/middleware.ts'
import { inPlace, type NetworkWork } from '#http/rate-limit/network-work.ts'
import { type Senders, send } from '#http/response/send.ts'
import type { Db } from '#store/database.ts'
import { Deadline } from '#values/deadline.ts'
import { toIdentifier } from '#values/identifier.ts'
import type { Instant } from '#values/instant.ts'
import { bodyLimitOf } from './body/body-limit.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The exchange, with what the guards have found; undefined if no route matched. */
    exchange: Exchange | AdmittedExchange | undefined
  }
}

/** What every exchange needs. */
export interface ExchangeOptions {
  readonly db: Db
  readonly transaction: Context['transaction']
  readonly clock: () => Instant
  readonly defaultVersion: number
  readonly versionNotices: Exchange['versionNotices']
  /** How long a request may wait, in milliseconds. */
  readonly requestTimeoutMs: number
}

/** Registers a route: its guards run before the body is read, its middleware after. */
export function serveRoute(
  app: FastifyInstance,
  route: Route,
  pipeline: RoutePipeline,
  start: (request: FastifyRequest) => Exchange,
  senders: Senders,
  work: NetworkWork | undefined,
): void {
  app.route({
    method: route.method,
    url: route.path,
    bodyLimit: bodyLimitOf(route),
    onRequest: admitBeforeBody(pipeline, start),
    handler: async (request, reply) => {
      const admitted = admittedByBody(pipeline, request)
      const exchange = admitted instanceof Promise ? await admitted : admitted
      return respond(reply, exchange, pipeline, senders, work)
    },
  })
}

/** Returns the hook that runs the guards of a route before the body is read. */
export const admitBeforeBody =
  (pipeline: RoutePipeline, start: (request: FastifyRequest) => Exchange): onRequestHookHandler =>
  (request, _reply, done) => {
    try {
      const exchange = start(request)
      request.exchange = exchange
      const admitted = exchange.deadline.run(() => pipeline.admit(exchange))
      if (admitted instanceof Promise) admitted.then(() => done(), done)
      else done()
    } catch (error) {
      done(error as Error)
    }
  }

/**
 * Responds to an admitted request before its deadline, as work of its network; what is streamed is none and
 * has no deadline, and an upload measures its parts by itself.
 */
export async function respond(
  reply: FastifyReply,
  exchange: AdmittedExchange,
  pipeline: RoutePipeline,
  senders: Senders,
  work: NetworkWork | undefined,
  headers: Response['headers'] = {},
): Promise<FastifyReply> {
  const { sent } = await exchange.deadline.run(() =>
    inPlace(exchange.route.upload ? undefined : work, exchange, async () => {
      const response = await pipeline.respond(exchange)
      return { sent: send(reply, withHeaders(response, headers), exchange, senders) }
    }),
  )
  return sent
}

/** Runs the guards again if the body holds an API key. */
function admittedByBody(
  pipeline: RoutePipeline,
  request: FastifyRequest,
): AdmittedExchange | Promise<AdmittedExchange> {
  const admitted = request.exchange as AdmittedExchange
  const bodyApiKey = readApiKey(admitted.route, request)
  if (bodyApiKey === undefined) {
    if (admitted.deferredProblem) throw admitted.deferredProblem
    return admitted
  }
  const exchange = { ...admitted, bodyApiKey, deferredProblem: undefined }
  request.exchange = exchange
  return exchange.deadline.run(() => pipeline.admit(exchange))
}

/** Compiles the function that creates the exchange of a request. */
export function exchangeFactory(
  route: Route,
  codecs: VersionCodecs,
  problemLimit: ReturnType<typeof compileProblemLimit>,
  { db, transaction, clock, defaultVersion, versionNotices, requestTimeoutMs }: ExchangeOptions,
): (request: FastifyRequest) => Exchange {
  const readParams = compileParams(route)
  return (request) => {
    const now = clock()
    const responseHeaders = {}
    return {
      route,
      request,
      now,
      arrivedAtMs: performance.now(),
      deadline: new Deadline(requestTimeoutMs),
      params: readParams(request.params as Record<string, string>),
      codecs,
      version: defaultVersion,
      versionNotices,
      db,
      transaction,
      mayAssumeCaller: true,
      prefix: prefixOf(request.originalUrl),
      responseHeaders,
      bodyApiKey: undefined,
      idempotencyKey: undefined,
      current: undefined,
      prepared: undefined,
      countProblem: () => problemLimit?.count({ now, responseHeaders, request }),
    }
  }
}

/**
 * Compiles the parser of path parameters. An invalid ID becomes 0, which no entity has; the last one may
 * be a text.
 */
function compileParams({
  path,
  resource,
}: Route): (raw: Readonly<Record<string, string>>) => Readonly<Record<string, number>> {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const text = 'hasTextId' in resource && resource.hasTextId ? names.pop() : undefined
  return (raw) => {
    const params: Record<string, unknown> = {}
    for (const name of names) params[name] = toIdentifier(raw[name] ?? '') ?? 0
    if (text !== undefined) params[text] = raw[text] ?? ''
    return params as Readonly<Record<string, number>>
  }
}
