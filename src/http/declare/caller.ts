import type { Instant } from '#values/instant.ts'

/** What a caller is to the shop. */
export type Role = 'customer' | 'admin'

/** The acts a credential can be narrowed to. */
export const scopes = [
  'users:read',
  'users:write',
  'products:write',
  'orders:read',
  'orders:write',
  'carts:write',
  'payments:write',
  'reviews:write',
  'purchases:read',
  'keys:write',
] as const
/** The name of one of them. */
export type Scope = (typeof scopes)[number]

/** The limits of a credential; whatever is created with it has them too. */
export interface CredentialLimits {
  /** When the credential expires; null for never. */
  readonly expiresAt: Instant | null
  /** The addresses and networks it is accepted from; null for all. */
  readonly addresses: readonly string[] | null
  /** The origins of the pages that may use it; null for all. */
  readonly origins: readonly string[] | null
}

/** What a caller has proved to be somebody by. */
export interface Credential {
  /** The kind: the scheme of Authorization in lower case, such as `bearer` or `api-key`. */
  readonly scheme: string
  /** Which of several: the `jti` of a token, the identifier of an API key; no secret. */
  readonly id: string | null
  /** The OAuth client that acts for the user. */
  readonly clientId: string | null
  /** The session that a token of ours belongs to. */
  readonly sessionId?: number
  /** The hash of the OAuth grant that a token rests on; null for a token without one. */
  readonly grantHash?: string | null
  /**
   * `password` where the caller proved the password of the account, now or when the session began;
   * otherwise the limits of a narrower credential.
   */
  readonly authority: 'password' | CredentialLimits
}

/** What whoever holds a credential may do with it. */
export interface Authority extends CredentialLimits {
  /** The user it acts as; null for one that acts as nobody by itself. */
  readonly userId: number | null
  readonly scopes: readonly Scope[]
}

/** Who is calling: nobody known, or a user with a role and the scopes of the credential. */
export interface Actor {
  readonly userId: number | null
  readonly role: Role | null
  readonly scopes: ReadonlySet<string>
  readonly credential: Credential | null
}

/** True for a credential that lacks no scope of the caller's role. */
const holdsEveryScope = (role: Role, held: ReadonlySet<string>): boolean =>
  scopesOf(role).every((scope) => held.has(scope))

/** True for a caller who proved the password of the account and holds every scope of the role. */
export const isFullSignIn = ({ role, scopes: held, credential }: Actor): boolean =>
  role !== null && credential?.authority === 'password' && holdsEveryScope(role, held)

/**
 * Tells callers apart that are shown other links of the same thing. Empty for who is not known, and
 * for a customer who may do all that customers may: both are shown the same.
 */
export function permissionTag(actor: Actor): string {
  const { role, scopes: held } = actor
  if (role === null) return ''
  if (role === 'customer' && holdsEveryScope(role, held)) return ''
  let bits = role === 'admin' ? 1 : 0
  // Some links of administrators lead only where a password was proved.
  if (role === 'admin' && isFullSignIn(actor)) bits += 2
  for (const scope of scopes) bits = bits * 2 + (held.has(scope) ? 1 : 0)
  return `~${bits.toString(36)}`
}

/** A caller without credentials. */
export const anonymous: Actor = { userId: null, role: null, scopes: new Set(), credential: null }

/** The scopes that a role may hold; a customer's are all but those of running the shop. */
export const scopesOf = (role: Role): readonly Scope[] =>
  role === 'admin' ? scopes : scopes.filter((scope) => scope !== 'products:write')
