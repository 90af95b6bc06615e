import type { Actor, Role } from '#http/declare/actor.ts'

/** Every scope that a credential can be limited to. */
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
  'events:read',
  'webhooks:write',
  'refunds:write',
  'returns:write',
  'settings:write',
  'imports:write',
  'files:write',
] as const
/** A scope of a credential. */
export type Scope = (typeof scopes)[number]

const adminScopes: ReadonlySet<Scope> = new Set([
  'products:write',
  'events:read',
  'webhooks:write',
  'refunds:write',
  'returns:write',
  'settings:write',
  'imports:write',
  'files:write',
])

/** The scopes of what needs an account: guests review nothing and have no further credentials. */
const accountScopes: ReadonlySet<Scope> = new Set(['reviews:write', 'keys:write'])

/** The scopes of the writes of an account, of what acts for it, and of what works on after the request. */
export const accountWriteScopes: ReadonlySet<Scope> = new Set([
  'users:write',
  'keys:write',
  'webhooks:write',
  'imports:write',
])

const customerScopes = scopes.filter((scope) => !adminScopes.has(scope))

const scopesByRole: Readonly<Record<Role, readonly Scope[]>> = {
  admin: scopes,
  customer: customerScopes,
  guest: customerScopes.filter((scope) => !accountScopes.has(scope)),
}

/** The scopes that a role may have: all for administrators, those of a buyer for the others. */
export const scopesOfRole = (role: Role): readonly Scope[] => scopesByRole[role]

/** Creates the actor of a credential. */
export function createActor(
  identity: Pick<Actor, 'userId' | 'role' | 'scopes' | 'credential'>,
  isConfirmed = false,
): Actor {
  const { role, scopes: granted, credential } = identity
  const hasEveryScope = role !== null && scopesOfRole(role).every((scope) => granted.has(scope))
  const isFullSignIn = hasEveryScope && credential?.authority === 'password'
  return {
    ...identity,
    isConfirmed,
    isFullSignIn,
    permissionTag: tagOf(identity, hasEveryScope, isFullSignIn),
  }
}

const hasLimit = ({ authority }: NonNullable<Actor['credential']>): boolean =>
  authority !== 'password' &&
  [authority.expiresAt, authority.addresses, authority.origins].some((limit) => limit !== null)

function tagOf(
  { role, scopes: granted, credential }: Pick<Actor, 'role' | 'scopes' | 'credential'>,
  hasEveryScope: boolean,
  isFullSignIn: boolean,
): string {
  const isLimited = credential !== null && hasLimit(credential)
  if (role === null || (role === 'customer' && hasEveryScope && !isLimited)) return ''
  let bits = role === 'admin' ? 1 : 0
  // Some links are for administrators after a full sign-in only.
  if (role === 'admin' && isFullSignIn) bits += 2
  if (role === 'guest') bits = 4
  // Whoever holds such a credential can give away nothing without these limits.
  if (isLimited) bits += 8
  for (const scope of scopes) bits = bits * 2 + (granted.has(scope) ? 1 : 0)
  return `~${bits.toString(36)}`
}
