import { hkdfSync } from 'node:crypto'

/** The purpose of a derived key. Each purpose has a key of its own. */
export type KeyPurpose =
  | 'digest-nonce'
  | 'digest-secret'
  | 'access-token'
  | 'access-token-name'
  | 'kept-answer'
  | 'request-mark'
  | 'oauth-cookie'
  | 'oauth-form'
  | 'webhook-secret'
  | 'account-token'

/**
 * The secrets of this server. The first one signs and encrypts; all of them verify and decrypt, so
 * that a secret can be replaced without downtime.
 */
export type SecretKeys = readonly [string, ...string[]]

/** Derives a key of 32 bytes for one purpose from a secret (HKDF with SHA-256, RFC 5869). */
export const deriveKey = (secretKey: string, purpose: KeyPurpose): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, 'cartwright', purpose, 32))

/** Derives the key of one purpose from each secret, in the order of the secrets. */
export function deriveKeys(
  [current, ...others]: SecretKeys,
  purpose: KeyPurpose,
): readonly [Buffer, ...Buffer[]] {
  return [deriveKey(current, purpose), ...others.map((secret) => deriveKey(secret, purpose))]
}
