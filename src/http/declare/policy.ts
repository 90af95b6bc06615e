import type { ErrorCode } from '#i18n/error-codes.ts'
import type { Actor, Scope } from './actor.ts'
import type { Context } from './context.ts'
import type { OwnedResource } from './resource.ts'

/** Whether an entity exists, has been deleted (`gone`, RFC 9110 section 15.5.11) or never existed. */
export type Presence = 'present' | 'gone' | 'absent'

/**
 * Who may use an operation. The access guard checks it before the body is read: 401/4011 for an
 * anonymous caller, 403/4031 for a caller who is not admitted, 403/4033 for a credential without
 * the scope. A link to the operation is shown only to callers it admits.
 */
export type AccessPolicy =
  /**
   * Every caller. Credentials are ignored: `actor` is anonymous, a bad credential is no error. In a request with the
   * query parameter `unlessQuery` they are optional.
   */
  | { readonly kind: 'no-authentication'; readonly unlessQuery?: string }
  /** Every caller. Credentials are optional, but bad ones are 401. */
  | { readonly kind: 'optional-authentication' }
  /** Every user. */
  | { readonly kind: 'signed-in'; readonly scope: Scope }
  /** Administrators. */
  | {
      readonly kind: 'admin'
      readonly scope: Scope
      /** A scope that the credential needs besides. */
      readonly secondScope?: Scope
      /** True if administrators need a full sign-in (see `isFullSignIn`). */
      readonly fullSignIn?: boolean
    }
  /** The user whose ID is a path parameter, and administrators while that user exists. */
  | {
      readonly kind: 'owner-by-path'
      readonly scope: Scope
      /** The name of the resource in problems, such as `user`. */
      readonly of: string
      /** The name of the path parameter. */
      readonly param: string
      /** Called for administrators only: `absent` is 404/4041, `gone` is 410/4101. */
      readonly presence: (ctx: Context, userId: number) => Promise<Presence>
    }
  /** The owner of the entity that the path names, and administrators. 404 or 410 without it. */
  | {
      readonly kind: 'owner-by-entity'
      readonly scope: Scope
      readonly definition: OwnedResource
      /** True if administrators need a full sign-in for entities of other users. */
      readonly fullSignInForOthers?: boolean
    }

/** A policy that does not admit every caller. */
export type RestrictedAccess = Exclude<
  AccessPolicy,
  { kind: 'no-authentication' | 'optional-authentication' }
>

/** A check of a request by one route, besides its access policy; runs before the body is read. */
export interface RouteGuard {
  /** Throws a Problem for a request that is not admitted. */
  readonly check: (request: {
    /** The address of the client; from `X-Forwarded-For` if the proxy is trusted. */
    readonly ip: string
    /** By lower-case name. */
    readonly headers: Readonly<Record<string, string | string[] | undefined>>
  }) => void
  /** Who is admitted, as a sentence for the OpenAPI description. */
  readonly accessDescription: string
  /** The codes of the problems that `check` throws. */
  readonly problems: readonly ErrorCode[]
  /** The credentials that `check` accepts, as OpenAPI security schemes by name. */
  readonly security?: Readonly<Record<string, object>>
}

/** Every caller, whose credentials are ignored: for sign-in, webhooks, health and documentation. */
export const noAuthentication: AccessPolicy = { kind: 'no-authentication' }
/** Every caller; one with credentials is authenticated. For public resources with personal links. */
export const optionalAuthentication: AccessPolicy = { kind: 'optional-authentication' }
/** Every user whose credential has the scope. */
export const anyUser = (scope: Scope): AccessPolicy => ({ kind: 'signed-in', scope })
/** Administrators whose credential has the scopes. */
export const adminOnly = (scope: Scope, secondScope?: Scope): AccessPolicy => ({
  kind: 'admin',
  scope,
  ...(secondScope === undefined ? {} : { secondScope }),
})
/** Administrators after a full sign-in; for operations that could widen a limited credential. */
export const fullySignedInAdmin = (scope: Scope): AccessPolicy => ({
  kind: 'admin',
  scope,
  fullSignIn: true,
})
/** The owner of the entity that the path names, and administrators. */
export const ownerOrAdmin = (definition: OwnedResource, scope: Scope): AccessPolicy => ({
  kind: 'owner-by-entity',
  scope,
  definition,
})
/** The owner of the entity that the path names, and administrators after a full sign-in. */
export const ownerOrFullySignedInAdmin = (
  definition: OwnedResource,
  scope: Scope,
): AccessPolicy => ({
  kind: 'owner-by-entity',
  scope,
  definition,
  fullSignInForOthers: true,
})

/** True if `actor` needs a full sign-in to use the operation on an entity of `ownerId`. */
export const needsFullSignIn = (
  access: AccessPolicy,
  actor: Actor,
  ownerId: number | null,
): boolean =>
  access.kind === 'admin'
    ? access.fullSignIn === true
    : access.kind === 'owner-by-entity' &&
      access.fullSignInForOthers === true &&
      (ownerId === null || ownerId !== actor.userId)

/** The scopes that a credential needs for an operation. */
export const requiredScopesOf = (access: RestrictedAccess): readonly Scope[] =>
  access.kind === 'admin' && access.secondScope !== undefined
    ? [access.scope, access.secondScope]
    : [access.scope]

/** True if `actor` may use the operation on an entity of `ownerId`. */
export function permits(access: AccessPolicy, actor: Actor, ownerId: number | null): boolean {
  if (access.kind === 'no-authentication' || access.kind === 'optional-authentication') return true
  if (actor.role === null || !requiredScopesOf(access).every((scope) => actor.scopes.has(scope))) {
    return false
  }
  if (needsFullSignIn(access, actor, ownerId) && !actor.isFullSignIn) return false
  if (actor.role === 'admin' || access.kind === 'signed-in') return true
  return access.kind !== 'admin' && ownerId !== null && ownerId === actor.userId
}

/** True if a link to the operation is shown: `actor` may use it, or any user may after signing in. */
export const showsLink = (access: AccessPolicy, actor: Actor, ownerId: number | null): boolean =>
  permits(access, actor, ownerId) || (actor.role === null && access.kind === 'signed-in')

/** The `Cache-Control` of successful responses (RFC 9111 section 5.2.2). */
export interface CachePolicy {
  /** For callers without credentials. */
  readonly anonymous: string
  /** For callers with credentials. */
  readonly authenticated: string
}

const revalidated = 'private, no-cache'

/** For public data: shared caches store it for 5 minutes; callers with credentials revalidate. */
export const publicCache: CachePolicy = {
  anonymous: 'public, max-age=60, s-maxage=300, stale-while-revalidate=30, stale-if-error=86400',
  authenticated: revalidated,
}
/** For data of one user: only the cache of the client stores it, and revalidates every time. */
export const privateCache: CachePolicy = { anonymous: revalidated, authenticated: revalidated }
/** For secrets and short-lived states: no cache stores it. */
export const noStore: CachePolicy = { anonymous: 'no-store', authenticated: 'no-store' }
/** How long documentation is fresh, in milliseconds. */
export const documentationMaxAgeMs = 300_000
/** For content that never changes at its URL: every cache stores it for a year. */
export const immutableCache: CachePolicy = {
  anonymous: 'public, max-age=31536000, immutable',
  authenticated: 'public, max-age=31536000, immutable',
}
const untilStale = `public, max-age=${documentationMaxAgeMs / 1000}, must-revalidate, proxy-revalidate`
/** For feeds that are long: every cache stores them for five minutes. */
export const feedCache: CachePolicy = {
  anonymous: 'public, max-age=300, stale-if-error=86400',
  authenticated: 'public, max-age=300, stale-if-error=86400',
}
/** For documentation: every cache stores it as long as it is fresh. */
export const documentationCache: CachePolicy = { anonymous: untilStale, authenticated: untilStale }

/**
 * The rate limit of an operation; over it, 429/4291 with `Retry-After`. Requests count per
 * operation and user, or per operation and network of an anonymous caller.
 *
 * - `default`: the configured limit.
 * - `uploads`: 10 requests per minute.
 * - `credentials`: the configured limit, and the login limit per pair of network and `loginName`.
 * - `problems`: only problem responses count, per network; no load shedding.
 * - `unlimited`: no limit, and no load shedding.
 */
export type RateLimitPolicy = 'default' | 'uploads' | 'credentials' | 'problems' | 'unlimited'
