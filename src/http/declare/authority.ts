import { type Problem, problem } from '#values/problem.ts'
import type { Actor, Authority } from './actor.ts'
import { missingScope } from './permissions.ts'
import type { Route } from './route.ts'

/** True for a write that returns its entity, which must allow no more than the caller if it is a credential. */
export const mayGiveAuthority = ({
  kind,
  keepsAuthority = false,
}: Pick<Route, 'kind' | 'keepsAuthority'>): boolean =>
  !keepsAuthority && (kind === 'create' || kind === 'replace' || kind === 'modify')

/**
 * Returns why a credential would allow more than that of the caller: another user, a further scope
 * (403/4033), address or origin, or a later expiry (403/4031). Undefined if it would not.
 */
export function excessProblem(actor: Actor, other: Authority): Problem | undefined {
  const { userId, credential } = actor
  if (other.userId !== null && other.userId !== userId) return exceeds('user_id')
  const scope = other.scopes.find((each) => !actor.scopes.has(each))
  if (scope !== undefined) return missingScope(scope, actor)
  if (credential?.authority === 'password') return undefined
  if (!credential) return exceeds('user_id')
  const { expiresAt, addresses, origins } = credential.authority
  if (expiresAt !== null && (other.expiresAt === null || other.expiresAt > expiresAt)) {
    return exceeds('expires_at')
  }
  if (!isWithin(other.addresses, addresses)) return exceeds('allowed_addresses')
  return isWithin(other.origins, origins) ? undefined : exceeds('allowed_origins')
}

const exceeds = (field: string) => problem('4031', 'detail.wider', { field })

const isWithin = (entries: readonly string[] | null, limit: readonly string[] | null): boolean =>
  limit === null || (entries?.every((entry) => limit.includes(entry)) ?? false)
