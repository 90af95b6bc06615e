import { documentation, documentationMs, unstored } from '#http/declare/policy.ts'
import { type Middleware, withHeaders } from '#http/pipeline/exchange.ts'
import { keyInQuery } from '#http/pipeline/guards/api-key-location.ts'
import { varyHeaders, varyHeadersOfProblems } from '#http/response/vary.ts'
import { toHttpDate } from '#values/instant.ts'

/** States how long the answer may be reused; answers to writes are kept by nobody. */
export const cacheControlMiddleware: Middleware = {
  name: 'caching',
  prepare(route) {
    const { cache = unstored } = route
    const vary = varyHeaders(route).join(', ')
    const refused = { 'cache-control': 'no-store', vary: varyHeadersOfProblems(route).join(', ') }
    const isDated = cache === documentation
    return {
      fragment: {
        everyHeaders: ['Cache-Control', 'Vary'],
        responseHeaders: isDated ? ['Expires'] : [],
      },
      step: async ({ actor, now, request }, next) => {
        const answer = await next()
        if (answer.status >= 400) return withHeaders(answer, refused)
        if (keyInQuery(request) !== undefined) {
          // Stores go by the address, which would stay a secret there.
          return withHeaders(answer, { 'cache-control': 'no-store', vary })
        }
        if (answer.isUnstored) return withHeaders(answer, { 'cache-control': 'no-store', vary })
        const allowed = actor.role === null ? cache.anonymous : cache.known
        const expires = isDated ? { expires: toHttpDate(now + documentationMs) } : undefined
        return withHeaders(answer, { 'cache-control': allowed, vary, ...expires })
      },
    }
  },
}
