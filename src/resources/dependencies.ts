import type { Role } from '#http/declare/actor.ts'
import type { LoginThrottle } from '#http/rate-limit/login-throttle.ts'
import type { WebhookUrlPolicy } from '#src/events/webhooks/sending/destinations.ts'
import type { SendWebhook } from '#src/events/webhooks/sending/send.ts'
import type { FileDependencies } from '#src/files/scale.ts'
import type { PaymentProvider } from '#src/payments/provider.ts'
import type { Instant } from '#values/instant.ts'

/** The shop's currency. */
export interface Currency {
  /** ISO 4217 code of the currency of every price. */
  readonly currency: string
  /** Decimal places of an amount in the currency. */
  readonly currencyDigits: number
}

/** What holds for all prices of the shop. */
export interface Shop extends Currency {
  readonly pricesIncludeTax: boolean
  /** The country of orders that are picked up or have no address (ISO 3166-1 alpha-2). */
  readonly country: string | null
}

/** Hashes and verifies passwords with argon2id. */
export interface Passwords {
  /** True for a widely used password, which must not be set. */
  readonly isCommon: (password: string) => Promise<boolean>
  readonly hash: (password: string) => Promise<string>
  /** Takes as long for an account without a password (null) as for one with. */
  readonly matches: (password: string, hash: string | null) => Promise<boolean>
}

/** Records the networks from which users signed in; failures from other networks do not block them. */
export interface KnownNetworks {
  readonly recordNetwork: (userId: number, address: string, now: Instant) => void
}

/** Issues the access and refresh tokens of a session. */
export interface Tokens {
  /** Returns a signed access token (RFC 7519) of a session. */
  readonly issueAccessToken: (
    user: {
      readonly id: number
      readonly name: string
      readonly role: Role
      readonly sessionId: number
    },
    now: Instant,
  ) => Promise<{ readonly token: string; readonly expiresInSeconds: number }>
  /** Returns a new refresh token and the hash that is stored instead of it. */
  readonly createRefreshToken: () => { readonly secret: string; readonly hash: string }
  readonly hashRefreshToken: (secret: string) => string
  /** True for an access token of this server, by its header. */
  readonly isOwn: (token: string) => boolean
  /** Returns the user and the session of an access token. Throws 401/4012 and 401/4013. */
  readonly verify: (
    token: string,
    now: Instant,
  ) => Promise<{ readonly userId: number; readonly sessionId: number }>
}

/** Creates the encrypted secrets of HTTP Digest (RFC 7616). */
export interface DigestSecrets {
  /** Returns the encrypted secret, or null when none is to be stored. */
  readonly make: (username: string, password: string) => string | null
  /** True when `ciphertext` is for the username, under the newest key and with the offered algorithms. */
  readonly isCurrent: (ciphertext: string | null, username: string) => boolean
}

/** Creates the tokens in mails. */
export interface AccountTokens {
  /** Returns the salt of a new token, and the hash that is stored instead of it. */
  readonly create: () => { readonly salt: string; readonly hash: string }
  /** Returns the token; undefined when its secret key is not known any more. */
  readonly tokenOf: (stored: { readonly salt: string; readonly hash: string }) => string | undefined
  readonly hash: (token: string) => string
}

/** What webhooks depend on. */
export interface WebhookDependencies {
  readonly destinations: WebhookUrlPolicy
  readonly send: SendWebhook
  readonly secrets: {
    /** Encrypts a secret, bound to its webhook. */
    readonly encrypt: (secret: string, webhookId: number) => string
    /** Undefined for what no configured key decrypts. */
    readonly decrypt: (ciphertext: string, webhookId: number) => string | undefined
  }
}

/** What resources depend on besides the database. */
export interface Dependencies {
  /** The name of the shop for people. */
  readonly shopName: string
  readonly shop: Shop
  readonly passwords: Passwords
  readonly loginThrottle: LoginThrottle
  readonly knownNetworks: KnownNetworks
  readonly tokens: Tokens
  readonly accountTokens: AccountTokens
  readonly digests: DigestSecrets
  readonly provider: PaymentProvider
  readonly webhooks: WebhookDependencies
  readonly files: FileDependencies
  /** The public URL of this server, which is the OAuth issuer identifier (RFC 8414). */
  readonly issuer: string
  /** The URL to which the payment provider sends its notifications. */
  readonly callbackUrl: string
  /** Days during which the erasure of a user can be withdrawn; 7 by default. */
  readonly eraseGraceDays?: number
}
