import type { Generated } from 'kysely'

/**
 * The columns of `api_keys`. Scopes, addresses and origins are space-separated; null addresses or origins
 * mean no restriction.
 */
export interface ApiKeyTable {
  id: Generated<number>
  user_id: number
  name: string
  prefix: string
  scopes: string
  allowed_addresses: string | null
  allowed_origins: string | null
  expires_at: number | null
  last_used_at: number | null
  revoked_at: number | null
  /** The API key that created this one and whose revocation revokes it. */
  parent_id: number | null
  /** The OAuth client that created this key, and the hash of its grant; the key ends with either. */
  parent_client_id: string | null
  parent_grant_hash: string | null
  /** Replaces the default rate limit, such as `1000/60s` or `off`; null for the default. */
  rate_limit: string | null
  /** The key that this one was created with, directly or not, and whose rate limit it shares. */
  rate_limit_key_id: number | null
  revision: Generated<number>
  created_at: number
  updated_at: number
}

/** The columns of `api_key_secrets`: the hash of a current or former secret of an API key. */
export interface ApiKeySecretTable {
  key_hash: string
  key_id: number
  expires_at: number | null
  created_at: number
}

/** The columns of `digest_nonces`: the highest count used with a nonce; an unused nonce has no row. */
export interface DigestNonceTable {
  nonce: string
  count: number
  expires_at: number
}

/** The columns of `known_networks`: a network from which a user has signed in with their password. */
export interface KnownNetworkTable {
  user_id: number
  /** An IPv4 address, or the first 64 bits of an IPv6 address. */
  network: string
  seen_at: number
}
