import { hkdfSync } from 'node:crypto'

/** What a derived key is for; two purposes never share one. */
export type KeyPurpose =
  | 'digest-nonce'
  | 'digest-secret'
  | 'access-token'
  | 'kept-answer'
  | 'oauth-cookie'
  | 'oauth-form'

/** Derives 32 bytes from the server's secret for one purpose (HKDF with SHA-256, RFC 5869). */
export const deriveKey = (secretKey: string, purpose: KeyPurpose): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, 'cartwright', purpose, 32))
