import { type Authenticator, actorOf, realm } from '#auth/authentication.ts'
import { recordFailure } from '#auth/failed-sign-in.ts'
import { findKeyHolder, type KeyHolder } from '#auth/store.ts'
import type { CredentialLimits } from '#http/declare/caller.ts'
import type { CarryingRequest } from '#http/pipeline/guards/authentication.ts'
import type { LoginThrottle } from '#http/rate-limit/login-throttle.ts'
import { trustIn } from '#http/server/network/proxies.ts'
import type { Instant } from '#values/instant.ts'
import { type Problem, problem } from '#values/problem.ts'
import type { KeyUses } from './last-used.ts'
import { hashApiKey, isApiKey } from './secret.ts'

const scheme = 'api-key' as const
const everywhere = 'Or in a field api_key of the body, in JSON or XML.'

/**
 * API keys. Key and account are read on every request, in
 * one query, so that a revocation or a suspension holds at once. A key that is not taken is written
 * down as a failed sign-in, a few times a minute for each address that sends some.
 */
export const apiKey = (uses: KeyUses, loginThrottle: LoginThrottle): Authenticator => ({
  scheme,
  challenge: () => `Api-Key realm="${realm}"`,
  security: {
    'api-key': {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description: `A key that POST /api-keys answers with: \`Api-Key cw_…\`. ${everywhere}`,
    },
    'api-key-query': {
      type: 'apiKey',
      in: 'query',
      name: 'api_key',
      description: 'The same key, where a client can set no header; such answers are not stored.',
    },
  },
  identify: async (db, { text, request }, now) => {
    if (!isApiKey(text)) throw problem('4012', 'detail.bad_key')
    const holder = await findKeyHolder(db, hashApiKey(text))
    const refused = holder
      ? rejectionReason(holder, request, now)
      : problem('4012', 'detail.bad_key')
    if (!holder || refused) {
      const failure = { request, account: holder, scheme, keyId: holder?.key_id }
      if (await loginThrottle.isNotable(request.ip, now)) await recordFailure(db, failure, now)
      throw refused
    }
    const { key_id, scopes, last_used_at } = holder
    const authority = limitsOf(holder)
    const credential = { scheme, id: String(key_id), clientId: holder.parent_client_id, authority }
    const actor = actorOf(holder, credential, scopes.split(' '))
    uses.note({ id: key_id, usedAt: last_used_at }, now)
    return { actor }
  },
})

/** What a key may be used for: its own limits, and the time of the secret that was sent. */
function limitsOf(holder: KeyHolder): CredentialLimits {
  const { key_expires_at, secret_expires_at, allowed_addresses, allowed_origins } = holder
  const endsAt = Math.min(key_expires_at ?? Infinity, secret_expires_at ?? Infinity)
  return {
    expiresAt: endsAt === Infinity ? null : endsAt,
    addresses: allowed_addresses?.split(' ') ?? null,
    origins: allowed_origins?.split(' ') ?? null,
  }
}

/** Why a key that is known is not taken; undefined where it is. */
function rejectionReason(
  holder: KeyHolder,
  { ip, headers }: CarryingRequest,
  now: Instant,
): Problem | undefined {
  if (isWithdrawn(holder)) return problem('4012', 'detail.withdrawn_token')
  const { expiresAt, addresses, origins } = limitsOf(holder)
  if (expiresAt !== null && expiresAt <= now) return problem('4013', 'detail.expired_key')
  if (addresses !== null && !trustIn(addresses)(ip)) return problem('4031', 'detail.key_address')
  const origin = String(headers['origin'] ?? '')
  if (origins !== null && !origins.includes(origin)) {
    return problem('4031', 'detail.key_origin')
  }
  return undefined
}

/** True for a key made by an OAuth client whose registration or consent has ended since. */
const isWithdrawn = ({
  parent_client_id,
  parent_grant_hash,
  registered,
  granted,
}: KeyHolder): boolean =>
  (parent_client_id !== null && registered === null) ||
  (parent_grant_hash !== null && granted === null)
