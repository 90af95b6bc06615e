import type { Db } from '#db/database.ts'
import { type Actor, type Credential, scopesOf } from '#http/declare/caller.ts'
import type {
  Authentication,
  AuthenticationResult,
  SecurityScheme,
  SentCredential,
} from '#http/pipeline/guards/authentication.ts'
import type { Instant } from '#values/instant.ts'
import { type Problem, problem } from '#values/problem.ts'
import type { Account } from './store.ts'

/** The protection space that every challenge names (RFC 9110 11.5). */
export const realm = 'cartwright'

/** One way to say who is calling: a scheme of the Authorization header (RFC 9110 11.1). */
export interface Authenticator {
  /** The name of the scheme, in lower case. */
  readonly scheme: string
  /** How a client that was refused is asked for it in WWW-Authenticate. */
  readonly challenge: (refused: Problem, now: Instant) => string
  /** How a client whose credential lacks a scope is told so in WWW-Authenticate. */
  readonly scopeChallenge?: (scope: string) => string
  /** How the API description tells of it, by the names of the ways to send it. */
  readonly security: Readonly<Record<string, SecurityScheme>>
  /** The caller whom the credential proves; refused with 401 or 403. */
  readonly identify: (db: Db, sent: SentCredential, now: Instant) => Promise<AuthenticationResult>
}

/** Composes the ways to say who is calling; a scheme that is none of them is refused with 4012. */
export function authenticationBy(authenticators: readonly Authenticator[]): Authentication {
  const byScheme = new Map(authenticators.map((each) => [each.scheme, each]))
  return {
    challenge: (refused, now, authorization) => {
      if (refused.status === 401) {
        return authenticators.map(({ challenge }) => challenge(refused, now)).join(', ')
      }
      const scope = scopeLackedBy(refused)
      const [scheme = ''] = authorization?.split(' ', 1) ?? []
      return scope && byScheme.get(scheme.toLowerCase())?.scopeChallenge?.(scope)
    },
    security: Object.assign({}, ...authenticators.map(({ security }) => security)),
    identify: async (db, sent, now) => {
      const authenticator = byScheme.get(sent.scheme)
      if (!authenticator) throw problem('4012', 'detail.unknown_scheme')
      return authenticator.identify(db, sent, now)
    },
  }
}

/** The scope with which a refused credential would do; undefined where none would help. */
const scopeLackedBy = ({ code, detail: { key, values } }: Problem): string | undefined =>
  code === '4033' && key === 'detail.scope' ? String(values['scope']) : undefined

/**
 * The caller that an account is by this credential, holding what that was granted and the role
 * still allows, or all of the role where nothing was narrowed. Refused with 4012 when there is no account
 * any more, with 4032 while it is suspended.
 */
export function actorOf(
  account: Account | undefined,
  credential: Credential,
  granted?: readonly string[],
): Actor {
  if (!account || account.deleted_at !== null) throw problem('4012', 'detail.stale_account')
  if (account.status === 'suspended') throw problem('4032', 'detail.suspended')
  const { id, role } = account
  const allowed: readonly string[] = scopesOf(role)
  const scopes = new Set(granted ? allowed.filter((scope) => granted.includes(scope)) : allowed)
  return { userId: id, role, scopes, credential }
}
