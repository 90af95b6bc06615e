import { publicCache } from '#http/declare/policy.ts'
import type { Route } from '#http/declare/route.ts'
import type { AdmittedExchange } from '#http/exchange/exchange.ts'
import { type Response, withHeaders } from '#http/exchange/response.ts'
import type { Middleware } from '#http/exchange/step.ts'
import type { Change } from '#store/changes.ts'

/** How a shared cache wants the keys by which its copies are purged: Cloudflare's way, or that of Fastly. */
export type CacheKeyStyle = 'cache-tag' | 'surrogate-key'

/** The key of every response. */
export const everything = 'all'
/** The key of a response of which it is not known what changes it; every change purges it. */
const unknown = 'any'
/** Proxies have little room for header fields. */
const maxCharacters = 4000

const keyOf = (cacheTag: string): string => cacheTag.replaceAll(' ', '-')

/** The keys that a change purges. */
export const keysOfChange = (change: Change): readonly string[] =>
  change === 'anything' ? [everything] : [...change.map(keyOf), unknown]

function keysOfResponse({ cacheTags }: Response): readonly string[] {
  const keys = cacheTags?.()?.map(keyOf)
  const isKnown = keys !== undefined && keys.join(' ').length <= maxCharacters
  return [everything, ...(isKnown ? keys : [unknown])]
}

/** Formats keys as the value of their header field. */
export const formatKeys = (keys: readonly string[], style: CacheKeyStyle): string =>
  keys.join(style === 'cache-tag' ? ',' : ' ')

/** True for a route whose responses to anonymous callers a shared cache may keep while they change with the shop. */
export const isCacheable = ({ method, cache, resource }: Route): boolean =>
  method === 'GET' && cache === publicCache && resource.kind !== 'document'

/** Tells shared caches by which keys the public responses are purged. */
export const cacheKeyMiddleware = (
  style: CacheKeyStyle | undefined,
): Middleware<AdmittedExchange, void, Response> => ({
  name: 'cache keys',
  prepare(route) {
    if (style === undefined || !isCacheable(route)) return undefined
    return {
      fragment: {},
      run: async ({ actor }, next) => {
        const response = await next()
        if (response.status !== 200 || actor.credential !== null) return response
        return withHeaders(response, { [style]: formatKeys(keysOfResponse(response), style) })
      },
    }
  },
})
