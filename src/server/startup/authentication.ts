import { createKeyUses } from '#auth/api-keys/last-used.ts'
import { createNonces } from '#auth/digest/nonces.ts'
import { createDigestSecrets, type DigestSetting } from '#auth/digest/secrets.ts'
import { createCipher, createRequestHmac } from '#auth/encryption.ts'
import type { SecretKeys } from '#auth/keys.ts'
import { createKnownNetworks } from '#auth/known-networks.ts'
import { createAuthentication } from '#auth/mechanisms.ts'
import { createOauth } from '#auth/oauth/oauth.ts'
import { createTokenIssuer } from '#auth/tokens/access-tokens.ts'
import type { Store } from '#db/database.ts'
import { isUnavailable } from '#db/errors.ts'
import type { PipelineServices } from '#http/pipeline/step-order.ts'
import { createLoginThrottle } from '#http/rate-limit/login-throttle.ts'
import type { Passwords } from '#resources/dependencies.ts'
import type { Instant } from '#values/instant.ts'

interface AuthenticationDependencies extends Pick<PipelineServices, 'loginLimits' | 'load'> {
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
export function createAuthServices(dependencies: AuthenticationDependencies) {
  const { store, secretKeys, passwords, issuer, loginLimits: limits, load } = dependencies
  const tokens = createTokenIssuer(secretKeys, issuer)
  const cipher = { ...createCipher(secretKeys), ...createRequestHmac(secretKeys) }
  const knownNetworks = createKnownNetworks(store.db)
  const isKnownNetwork = knownNetworks.isKnown
  const loginThrottle = createLoginThrottle({ limits, load, isKnownNetwork })
  const keyUses = createKeyUses()
  const secrets = createDigestSecrets(secretKeys, dependencies.digest)
  const nonces = createNonces(secretKeys)
  const oauth = createOauth({
    ...dependencies,
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
    secrets,
  })
  const mechanisms = { tokens, cipher, authentication, oauth, digests: secrets }
  return { ...mechanisms, loginThrottle, keyUses, knownNetworks }
}
