import { openTokens } from '#identity/access-tokens.ts'
import { openNonces } from '#identity/digest-nonces.ts'
import { type DigestSetting, openDigestSecrets } from '#identity/digest-secrets.ts'
import { openKeyUses } from '#identity/key-uses.ts'
import type { SecretKeys } from '#identity/keys.ts'
import { openKnownNetworks } from '#identity/known-networks.ts'
import { everyMechanism } from '#identity/mechanisms.ts'
import { openOauth } from '#identity/oauth/oauth.ts'
import { openMarker, openSealer } from '#identity/sealing.ts'
import { attemptsBy } from '#kernel/attempts.ts'
import type { Protection } from '#kernel/pipeline.ts'
import type { Passwords } from '#resources/parts.ts'
import type { Store } from '#store/database.ts'
import { isUnavailable } from '#store/errors.ts'
import type { Instant } from '#values/instant.ts'

/** What identities are opened with. */
interface IdentityGround extends Pick<Protection, 'loginLimits' | 'load'> {
  readonly store: Store
  readonly secretKeys: SecretKeys
  readonly passwords: Passwords
  /** Which algorithms of Digest are offered; all by default. */
  readonly digest?: DigestSetting | undefined
  /** The address of this server, which is the name of the issuer of all its tokens. */
  readonly issuer: string
  readonly clock: () => Instant
  /** Hears of what went wrong in OAuth and is nobody's fault outside. */
  readonly report: (error: unknown) => void
}

/** Opens every way to say who is calling, under the secret of this server. */
export function openIdentity(ground: IdentityGround) {
  const { store, secretKeys, passwords, issuer, loginLimits: limits, load } = ground
  const tokens = openTokens(secretKeys, issuer)
  const sealer = { ...openSealer(secretKeys), ...openMarker(secretKeys) }
  const knownNetworks = openKnownNetworks(store.db)
  const isKnownNetwork = knownNetworks.isKnown
  const attempts = attemptsBy({ limits, load, isKnownNetwork })
  const keyUses = openKeyUses()
  const secrets = openDigestSecrets(secretKeys, ground.digest)
  const nonces = openNonces(secretKeys)
  const oauth = openOauth({
    ...ground,
    db: store.db,
    sealer,
    attempts,
    knownNetworks,
    isUnavailable,
  })
  const authentication = everyMechanism({
    tokens,
    oauth,
    passwords,
    attempts,
    knownNetworks,
    keyUses,
    nonces,
    secrets,
  })
  const doors = { tokens, sealer, authentication, oauth, digests: secrets }
  return { ...doors, attempts, keyUses, knownNetworks }
}
