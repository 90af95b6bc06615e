import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '#db/database.ts'
import { prefixOf } from '#http/codec/versions.ts'
import type { Context } from '#http/declare/context.ts'
import type { Route } from '#http/declare/route.ts'
import type { RoutePipeline } from '#http/pipeline/compile.ts'
import type { Admitted, Exchange, Negotiated, VersionCodecs } from '#http/pipeline/exchange.ts'
import { readApiKey } from '#http/pipeline/guards/api-key-location.ts'
import type { compileProblemLimit } from '#http/rate-limit/middleware.ts'
import { send } from '#http/response/send.ts'
import { toIdentifier } from '#values/identifier.ts'
import type { Instant } from '#values/instant.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The exchange after the guards that have run; undefined if no route matched. */
    exchange: Exchange | Negotiated | Admitted | undefined
  }
}

/** What every exchange needs. */
export interface ExchangeOptions {
  readonly db: Db
  readonly transaction: Context['transaction']
  readonly clock: () => Instant
  readonly defaultVersion: number
  readonly versionNotices: Exchange['versionNotices']
}

/** Registers a route: its guards run before the body is read, its middleware after. */
export function serveRoute(
  app: FastifyInstance,
  route: Route,
  pipeline: RoutePipeline,
  start: (request: FastifyRequest) => Exchange,
): void {
  app.route({
    method: route.method,
    url: route.path,
    onRequest: (request, _reply, done) => {
      try {
        const exchange = start(request)
        request.exchange = exchange
        const negotiated = pipeline.negotiate(exchange)
        if (negotiated instanceof Promise) {
          negotiated.then((result) => admit(pipeline, request, result)).then(() => done(), done)
          return
        }
        const pending = admit(pipeline, request, negotiated)
        if (pending) pending.then(() => done(), done)
        else done()
      } catch (error) {
        done(error as Error)
      }
    },
    handler: async (request, reply) => {
      const found = withBodyApiKey(pipeline, request)
      const exchange = found instanceof Promise ? await found : found
      return send(reply, await pipeline.respond(exchange), exchange)
    },
  })
}

function admit(
  pipeline: RoutePipeline,
  request: FastifyRequest,
  negotiated: Negotiated,
): void | Promise<void> {
  // The problems of the next guards have the negotiated version.
  request.exchange = negotiated
  const admitted = pipeline.admit(negotiated)
  if (!(admitted instanceof Promise)) {
    request.exchange = admitted
    return
  }
  return admitted.then((result) => {
    request.exchange = result
  })
}

/** Runs the guards of the caller again if the body holds an API key. */
function withBodyApiKey(
  pipeline: RoutePipeline,
  request: FastifyRequest,
): Admitted | Promise<Admitted> {
  const admitted = request.exchange as Admitted
  const bodyApiKey = readApiKey(admitted.route, request)
  if (bodyApiKey === undefined) {
    if (admitted.deferredProblem) throw admitted.deferredProblem
    return admitted
  }
  request.exchange = { ...admitted, deferredProblem: undefined }
  return Promise.resolve(pipeline.admit({ ...admitted, bodyApiKey })).then((identified) => {
    request.exchange = identified
    return identified
  })
}

/** Compiles the function that creates the exchange of a request. */
export function exchangeFactory(
  route: Route,
  codecs: VersionCodecs,
  problemLimit: ReturnType<typeof compileProblemLimit>,
  { db, transaction, clock, defaultVersion, versionNotices }: ExchangeOptions,
): (request: FastifyRequest) => Exchange {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  return (request) => {
    const now = clock()
    const responseHeaders = {}
    return {
      route,
      request,
      now,
      params: readParams(names, request.params as Record<string, string>),
      codecs,
      version: defaultVersion,
      versionNotices,
      db,
      transaction,
      prefix: prefixOf(request.originalUrl),
      responseHeaders,
      bodyApiKey: undefined,
      countProblem: () => problemLimit?.count({ now, responseHeaders }, request.ip),
    }
  }
}

/** Parses path parameters as IDs; an invalid one becomes 0, which no entity has. */
function readParams(
  names: readonly string[],
  raw: Readonly<Record<string, string>>,
): Readonly<Record<string, number>> {
  const params: Record<string, number> = {}
  for (const name of names) params[name] = toIdentifier(raw[name] ?? '') ?? 0
  return params
}
