import { type Role, type Scope, scopes, scopesOf } from '#http/declare/caller.ts'

// Those of signing in (OpenID Connect Core 5.4), beside those of acts.
const identityScopes = ['openid', 'profile', 'email', 'offline_access'] as const

/** Every scope that a client can ask for. */
export const everyScope: readonly string[] = [...identityScopes, ...scopes]

/** Of the scopes asked for, those that a user of this role may grant, and those that it may not. */
export function grantable(asked: Iterable<string>, role: Role) {
  const known = [...asked].filter((scope) => everyScope.includes(scope))
  const barred = scopes.filter((scope) => !scopesOf(role).includes(scope))
  const isBarred = (scope: string) => barred.includes(scope as Scope)
  return {
    granted: known.filter((scope) => !isBarred(scope)),
    rejected: known.filter(isBarred),
  }
}
