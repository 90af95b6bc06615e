import { type ParsedUrlQuery, parse } from 'node:querystring'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Route } from '#http/declare/route.ts'
import type { AdmittedExchange, Exchange } from '#http/exchange/exchange.ts'
import { queryType } from '#http/message/media-type.ts'
import { pathOf } from '#http/message/url-path.ts'
import type { RoutePipeline } from '#http/pipeline/compile.ts'
import { commonParameters } from '#http/pipeline/middleware/query.ts'
import type { NetworkWork } from '#http/rate-limit/network-work.ts'
import type { Senders } from '#http/response/send.ts'
import { textOf } from '#http/server/body/request-body.ts'
import { admitBeforeBody, respond } from '#http/server/serve-route.ts'
import { problem } from '#values/problem.ts'

/** The largest query in a body, in bytes. */
export const queryLimitBytes = 16_384

/** True for a collection, which answers QUERY as GET. */
export const acceptsQuery = ({ kind }: Partial<Pick<Route, 'kind'>>): boolean =>
  kind === 'list' || kind === 'follow'

/**
 * Serves QUERY (RFC 10008) of a list: GET whose query is the body. The guards run before the body is
 * read, and again where it holds the version or the API key.
 */
export function serveQueryMethod(
  app: FastifyInstance,
  route: Route,
  pipeline: RoutePipeline,
  start: (request: FastifyRequest) => Exchange,
  senders: Senders,
  work: NetworkWork | undefined,
): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      queryType,
      { parseAs: 'buffer' },
      async (_request: FastifyRequest, body: Buffer) => textOf(body),
    )
    scope.route({
      method: 'QUERY',
      url: route.path,
      bodyLimit: queryLimitBytes,
      onRequest: admitBeforeBody(pipeline, start),
      handler: async (request, reply) => {
        const query = setQuery(request)
        const admitted = await admittedByQuery(pipeline, request, query)
        return respond(reply, admitted, pipeline, senders, work, { 'cache-control': 'no-store' })
      },
    })
  })
}

/** Runs the guards again if the query in the body holds the version or the API key. */
function admittedByQuery(
  pipeline: RoutePipeline,
  request: FastifyRequest,
  query: ParsedUrlQuery,
): AdmittedExchange | Promise<AdmittedExchange> {
  const admitted = request.exchange as AdmittedExchange
  const { deferredProblem } = admitted
  if (commonParameters.some((name) => query[name] !== undefined)) {
    // Whoever it turns out to be is counted instead.
    admitted.uncount?.()
    return pipeline.admit(Object.assign(admitted, { deferredProblem: undefined }))
  }
  if (deferredProblem) throw deferredProblem
  return admitted
}

/** Makes the body the query of the request, and returns it; throws 400/4003 if the address has one too. */
function setQuery(request: FastifyRequest): ParsedUrlQuery {
  const { body } = request
  const address = request.originalUrl
  if (pathOf(address) !== address) throw problem('4003', 'detail.two_queries')
  const query = parse(typeof body === 'string' ? body : '', '&', '=', { maxKeys: 0 })
  request.query = query
  return query
}
