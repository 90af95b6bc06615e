import type { ErrorCode } from '#values/error-codes.ts'
import { type Actor, isFullSignIn, type Scope } from './caller.ts'
import type { Context } from './context.ts'
import type { Owned } from './resource.ts'

/** Whether the thing that a path belongs to is there. */
export type Presence = 'present' | 'gone' | 'absent'

/** Who may call. A route without one does not compile. */
export type Access =
  /** Credentials are not even looked at. */
  | { readonly kind: 'open' }
  /** Anyone; a caller with credentials is known. */
  | { readonly kind: 'anyone' }
  | { readonly kind: 'signed-in'; readonly scope: Scope }
  | {
      readonly kind: 'admin'
      readonly scope: Scope
      /** True where only a credential that proves the password is accepted. */
      readonly fullSignIn?: boolean
    }
  /** The user whom a path parameter names, or an admin while that user exists. */
  | {
      readonly kind: 'owner-by-path'
      readonly scope: Scope
      /** The name of what the path belongs to. */
      readonly of: string
      readonly param: string
      readonly presence: (ctx: Context, userId: number) => Promise<Presence>
    }
  /** The owner of a thing that the path names, or an admin. */
  | {
      readonly kind: 'owner-by-entity'
      readonly scope: Scope
      readonly definition: Owned
      /** True where an administrator acts on what others own only after a full sign-in. */
      readonly fullSignInForOthers?: boolean
    }

/** A condition of one route on its requests, beside who is calling. */
export interface RouteGuard {
  /** Throws a Refusal for a request that is not let in. */
  readonly check: (request: {
    /** The address of the client, as far as proxies are believed. */
    readonly ip: string
    readonly headers: Readonly<Record<string, string | string[] | undefined>>
  }) => void
  /** Who is let in, as a sentence. */
  readonly admits: string
  readonly problems: readonly ErrorCode[]
  /** The credentials it takes, as security schemes of OpenAPI. */
  readonly security?: Readonly<Record<string, object>>
}

/** Everybody, unasked. */
export const open: Access = { kind: 'open' }
/** Everybody; who sends credentials is known. */
export const anyone: Access = { kind: 'anyone' }
/** Every user whose credential has the scope. */
export const signedIn = (scope: Scope): Access => ({ kind: 'signed-in', scope })
/** Administrators whose credential has the scope. */
export const adminOnly = (scope: Scope): Access => ({ kind: 'admin', scope })
/** Administrators who have proved their password; for what could widen a narrower credential. */
export const signedInAdmin = (scope: Scope): Access => ({ kind: 'admin', scope, fullSignIn: true })
/** Who owns the thing that the path names, and administrators. */
export const ownerOf = (definition: Owned, scope: Scope): Access => ({
  kind: 'owner-by-entity',
  scope,
  definition,
})
/** Who owns the thing that the path names, and administrators who have proved their password. */
export const ownerOrSignedInAdmin = (definition: Owned, scope: Scope): Access => ({
  kind: 'owner-by-entity',
  scope,
  definition,
  fullSignInForOthers: true,
})

/** True where only a full sign-in is let in, to act on what `ownerId` owns. */
export const needsFullSignIn = (access: Access, actor: Actor, ownerId: number | null): boolean =>
  access.kind === 'admin'
    ? access.fullSignIn === true
    : access.kind === 'owner-by-entity' &&
      access.fullSignInForOthers === true &&
      (ownerId === null || ownerId !== actor.userId)

/** True when `actor` may use a route of this access on what `ownerId` owns. */
export function permits(access: Access, actor: Actor, ownerId: number | null): boolean {
  if (access.kind === 'open' || access.kind === 'anyone') return true
  if (actor.role === null || !actor.scopes.has(access.scope)) return false
  if (needsFullSignIn(access, actor, ownerId) && !isFullSignIn(actor)) return false
  if (actor.role === 'admin' || access.kind === 'signed-in') return true
  return access.kind !== 'admin' && ownerId !== null && ownerId === actor.userId
}

/** True when a link to the route is worth showing: it is permitted, or would be after signing in. */
export const showsLink = (access: Access, actor: Actor, ownerId: number | null): boolean =>
  permits(access, actor, ownerId) || (actor.role === null && access.kind === 'signed-in')

/** How long an answer may be reused, and by whom; for callers without and with credentials. */
export interface Cache {
  readonly anonymous: string
  readonly known: string
}

const revalidated = 'private, no-cache'

/** The catalogue: shared caches keep it for everybody, callers with credentials revalidate. */
export const shared: Cache = {
  anonymous: 'public, max-age=60, s-maxage=300, stale-while-revalidate=30, stale-if-error=86400',
  known: revalidated,
}
/** What belongs to a user: kept by that user's client alone, and revalidated. */
export const personal: Cache = { anonymous: revalidated, known: revalidated }
/** Secrets and passing states: kept by nobody. */
export const unstored: Cache = { anonymous: 'no-store', known: 'no-store' }
/** How long documentation is fresh. */
export const documentationMs = 300_000
/** Documentation. */
export const documentation: Cache = {
  anonymous: 'public, max-age=300, must-revalidate, proxy-revalidate',
  known: 'public, max-age=300, must-revalidate, proxy-revalidate',
}

/**
 * What a request spends of its caller's budget. `refusals`: nothing but where it is refused, for a
 * neighbour who sends as much as there is to say.
 */
export type Rate = 'reads' | 'writes' | 'uploads' | 'credentials' | 'problems' | 'unlimited'
