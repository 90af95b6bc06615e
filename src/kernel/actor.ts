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

/** Who is calling: nobody known, or a user with a role and the scopes of the credential. */
export interface Actor {
  readonly userId: number | null
  readonly role: Role | null
  readonly scopes: ReadonlySet<string>
}

/** A caller without credentials. */
export const anonymous: Actor = { userId: null, role: null, scopes: new Set() }

/** The scopes that a role may hold; a customer's are all but those of running the shop. */
export const scopesOf = (role: Role): readonly Scope[] =>
  role === 'admin' ? scopes : scopes.filter((scope) => scope !== 'products:write')
