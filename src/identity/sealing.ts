import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { deriveKey, type KeyPurpose } from './keys.ts'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts what is kept for its caller alone (AES-256-GCM), bound to the name it is kept under. What
 * was sealed with another secret, or for another name, or was changed since, opens as undefined.
 */
export function openSealer(secretKey: string, purpose: KeyPurpose = 'kept-answer') {
  const key = deriveKey(secretKey, purpose)
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
    },
  }
}
