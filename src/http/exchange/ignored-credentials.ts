import type { AccessPolicy } from '#http/declare/policy.ts'
import type { Exchange } from './exchange.ts'

/** True if an access policy ignores the credentials of every request. */
export const ignoresEveryCredential = (access: AccessPolicy): boolean =>
  access.kind === 'no-authentication' && access.unlessQuery === undefined

/** True if the access policy of a route ignores the credentials of this request. */
export function ignoresCredentials({
  route: { access },
  request,
}: Pick<Exchange, 'route' | 'request'>): boolean {
  if (access.kind !== 'no-authentication') return false
  const { unlessQuery } = access
  return unlessQuery === undefined || !Object.hasOwn(request.query as object, unlessQuery)
}
