import type { CarryingRequest } from '#kernel/authentication.ts'
import { isConfidential, trustIn } from '#kernel/proxies.ts'
import { refusal } from '#values/refusal.ts'
import { hashApiKey, isApiKey } from './api-key-secrets.ts'
import { type Authenticator, actorOf, realm } from './authentication.ts'
import type { KeyUses } from './key-uses.ts'
import { findKeyHolder, type KeyHolder } from './store.ts'

const everywhere = 'Or in a field api_key of the body, in JSON or XML.'

/**
 * API keys, over HTTPS or from this machine alone. Key and account are read on every request, in
 * one query, so that a revocation or a suspension holds at once.
 */
export const apiKey = (uses: KeyUses): Authenticator => ({
  scheme: 'api-key',
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
    if (!isConfidential(request)) throw refusal('4031', 'detail.insecure')
    const holder = isApiKey(text) ? await findKeyHolder(db, hashApiKey(text)) : undefined
    if (!holder) throw refusal('4012', 'detail.bad_key')
    const { key_id, key_expires_at, secret_expires_at, scopes, last_used_at } = holder
    const endsAt = Math.min(key_expires_at ?? Infinity, secret_expires_at ?? Infinity)
    if (endsAt <= now) throw refusal('4013', 'detail.expired_key')
    const credential = { scheme: 'api-key', id: String(key_id), clientId: null }
    const actor = actorOf(holder, credential, scopes.split(' '))
    requireAllowed(holder, request)
    uses.note({ id: key_id, usedAt: last_used_at }, now)
    return { actor }
  },
})

function requireAllowed(
  { allowed_addresses, allowed_origins }: KeyHolder,
  { ip, headers }: CarryingRequest,
): void {
  if (allowed_addresses !== null && !trustIn(allowed_addresses.split(' '))(ip)) {
    throw refusal('4031', 'detail.key_address')
  }
  if (
    allowed_origins !== null &&
    !allowed_origins.split(' ').includes(String(headers['origin'] ?? ''))
  ) {
    throw refusal('4031', 'detail.key_origin')
  }
}
