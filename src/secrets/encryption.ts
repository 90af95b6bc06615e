import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { deriveKeys, type KeyPurpose, type SecretKeys } from './keys.ts'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts texts with AES-256-GCM, each bound to a name (the associated data). `decrypt` returns
 * undefined for another name, an unknown secret or a changed ciphertext.
 */
export function createCipher(secretKeys: SecretKeys, purpose: KeyPurpose = 'kept-answer') {
  const keys = deriveKeys(secretKeys, purpose)
  const [currentKey] = keys
  return {
    /** Encrypts a text under the first secret; Base64 of nonce, tag and ciphertext. */
    encrypt: (text: string, name: string): string => {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, currentKey, nonce).setAAD(Buffer.from(name))
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64')
    },
    decrypt: (ciphertext: string, name: string): string | undefined => {
      for (const key of keys) {
        const text = decryptWith(key, ciphertext, name)
        if (text !== undefined) return text
      }
      return undefined
    },
    /** True for a ciphertext under the first secret, which needs no re-encryption. */
    isCurrent: (ciphertext: string, name: string): boolean =>
      decryptWith(currentKey, ciphertext, name) !== undefined,
  }
}

/**
 * Computes HMAC-SHA-256 values of texts. Without the secret, nobody can find the text of a value by
 * trying candidates.
 */
export function createRequestHmac(secretKeys: SecretKeys) {
  const keys = deriveKeys(secretKeys, 'request-mark')
  const hmacOf = (key: Buffer, text: string): string =>
    createHmac('sha256', key).update(text).digest('base64url')
  return {
    /** The value of a text under the first secret, in Base64url. */
    hmac: (text: string): string => hmacOf(keys[0], text),
    /** True when `hmac` is the HMAC of the text under any of the secrets. */
    matchesHmac: (hmac: string, text: string): boolean => {
      const actual = Buffer.from(hmac)
      return keys.some((key) => {
        const expected = Buffer.from(hmacOf(key, text))
        return expected.length === actual.length && timingSafeEqual(expected, actual)
      })
    },
  }
}

function decryptWith(key: Buffer, ciphertext: string, name: string): string | undefined {
  const bytes = Buffer.from(ciphertext, 'base64')
  const tagEnd = nonceBytes + tagBytes
  if (bytes.length < tagEnd) return undefined
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes))
    .setAAD(Buffer.from(name))
    .setAuthTag(bytes.subarray(nonceBytes, tagEnd))
  try {
    return decipher.update(bytes.subarray(tagEnd), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}
