import type { FastifyRequest } from 'fastify'
import type { CodecOptions } from '#http/codec/codec.ts'
import { codecFor, type Input, type Middleware } from '#http/pipeline/exchange.ts'
import { readListRequest } from '#http/response/pages.ts'
import { compileQuery } from './query.ts'

/** What is known of a request before its body and query have been read: nothing. */
export const unread: Input = {
  body: undefined,
  raw: { text: '', header: () => undefined },
  filters: {},
  page: readListRequest({}, new Map([['id', 'integer']]), []),
  include: [],
}

/**
 * Holds the body (400/4001, 422/4221) and the query (400/4003) to what the route declares. Stands
 * inside idempotency, so that what is refused here is kept as any other answer.
 */
export const readInputMiddleware = (codecOptions: CodecOptions): Middleware => ({
  name: 'reading',
  prepare(route) {
    const readQuery = compileQuery(route, codecOptions)
    return {
      fragment: {},
      // Of all that comes nothing waits here.
      step: (exchange, next) => {
        const { request } = exchange
        const body = codecFor(exchange).readBody?.(request.body)
        const raw = { text: request.bodyText, header: (name: string) => headerOf(request, name) }
        exchange.input = { body, raw, ...readQuery(request.query as Record<string, unknown>) }
        return next()
      },
    }
  },
})

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}
