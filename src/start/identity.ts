import { openTokens } from '#identity/access-tokens.ts'
import { openNonces } from '#identity/digest-nonces.ts'
import { openDigestSecrets } from '#identity/digest-secrets.ts'
import { openKeyUses } from '#identity/key-uses.ts'
import type { SecretKeys } from '#identity/keys.ts'
import { everyMechanism } from '#identity/mechanisms.ts'
import { openOauth } from '#identity/oauth/oauth.ts'
import { openMarker, openSealer } from '#identity/sealing.ts'
import { attemptsBy } from '#kernel/attempts.ts'
import type { Protection } from '#kernel/pipeline.ts'
import type { Passwords } from '#resources/parts.ts'
import type { Log } from '#src/operations/logging.ts'
import type { Store } from '#store/database.ts'
import { isUnavailable } from '#store/errors.ts'

/** What identities are opened with. */
interface IdentityGround extends Protection {
  readonly store: Store
  readonly secretKeys: SecretKeys
  readonly passwords: Passwords
  /** The address of this server, which is the name of the issuer of OAuth. */
  readonly issuer: string
  readonly log: Log
}

/** Opens every way to say who is calling, under the secret of this server. */
export function openIdentity(ground: IdentityGround) {
  const { store, secretKeys, passwords, issuer, log, limits, load } = ground
  const tokens = openTokens(secretKeys)
  const sealer = { ...openSealer(secretKeys), ...openMarker(secretKeys) }
  const attempts = attemptsBy(limits, load)
  const keyUses = openKeyUses()
  const secrets = openDigestSecrets(secretKeys)
  const nonces = openNonces(secretKeys)
  const oauth = openOauth({
    db: store.db,
    secretKeys,
    sealer,
    issuer,
    clock: Date.now,
    passwords,
    attempts,
    isUnavailable,
    report: (error) => log.error({ err: error }, 'OAuth failed'),
  })
  const authentication = everyMechanism({
    tokens,
    oauth,
    passwords,
    attempts,
    keyUses,
    nonces,
    secrets,
  })
  const { routes: foreign, rotateKeys } = oauth
  return { tokens, sealer, authentication, foreign, rotateKeys, keyUses, digests: secrets }
}
