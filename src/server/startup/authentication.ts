import type { PipelineServices } from '#http/pipeline/step-order.ts'
import { createHashBudget } from '#http/rate-limit/hash-budget.ts'
import { createLoginThrottle } from '#http/rate-limit/login-throttle.ts'
import { createKeyUses } from '#shop/access/api-keys/last-used.ts'
import { createNonces } from '#shop/access/digest/nonces.ts'
import { createDigestSecrets, type DigestSetting } from '#shop/access/digest/secrets.ts'
import { createKnownNetworks } from '#shop/access/known-networks.ts'
import { createAuthentication } from '#shop/access/mechanisms.ts'
import { createOauth } from '#shop/access/oauth/oauth.ts'
import { createTokenIssuer } from '#shop/access/tokens/access-tokens.ts'
import type { Passwords } from '#shop/accounts/passwords/hash.ts'
import { createCipher, createRequestHmac } from '#src/secrets/encryption.ts'
import type { SecretKeys } from '#src/secrets/keys.ts'
import type { Store } from '#store/database.ts'
import { isUnavailable } from '#store/errors.ts'
import type { Instant } from '#values/instant.ts'

interface AuthenticationParts extends Pick<PipelineServices, 'limits' | 'loginLimits' | 'load'> {
  readonly store: Store
  readonly secretKeys: SecretKeys
  readonly passwords: Passwords
  /** The offered Digest algorithms; all by default. */
  readonly digest?: DigestSetting | undefined
  /** The URL of this server, and the issuer (`iss`) of all its tokens. */
  readonly issuer: string
  /** The name of the shop, on every page. */
  readonly shopName: string
  /** Whether the console is a client of the OAuth server. */
  readonly hasConsole: boolean
  readonly clock: () => Instant
  /** Receives internal errors of the OAuth server. */
  readonly report: (error: unknown) => void
}

/** Creates every authentication mechanism with the secret keys of this server. */
export function createAuthServices(parts: AuthenticationParts) {
  const { store, secretKeys, passwords, issuer, loginLimits, load } = parts
  const tokens = createTokenIssuer(secretKeys, issuer)
  const cipher = { ...createCipher(secretKeys), ...createRequestHmac(secretKeys) }
  const knownNetworks = createKnownNetworks(store.db)
  const isKnownNetwork = knownNetworks.isKnown
  const loginThrottle = createLoginThrottle({ limits: loginLimits, load, isKnownNetwork })
  const keyUses = createKeyUses()
  const digests = createDigestSecrets(secretKeys, parts.digest)
  const nonces = createNonces(secretKeys)
  const oauth = createOauth({
    ...parts,
    db: store.db,
    cipher,
    loginThrottle,
    knownNetworks,
    isUnavailable,
  })
  const authentication = createAuthentication({
    tokens,
    oauth,
    passwords,
    loginThrottle,
    knownNetworks,
    keyUses,
    nonces,
    digests,
  })
  const mechanisms = { tokens, cipher, authentication, oauth, digests }
  const spendHash = createHashBudget(parts.limits)
  return { ...mechanisms, loginThrottle, spendHash, keyUses, knownNetworks }
}
