import type { AdmittedExchange } from '#http/exchange/exchange.ts'
import type { Response } from '#http/exchange/response.ts'
import type { Middleware } from '#http/exchange/step.ts'
import { ttlOf } from '#http/message/last-modified.ts'
import { serialize } from '#http/response/serialize.ts'
import { isCacheable } from './cache-keys.ts'
import type { ResponseCache } from './response-cache.ts'

/** Everything that a response to an anonymous caller depends on. */
const keyOf = ({ request, representation, version, language }: AdmittedExchange): string =>
  `${request.originalUrl}\n${representation.contentType}\n${version}\n${language}`

/**
 * Answers anonymous callers from the cache, and caches what the later steps return, header fields
 * included. Conditional requests are checked outside, for cached and new responses alike.
 */
export const cacheMiddleware = (
  cache: ResponseCache | undefined,
): Middleware<AdmittedExchange, void, Response> => ({
  name: 'response cache',
  prepare(route) {
    if (!cache || !isCacheable(route)) return undefined
    return {
      fragment: {},
      run: async (exchange, next) => {
        // The response to a QUERY also depends on its body, which is not in the key.
        const isQuery = exchange.request.method === 'QUERY'
        if (exchange.actor.credential !== null || isQuery) return next()
        const key = keyOf(exchange)
        const hit = cache.get(key)
        if (hit) return hit
        const mark = cache.mark()
        const response = await next()
        const tags = response.cacheTags?.()
        if (!tags || response.status !== 200 || !cache.isWanted(key)) return response
        const body = serialize(exchange, response.body?.())
        const serialized = { ...response, body: () => body }
        // The function for the tags holds the request, which the cache must not keep in memory.
        const cached = { ...serialized, cacheTags: undefined }
        const ttlMs = ttlOf(response.lastModified, exchange.now)
        cache.set(key, { response: cached, bytes: body.bytes, ttlMs }, tags, mark)
        return serialized
      },
    }
  },
})
