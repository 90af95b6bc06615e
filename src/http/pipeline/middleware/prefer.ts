import { type Middleware, withHeaders } from '#http/pipeline/exchange.ts'
import { prefers } from '#http/response/vary.ts'

/** Leaves out the body of an answer whose client prefers none (RFC 7240 4.2). */
export const preferMiddleware: Middleware = {
  name: 'prefer',
  prepare(route) {
    // Who proves to be somebody wants to know by what to be known from now on.
    if (!prefers(route) || route.rate === 'credentials') return undefined
    return {
      fragment: {
        requestHeaders: ['Prefer'],
        responseHeaders: ['Preference-Applied'],
        statuses:
          route.statuses.includes(200) || route.kind !== 'create'
            ? { 204: 'Done; the client preferred no body.' }
            : {},
      },
      step: async (exchange, next) => {
        const sent = exchange.request.headers['prefer']
        const answer = await next()
        if (sent === undefined || answer.status >= 300 || !answer.body) return answer
        const preferred = preferenceIn(String(sent))
        if (preferred === undefined) return answer
        const told = withHeaders(answer, { 'preference-applied': `return=${preferred}` })
        if (preferred === 'representation') return told
        return { ...told, status: answer.status === 200 ? 204 : answer.status, body: undefined }
      },
    }
  },
}

/** What a Prefer asks to be returned; the first counts (RFC 7240 2). */
function preferenceIn(prefer: string): 'minimal' | 'representation' | undefined {
  const first = prefer
    .split(',')
    .map((part) => part.split(';', 1)[0]?.replaceAll(/[\s"]/g, '').toLowerCase() ?? '')
    .find((part) => part.startsWith('return='))
  if (first === 'return=minimal') return 'minimal'
  return first === 'return=representation' ? 'representation' : undefined
}
