import { hkdfSync } from 'node:crypto'

/** What a derived key is for; two purposes never share one. */
export type KeyPurpose =
  | 'digest-nonce'
  | 'digest-secret'
  | 'access-token'
  | 'access-token-name'
  | 'kept-answer'
  | 'request-mark'
  | 'oauth-cookie'
  | 'oauth-form'

/**
 * The secrets of this server: everything new is made under the first, and whatever was made under
 * one of the others is still read, so that one can take the place of another.
 */
export type SecretKeys = readonly [string, ...string[]]

/** Derives 32 bytes from a secret of the server for one purpose (HKDF with SHA-256, RFC 5869). */
export const deriveKey = (secretKey: string, purpose: KeyPurpose): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, 'cartwright', purpose, 32))

/** The same from each of its secrets, in their order. */
export function deriveKeys(
  [current, ...others]: SecretKeys,
  purpose: KeyPurpose,
): readonly [Buffer, ...Buffer[]] {
  return [deriveKey(current, purpose), ...others.map((secret) => deriveKey(secret, purpose))]
}
