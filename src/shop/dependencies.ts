import type { LoginThrottle } from '#http/rate-limit/login-throttle.ts'
import type { FileDependencies } from '#src/files/scale.ts'
import type { createAccountTokens } from '#src/secrets/account-tokens.ts'
import type { createWebhookSecrets } from '#src/secrets/webhook-secrets.ts'
import type { createDigestSecrets } from './access/digest/secrets.ts'
import type { KnownNetworks } from './access/known-networks.ts'
import type { createTokenIssuer } from './access/tokens/access-tokens.ts'
import type { createPasswordHasher } from './accounts/passwords/hash.ts'
import type { WebhookUrlPolicy } from './messages/webhooks/delivery/sending/destinations.ts'
import type { SendWebhook } from './messages/webhooks/delivery/sending/send.ts'
import type { PaymentProvider } from './providers/provider.ts'

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
export type Passwords = ReturnType<typeof createPasswordHasher>

/** Issues the access and refresh tokens of a session. */
export type Tokens = ReturnType<typeof createTokenIssuer>

/** Creates the encrypted secrets of HTTP Digest (RFC 7616). */
export type DigestSecrets = Pick<ReturnType<typeof createDigestSecrets>, 'make' | 'isCurrent'>

/** Creates the tokens in mails. */
export type AccountTokens = ReturnType<typeof createAccountTokens>

/** What webhooks depend on. */
export interface WebhookDependencies {
  readonly destinations: WebhookUrlPolicy
  readonly send: SendWebhook
  readonly secrets: ReturnType<typeof createWebhookSecrets>
}

/** What resources depend on besides the database. */
export interface Dependencies {
  /** The name of the shop for people. */
  readonly shopName: string
  readonly shop: Shop
  readonly passwords: Passwords
  readonly loginThrottle: LoginThrottle
  readonly knownNetworks: Pick<KnownNetworks, 'recordNetwork'>
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
