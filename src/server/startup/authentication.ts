import { openKeyUses } from '#auth/api-keys/last-used.ts'
import { openNonces } from '#auth/digest/nonces.ts'
import { type DigestSetting, openDigestSecrets } from '#auth/digest/secrets.ts'
import { openHmac, openSealer } from '#auth/encryption.ts'
import type { SecretKeys } from '#auth/keys.ts'
import { openKnownNetworks } from '#auth/known-networks.ts'
import { createAuthentication } from '#auth/mechanisms.ts'
import { openOauth } from '#auth/oauth/oauth.ts'
import { openTokens } from '#auth/tokens/access-tokens.ts'
import type { Store } from '#db/database.ts'
import { isUnavailable } from '#db/errors.ts'
import type { PipelineServices } from '#http/pipeline/step-order.ts'
import { openLoginThrottle } from '#http/rate-limit/login-throttle.ts'
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

/** Opens every authentication mechanism with the secret keys of this server. */
export function openAuthentication(dependencies: AuthenticationDependencies) {
  const { store, secretKeys, passwords, issuer, loginLimits: limits, load } = dependencies
  const tokens = openTokens(secretKeys, issuer)
  const sealer = { ...openSealer(secretKeys), ...openHmac(secretKeys) }
  const knownNetworks = openKnownNetworks(store.db)
  const isKnownNetwork = knownNetworks.isKnown
  const loginThrottle = openLoginThrottle({ limits, load, isKnownNetwork })
  const keyUses = openKeyUses()
  const secrets = openDigestSecrets(secretKeys, dependencies.digest)
  const nonces = openNonces(secretKeys)
  const oauth = openOauth({
    ...dependencies,
    db: store.db,
    sealer,
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
  const mechanisms = { tokens, sealer, authentication, oauth, digests: secrets }
  return { ...mechanisms, loginThrottle, keyUses, knownNetworks }
}
