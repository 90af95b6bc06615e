import type { Allowance } from '#values/allowance.ts'
import type { Instant } from '#values/instant.ts'

/** The role of a user; a guest has no password and signs in nowhere. */
export type Role = 'customer' | 'guest' | 'admin'

/** The name of a scope, such as `orders:read`; the application defines which there are. */
export type Scope = string

/** The limits of a credential; a credential created with it cannot exceed them. */
export interface CredentialLimits {
  /** When the credential expires, in milliseconds since 1970; null for never. */
  readonly expiresAt: Instant | null
  /** The client addresses and networks (CIDR) it is accepted from; null for all. */
  readonly addresses: readonly string[] | null
  /** The origins of the web pages that may use it; null for all. */
  readonly origins: readonly string[] | null
}

/** The credential that a caller was authenticated by. */
export interface Credential {
  /** The scheme of `Authorization` in lower case, such as `bearer` or `api-key`. */
  readonly scheme: string
  /** The `jti` of a token or the ID of an API key; never a secret. */
  readonly id: string | null
  /** The OAuth client that acts for the user; null without one. */
  readonly clientId: string | null
  /** The session of an access token that this server issued. */
  readonly sessionId?: number
  /** The hash of the secret of the API key that was sent; undefined for another credential. */
  readonly secretHash?: string
  /** The hash of the OAuth grant that the token was issued for; null without one. */
  readonly grantHash?: string | null
  /**
   * `password` if the caller proved the password of the account, now or when the session began, or
   * is a guest, who has none; otherwise the limits of the credential.
   */
  readonly authority: 'password' | CredentialLimits
  /** When the password was proved; with each request by Basic and Digest, else when the session began. */
  readonly provedAt?: Instant
  /** The stored hash of the password that the request itself proves, by Basic or Digest. */
  readonly passwordHash?: string | null
  /** What replaces the rate limit of the user; undefined for most credentials. */
  readonly rateLimit?: CredentialRateLimit | undefined
}

/** The rate limit of a credential. */
export interface CredentialRateLimit {
  readonly allowance: Allowance | 'off'
  /** Identifies the counters, which credentials may share. */
  readonly counter: string
}

/** What a credential permits its holder to do. */
export interface Authority extends CredentialLimits {
  /** The user it acts as; null for an OAuth client that acts only for users who consent. */
  readonly userId: number | null
  readonly scopes: readonly Scope[]
}

/** The caller: anonymous, a user, or an OAuth client without a user. */
export interface Actor {
  /** Null for an anonymous caller and for a client without a user. */
  readonly userId: number | null
  /** Null where `userId` is null. */
  readonly role: Role | null
  /** The scopes of the credential. */
  readonly scopes: ReadonlySet<string>
  /** Null for an anonymous caller. */
  readonly credential: Credential | null
  /** True for a user who has confirmed an address, and for administrators. */
  readonly isConfirmed: boolean
  /** True for a user who proved the password of the account and has every scope of the role. */
  readonly isFullSignIn: boolean
  /**
   * The part of an ETag that differs between callers who get different links for the same entity.
   * Empty for anonymous callers and for customers with every scope, who get the same links.
   */
  readonly permissionTag: string
}

/** A caller without credentials. */
export const anonymous: Actor = {
  userId: null,
  role: null,
  scopes: new Set(),
  credential: null,
  isConfirmed: false,
  isFullSignIn: false,
  permissionTag: '',
}
