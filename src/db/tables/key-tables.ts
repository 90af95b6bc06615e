import type { Generated } from 'kysely'

/**
 * A row of `api_keys`; scopes, addresses and origins are written with spaces between, and where
 * one of the latter is null, there is no such limit.
 */
export interface ApiKeyRow {
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
  /** The API key that this one was made with; it is revoked together with it. */
  parent_id: number | null
  /** The OAuth client that this one was made with, and the hash of its grant; it ends with them. */
  parent_client_id: string | null
  parent_grant_hash: string | null
  revision: Generated<number>
  created_at: number
  updated_at: number
}

/** A row of `api_key_secrets`: the hash of a secret that an API key is, or was, known by. */
export interface ApiKeySecretRow {
  key_hash: string
  key_id: number
  expires_at: number | null
  created_at: number
}

/** A row of `digest_nonces`: how far a nonce has been counted; one that was never used has none. */
export interface DigestNonceRow {
  nonce: string
  count: number
  expires_at: number
}

/** A row of `known_networks`: a user has proven their password from this network. */
export interface KnownNetworkRow {
  user_id: number
  /** An address of IPv4, or the first half of one of IPv6. */
  network: string
  seen_at: number
}
