import { definitionOf } from '#http/declare/resource.ts'
import type { Route } from '#http/declare/route.ts'
import type { Exchange } from '#http/exchange/exchange.ts'
import { type Response, withHeaders } from '#http/exchange/response.ts'
import type { Middleware, OpenApiFragment } from '#http/exchange/step.ts'
import { appliedWait, isAwaited, preferenceIn } from '#http/message/preferences.ts'
import { supportsPrefer } from '#http/message/vary.ts'
import { isReplayed } from '#http/pipeline/idempotency/stored-response.ts'
import { shownOnceFields } from '#schema/words.ts'

/**
 * Omits the body for a client that prefers `return=minimal` (RFC 7240 4.2), and confirms that the response
 * has waited for the end of the work.
 */
export const preferMiddleware: Middleware<Exchange, void, Response> = {
  name: 'prefer',
  prepare(route) {
    const secrets = secretsOf(route)
    const waits = route.kind === 'create' && isAwaited(route)
    if (!supportsPrefer(route) || (route.kind === 'create' && secrets.length > 0)) return undefined
    if (route.statuses[0] === 204) return undefined
    return {
      fragment: {
        ...describeWait(route),
        statuses:
          route.statuses.includes(200) || route.kind !== 'create'
            ? { 204: 'Done; the client preferred no body.' }
            : {},
      },
      run: async ({ request }, next) => {
        const sent = request.headers['prefer']
        const response = await next()
        if (sent === undefined || response.status >= 300 || !response.body) return response
        const preferred = hasAny(secrets, response.body())
          ? undefined
          : returnPreferenceIn(String(sent))
        const applied = [
          ...(preferred ? [`return=${preferred}`] : []),
          ...(waits && !isReplayed(response) ? appliedWait(String(sent)) : []),
        ]
        if (applied.length === 0) return response
        const confirmed = withHeaders(response, { 'preference-applied': applied.join(', ') })
        if (preferred !== 'minimal') return confirmed
        const status = response.status === 200 ? 204 : response.status
        return { ...confirmed, status, body: undefined }
      },
    }
  },
}

/** Documents `Prefer: wait` where the response is an entity on which work may continue. */
export const describeWait = (route: Pick<Route, 'resource'>): OpenApiFragment =>
  isAwaited(route) ? { requestHeaders: ['Prefer'] } : {}

/** The fields that no other response shows: the secret of an entity, or the tokens of a new session. */
function secretsOf({ resource }: Route): readonly string[] {
  const definition = definitionOf(resource)
  if (definition.kind === 'document') return []
  const { schema, signedInActor } = definition
  return signedInActor ? Object.keys(schema.properties) : shownOnceFields(schema)
}

/** True if a value has one of the fields. */
const hasAny = (fields: readonly string[], value: unknown): boolean =>
  typeof value === 'object' && value !== null && fields.some((field) => Object.hasOwn(value, field))

/** The `return` preference of a Prefer field. */
function returnPreferenceIn(prefer: string): 'minimal' | 'representation' | undefined {
  const first = preferenceIn(prefer, 'return')
  if (first === 'return=minimal') return 'minimal'
  return first === 'return=representation' ? 'representation' : undefined
}
