import { type Actor, scopesOf } from '#kernel/actor.ts'
import type { Authentication, SecurityScheme } from '#kernel/authentication.ts'
import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import { refusal } from '#values/refusal.ts'
import type { Account } from './store.ts'

/** One way to say who is calling: a scheme of the Authorization header (RFC 9110 11.1). */
export interface Authenticator {
  /** The name of the scheme, in lower case. */
  readonly scheme: string
  /** How a client is asked for it in WWW-Authenticate. */
  readonly challenge: string
  /** How the API description tells of it. */
  readonly security: SecurityScheme
  /** The caller whom the credentials after the scheme's name prove; refused with 401 or 403. */
  readonly identify: (db: Db, credentials: string, now: Instant) => Promise<Actor>
}

/** Composes the ways to say who is calling; a scheme that is none of them is refused with 4012. */
export function authenticationBy(authenticators: readonly Authenticator[]): Authentication {
  const byScheme = new Map(authenticators.map((each) => [each.scheme, each]))
  return {
    challenges: authenticators.map(({ challenge }) => challenge),
    security: Object.fromEntries(authenticators.map(({ scheme, security }) => [scheme, security])),
    identify: async (db, { authorization = '' }, now) => {
      const [, scheme = '', credentials = ''] = /^(\S+)(?: +(.*))?$/.exec(authorization) ?? []
      const authenticator = byScheme.get(scheme.toLowerCase())
      if (!authenticator) throw refusal('4012', 'detail.unknown_scheme')
      return authenticator.identify(db, credentials, now)
    },
  }
}

/**
 * The caller that an account is, holding what the credential was granted and the role still
 * allows, or all of that where nothing was narrowed. Refused with 4012 when there is no account
 * any more, with 4032 while it is suspended.
 */
export function actorOf(account: Account | undefined, granted?: readonly string[]): Actor {
  if (!account || account.deleted_at !== null) throw refusal('4012', 'detail.stale_account')
  if (account.status === 'suspended') throw refusal('4032', 'detail.suspended')
  const { id, role } = account
  const allowed: readonly string[] = scopesOf(role)
  const scopes = new Set(granted ? allowed.filter((scope) => granted.includes(scope)) : allowed)
  return { userId: id, role, scopes }
}
