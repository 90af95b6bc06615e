import { documentationCache, documentationMaxAgeMs, noStore } from '#http/declare/policy.ts'
import { apiKeyInQuery } from '#http/exchange/api-key-location.ts'
import type { AdmittedExchange } from '#http/exchange/exchange.ts'
import { type Response, withHeaders } from '#http/exchange/response.ts'
import type { Middleware } from '#http/exchange/step.ts'
import { varyHeaders, varyHeadersOfProblems } from '#http/message/vary.ts'
import { toHttpDate } from '#values/instant.ts'

/**
 * Sets Cache-Control and Vary by the cache policy of the route; a route without one is `no-store`.
 */
export const cacheControlMiddleware: Middleware<AdmittedExchange, void, Response> = {
  name: 'cache control',
  prepare(route) {
    const { cache = noStore } = route
    const vary = varyHeaders(route).join(', ')
    const ofProblems = {
      'cache-control': 'no-store',
      vary: varyHeadersOfProblems(route).join(', '),
    }
    const isDated = cache === documentationCache
    return {
      fragment: {
        commonHeaders: ['Cache-Control', 'Vary'],
        responseHeaders: isDated ? ['Expires'] : [],
      },
      run: async ({ actor, now, request }, next) => {
        const response = await next()
        if (response.status >= 400) return withHeaders(response, ofProblems)
        // A cache would store an API key of the query as part of its key.
        if (response.isUnstored || apiKeyInQuery(request) !== undefined) {
          return withHeaders(response, { 'cache-control': 'no-store', vary })
        }
        const isShared = actor.role === null && !response.download
        const allowed = isShared ? cache.anonymous : cache.authenticated
        const expires = isDated ? { expires: toHttpDate(now + documentationMaxAgeMs) } : undefined
        return withHeaders(response, { 'cache-control': allowed, vary, ...expires })
      },
    }
  },
}
