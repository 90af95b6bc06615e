import { parse } from 'node:querystring'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Route } from '#http/declare/route.ts'
import type { Exchange } from '#http/exchange/exchange.ts'
import { queryType } from '#http/message/media-type.ts'
import { pathOf } from '#http/message/url-path.ts'
import type { RoutePipeline } from '#http/pipeline/compile.ts'
import type { NetworkWork } from '#http/rate-limit/network-work.ts'
import type { Senders } from '#http/response/send.ts'
import { textOf } from '#http/server/body/request-body.ts'
import { respond } from '#http/server/serve-route.ts'
import { problem } from '#values/problem.ts'

/** The largest query in a body, in bytes. */
export const queryLimitBytes = 16_384

/** True for a collection, which answers QUERY as GET. */
export const acceptsQuery = ({ kind }: Partial<Pick<Route, 'kind'>>): boolean =>
  kind === 'list' || kind === 'follow'

/**
 * Serves QUERY (RFC 10008) of a list: GET whose query is the body. The guards run after the body is
 * read, because it may hold the version or the API key.
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
      handler: async (request, reply) => {
        setQuery(request)
        const admitted = await pipeline.admit(start(request))
        request.exchange = admitted
        return respond(reply, admitted, pipeline, senders, work, { 'cache-control': 'no-store' })
      },
    })
  })
}

/** Makes the body the query of the request; throws 400/4003 if the address has one too. */
function setQuery(request: FastifyRequest): void {
  const { body } = request
  const address = request.originalUrl
  if (pathOf(address) !== address) throw problem('4003', 'detail.two_queries')
  request.query = parse(typeof body === 'string' ? body : '', '&', '=', { maxKeys: 0 })
}
