import type { Role } from '#http/declare/actor.ts'
import { scopes, scopesOfRole } from '#shop/scopes.ts'

/** The scopes of OpenID Connect (Core 5.4 and 11), in addition to the scopes of the API. */
export const identityScopes: readonly string[] = ['openid', 'profile', 'email', 'offline_access']

/** Every scope that a client can request. */
export const allScopes: readonly string[] = [...identityScopes, ...scopes]

/** Splits requested scopes into those that a user of this role can grant and the other known ones. */
export function splitGrantableScopes(requested: Iterable<string>, role: Role) {
  const known = [...requested].filter((scope) => allScopes.includes(scope))
  const allowed: readonly string[] = [...identityScopes, ...scopesOfRole(role)]
  return {
    granted: known.filter((scope) => allowed.includes(scope)),
    rejected: known.filter((scope) => !allowed.includes(scope)),
  }
}
