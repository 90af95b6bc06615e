import type { LoginThrottle } from '#http/rate-limit/login-throttle.ts'
import type { PaymentProvider } from '#src/payments/provider.ts'
import type { Instant } from '#values/instant.ts'

/** What the shop is, as far as its rules need to know. */
export interface Shop {
  /** ISO 4217 code of the one currency everything is priced in. */
  readonly currency: string
  readonly currencyDigits: number
}

/** Keeps passwords as argon2id hashes. */
export interface Passwords {
  /** True for a widely used password, which nobody may set. */
  readonly isCommon: (password: string) => Promise<boolean>
  readonly hash: (password: string) => Promise<string>
  /** Takes as long for an account without a password (null) as for one with. */
  readonly matches: (password: string, hash: string | null) => Promise<boolean>
}

/** From which networks users have proven their password: guesses from elsewhere do not stop them. */
export interface KnownNetworks {
  readonly note: (userId: number, address: string, now: Instant) => void
}

/** Issues the tokens a signed-in user calls with. */
export interface Tokens {
  /** A signed access token (RFC 7519) of a session, and its lifetime in seconds. */
  readonly issueAccess: (
    user: {
      readonly id: number
      readonly name: string
      readonly role: 'customer' | 'admin'
      readonly sessionId: number
    },
    now: Instant,
  ) => Promise<{ readonly token: string; readonly expiresInSeconds: number }>
  /** A new secret refresh token, and the hash under which it is kept. */
  readonly makeRefresh: () => { readonly secret: string; readonly hash: string }
  readonly hashRefresh: (secret: string) => string
}

/** Makes what Digest holds passwords to, encrypted. */
export interface Digests {
  /** Null where nothing is to be kept. */
  readonly make: (username: string, password: string) => string | null
  /** True for what a user of this name can use, and will be able to under the newest secret alone. */
  readonly isLasting: (sealed: string | null, username: string) => boolean
}

/** Makes the secrets of API keys. */
export interface ApiKeys {
  /** A new key, the hash under which it is kept, and what of it may be shown again. */
  readonly make: () => { readonly key: string; readonly hash: string; readonly prefix: string }
}

/** What resources need beside the database. */
export interface Dependencies {
  readonly shop: Shop
  readonly passwords: Passwords
  /** Limits how often passwords may be guessed. */
  readonly loginThrottle: LoginThrottle
  /** Is told from where users have proven their password. */
  readonly knownNetworks: KnownNetworks
  readonly tokens: Tokens
  readonly apiKeys: ApiKeys
  readonly digests: Digests
  readonly provider: PaymentProvider
  /** The address of this server, which is the name of the issuer of OAuth. */
  readonly issuer: string
  /** Where the provider sends its notifications. */
  readonly callbackUrl: string
  /** How many days the erasure of a user can be withdrawn; a week by default. */
  readonly eraseGraceDays?: number
}
