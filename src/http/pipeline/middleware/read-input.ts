import type { FastifyRequest } from 'fastify'
import type { CodecOptions } from '#http/codec/value-codec.ts'
import { type AdmittedExchange, codecFor, type ValidatedExchange } from '#http/exchange/exchange.ts'
import type { Outcome } from '#http/exchange/response.ts'
import type { Middleware } from '#http/exchange/step.ts'
import { isExport } from '#http/response/export/export.ts'
import { compileQuery } from './query.ts'
import { requireUtf8Query } from './query-encoding.ts'

/**
 * Validates the body (400/4001, 422/4221) and the query (400/4003) by the schemas of the route.
 * Stands inside idempotency, so that its problems are stored like other responses.
 */
export const readInputMiddleware = (
  codecOptions: CodecOptions,
): Middleware<AdmittedExchange, Pick<ValidatedExchange, 'input'>, Outcome> => ({
  name: 'read input',
  prepare(route) {
    const { upload } = route
    const readQuery = compileQuery(route, codecOptions)
    return {
      fragment: {},
      run: async (exchange, next) => {
        const { request } = exchange
        const body = upload ? request.body : codecFor(exchange).readBody?.(request.body)
        const raw = { text: request.bodyText, header: (name: string) => headerOf(request, name) }
        requireUtf8Query(request)
        const query = readQuery(queryOf(exchange))
        return next({ input: { body, raw, ...query } })
      },
    }
  },
})

/** The query; an export has no pages, so that the parameters of a page are ignored. */
function queryOf({ request, representation }: AdmittedExchange): Readonly<Record<string, unknown>> {
  const query = request.query as Readonly<Record<string, unknown>>
  if (!isExport(representation)) return query
  const { page: _page, limit: _limit, ...others } = query
  return others
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}
