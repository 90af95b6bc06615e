import type { Exchange } from './exchange.ts'

/** True if the access policy of a route ignores the credentials of this request. */
export function ignoresCredentials({
  route: { access },
  request,
}: Pick<Exchange, 'route' | 'request'>): boolean {
  if (access.kind !== 'optional-authentication' || access.onlyWithQuery === undefined) return false
  return !Object.hasOwn(request.query as object, access.onlyWithQuery)
}
