import type { Exchange } from '#http/pipeline/exchange.ts'
import { type Response, withHeaders } from '#http/pipeline/response.ts'
import type { Middleware } from '#http/pipeline/step.ts'
import { supportsPrefer } from '#http/response/vary.ts'

/** Omits the body for a client that prefers `return=minimal` (RFC 7240 4.2). */
export const preferMiddleware: Middleware<Exchange, void, Response> = {
  name: 'prefer',
  prepare(route) {
    // A sign-in without its tokens would be useless.
    if (!supportsPrefer(route) || route.rateLimit === 'credentials') return undefined
    return {
      fragment: {
        requestHeaders: ['Prefer'],
        responseHeaders: ['Preference-Applied'],
        statuses:
          route.statuses.includes(200) || route.kind !== 'create'
            ? { 204: 'Done; the client preferred no body.' }
            : {},
      },
      run: async ({ request }, next) => {
        const sent = request.headers['prefer']
        const response = await next()
        if (sent === undefined || response.status >= 300 || !response.body) return response
        const preferred = preferenceIn(String(sent))
        if (preferred === undefined) return response
        const applied = withHeaders(response, { 'preference-applied': `return=${preferred}` })
        if (preferred === 'representation') return applied
        const status = response.status === 200 ? 204 : response.status
        return { ...applied, status, body: undefined }
      },
    }
  },
}

/** The `return` preference of a Prefer field; the first one counts (RFC 7240 2). */
function preferenceIn(prefer: string): 'minimal' | 'representation' | undefined {
  const first = prefer
    .split(',')
    .map((part) => part.split(';', 1)[0]?.replaceAll(/[\s"]/g, '').toLowerCase() ?? '')
    .find((part) => part.startsWith('return='))
  if (first === 'return=minimal') return 'minimal'
  return first === 'return=representation' ? 'representation' : undefined
}
