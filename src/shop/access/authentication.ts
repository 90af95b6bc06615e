import type { Actor, Credential } from '#http/declare/actor.ts'
import type {
  Authentication,
  SecurityScheme,
  SentCredential,
} from '#http/declare/authentication.ts'
import { accountWriteScopes, createActor, scopesOfRole } from '#shop/scopes.ts'
import type { Instant } from '#values/instant.ts'
import { type Problem, problem } from '#values/problem.ts'
import { isCallerUnchanged } from './caller-store.ts'
import type { Account } from './store.ts'

/** The realm of every challenge (RFC 9110 11.5). */
export const realm = 'cartwright'

/** An authentication mechanism: one scheme of the Authorization header (RFC 9110 11.1). */
export interface Authenticator {
  /** The name of the scheme, in lower case. */
  readonly scheme: string
  /** The challenge in WWW-Authenticate of a 401 response. */
  readonly challenge: (error: Problem, now: Instant) => string
  /** The challenge in WWW-Authenticate of a 403 response to a credential that lacks a scope. */
  readonly scopeChallenge?: (scope: string) => string
  /** The security schemes of the OpenAPI document, by name. */
  readonly security: Readonly<Record<string, SecurityScheme>>
  /** See `Authentication`. Throws a Problem of status 401 or 403. */
  readonly identify: Authentication['identify']
  /** See `Authentication`; `identify` by default. */
  readonly confirm?: Authentication['identify']
}

/** Combines mechanisms into one. An unknown scheme throws 401/4012. */
export function combineAuthenticators(
  authenticators: readonly Authenticator[],
  provePassword?: Authentication['provePassword'],
): Authentication {
  const byScheme = new Map(authenticators.map((each) => [each.scheme, each]))
  const authenticatorOf = ({ scheme }: SentCredential): Authenticator => {
    const authenticator = byScheme.get(scheme)
    if (!authenticator) throw problem('4012', 'detail.unknown_scheme')
    return authenticator
  }
  return {
    challenge: (error, now, authorization) => {
      if (error.status === 401) {
        return authenticators.map(({ challenge }) => challenge(error, now)).join(', ')
      }
      const scope = missingScope(error)
      const [scheme = ''] = authorization?.split(' ', 1) ?? []
      return scope && byScheme.get(scheme.toLowerCase())?.scopeChallenge?.(scope)
    },
    security: Object.assign({}, ...authenticators.map(({ security }) => security)),
    identify: async (db, sent, now, mayAssume) =>
      authenticatorOf(sent).identify(db, sent, now, mayAssume),
    confirm: async (db, sent, now) => {
      const { identify, confirm = identify } = authenticatorOf(sent)
      return confirm(db, sent, now)
    },
    isUnchanged: isCallerUnchanged,
    accountScopes: accountWriteScopes,
    ...(provePassword ? { provePassword } : {}),
  }
}

/** The scope that the rejected credential lacks; undefined when a scope is not the reason. */
const missingScope = ({ code, detail: { key, values } }: Problem): string | undefined =>
  code === '4033' && key === 'detail.scope' ? String(values['scope']) : undefined

/**
 * Returns the caller that an account and its credential make. The caller holds the scopes of the
 * role, reduced to `granted` when given. Throws 401/4012 when the account does not exist, 403/4032
 * while it is suspended.
 */
export function requireActor(
  account: Account | undefined,
  credential: Credential,
  granted?: readonly string[],
): Actor {
  if (!account || account.deleted_at !== null) throw problem('4012', 'detail.stale_account')
  if (account.status === 'suspended') throw problem('4032', 'detail.suspended')
  const { id, role } = account
  const isConfirmed = role === 'admin' || account.email_verified === 1
  const roleScopes: readonly string[] = scopesOfRole(role)
  const scopes = new Set(granted ? roleScopes.filter((each) => granted.includes(each)) : roleScopes)
  return createActor({ userId: id, role, scopes, credential }, isConfirmed)
}
