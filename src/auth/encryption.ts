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
 * Encrypts what is kept for its caller alone (AES-256-GCM), bound to the name it is kept under. What
 * was sealed with none of the secrets, or for another name, or was changed since, opens as undefined.
 */
export function openSealer(secretKeys: SecretKeys, purpose: KeyPurpose = 'kept-answer') {
  const keys = deriveKeys(secretKeys, purpose)
  const [key] = keys
  return {
    /** Encrypts a text. */
    seal: (text: string, name: string): string => {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(name))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
    },
    /** Decrypts it again. */
    open: (sealed: string, name: string): string | undefined => {
      for (const each of keys) {
        const text = openWith(each, sealed, name)
        if (text !== undefined) return text
      }
      return undefined
    },
    /** True for what opens under the first secret, so that it outlives all others. */
    isLasting: (sealed: string, name: string): boolean => openWith(key, sealed, name) !== undefined,
  }
}

/**
 * Marks texts (HMAC with SHA-256), so that who reads a mark and does not have the secret cannot try
 * out what it was made of.
 */
export function openMarker(secretKeys: SecretKeys) {
  const keys = deriveKeys(secretKeys, 'request-mark')
  const markBy = (key: Buffer, text: string): string =>
    createHmac('sha256', key).update(text).digest('base64url')
  return {
    mark: (text: string): string => markBy(keys[0], text),
    /** True for a mark that was made of this text, under any of the secrets. */
    isMarkOf: (mark: string, text: string): boolean => {
      const sent = Buffer.from(mark)
      return keys.some((key) => {
        const due = Buffer.from(markBy(key, text))
        return due.length === sent.length && timingSafeEqual(due, sent)
      })
    },
  }
}

function openWith(key: Buffer, sealed: string, name: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64')
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
