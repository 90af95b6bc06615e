import type { CredentialLimits } from '#http/declare/actor.ts'
import type { CredentialRequest } from '#http/declare/authentication.ts'
import { compileAddressMatcher } from '#http/message/addresses.ts'
import type { LoginThrottle } from '#http/rate-limit/login-throttle.ts'
import { type Authenticator, realm, requireActor } from '#shop/access/authentication.ts'
import { recordRejectedKey } from '#shop/access/failed-sign-in.ts'
import { findKeyHolder, type KeyHolder } from '#shop/access/store.ts'
import { apiKeyScheme } from '#shop/key-id.ts'
import { hashSecret } from '#src/secrets/secrets.ts'
import { parseAllowance } from '#values/allowance.ts'
import type { Instant } from '#values/instant.ts'
import { type Problem, problem } from '#values/problem.ts'
import type { KeyUses } from './last-used.ts'
import { isApiKey } from './secret.ts'

/**
 * API keys. Every request reads the key and its account in one query, so that a revocation or a
 * suspension takes effect at once. A rejected key is recorded as a failed sign-in, a few times a
 * minute for each address.
 */
export const apiKey = (uses: KeyUses, loginThrottle: LoginThrottle): Authenticator => ({
  scheme: apiKeyScheme,
  challenge: () => `Api-Key realm="${realm}"`,
  security: {
    'api-key': {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description:
        'The key from POST /api-keys: `Api-Key cw_…`. Also accepted as field `api_key` of a body.',
    },
    'api-key-query': {
      type: 'apiKey',
      in: 'query',
      name: 'api_key',
      description:
        'The same key, for clients that cannot set a header. The response is not cached.',
    },
  },
  identify: async (db, { text, request }, now) => {
    if (!isApiKey(text)) throw problem('4012', 'detail.bad_key')
    const secretHash = hashSecret(text)
    const holder = await findKeyHolder(db, secretHash)
    const rejection = holder ? rejectionOf(holder, request, now) : problem('4012', 'detail.bad_key')
    if (!holder || rejection) {
      const failure = { request, account: holder, keyId: holder?.key_id }
      if (await loginThrottle.mayRecordFailure(request.ip, now))
        await recordRejectedKey(db, failure, now)
      throw rejection
    }
    const { key_id, scopes, last_used_at } = holder
    const authority = limitsOf(holder)
    const credential = {
      scheme: apiKeyScheme,
      id: String(key_id),
      clientId: holder.parent_client_id,
      secretHash,
      authority,
      rateLimit: rateLimitOf(holder),
    }
    const actor = requireActor(holder, credential, scopes.split(' '))
    uses.note({ id: key_id, usedAt: last_used_at }, now)
    return { actor }
  },
})

function rateLimitOf({ key_id, rate_limit, rate_limit_key_id }: KeyHolder) {
  const allowance = rate_limit === null ? undefined : parseAllowance(rate_limit)
  return allowance && { allowance, counter: `key ${rate_limit_key_id ?? key_id}` }
}

/** The limits of a key; it expires with itself or the sent secret, whichever is earlier. */
function limitsOf(holder: KeyHolder): CredentialLimits {
  const { key_expires_at, secret_expires_at, allowed_addresses, allowed_origins } = holder
  const expiresAt = Math.min(key_expires_at ?? Infinity, secret_expires_at ?? Infinity)
  return {
    expiresAt: expiresAt === Infinity ? null : expiresAt,
    addresses: allowed_addresses?.split(' ') ?? null,
    origins: allowed_origins?.split(' ') ?? null,
  }
}

/** Why a known key is not accepted; undefined when it is. */
function rejectionOf(
  holder: KeyHolder,
  { ip, headers }: CredentialRequest,
  now: Instant,
): Problem | undefined {
  if (holder.is_withdrawn) return problem('4012', 'detail.withdrawn_token')
  const { expiresAt, addresses, origins } = limitsOf(holder)
  if (expiresAt !== null && expiresAt <= now) return problem('4013', 'detail.expired_key')
  if (addresses !== null && !compileAddressMatcher(addresses)(ip))
    return problem('4031', 'detail.key_address')
  const origin = String(headers['origin'] ?? '')
  if (origins !== null && !origins.includes(origin)) return problem('4031', 'detail.key_origin')
  return undefined
}
