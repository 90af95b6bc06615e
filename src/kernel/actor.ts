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
}

/** Who is calling: nobody known, or a user with a role and the scopes of the credential. */
export interface Actor {
  readonly userId: number | null
  readonly role: Role | null
  readonly scopes: ReadonlySet<string>
  readonly credential: Credential | null
}

/**
 * Tells callers apart that are shown other links of the same thing. Empty for who is not known, and
 * for a customer who may do all that customers may: both are shown the same.
 */
export function viewMark({ role, scopes: held }: Actor): string {
  if (role === null) return ''
  const misses = scopesOf(role).some((scope) => !held.has(scope))
  if (role === 'customer' && !misses) return ''
  let bits = role === 'admin' ? 1 : 0
  for (const scope of scopes) bits = bits * 2 + (held.has(scope) ? 1 : 0)
  return `~${bits.toString(36)}`
}

/** A caller without credentials. */
export const anonymous: Actor = { userId: null, role: null, scopes: new Set(), credential: null }

/** The scopes that a role may hold; a customer's are all but those of running the shop. */
export const scopesOf = (role: Role): readonly Scope[] =>
  role === 'admin' ? scopes : scopes.filter((scope) => scope !== 'products:write')
