import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { deriveKeys, type SecretKeys } from '#src/secrets/keys.ts'
import { type Instant, minuteMs } from '#values/instant.ts'

const lifetimeMs = 5 * minuteMs
const timestampBytes = 8
const bodyBytes = 24
const tagBytes = 16

/** The age of a nonce of this server. */
export interface NonceAge {
  readonly isFresh: boolean
  /** True in the second half of its lifetime. */
  readonly isAging: boolean
  readonly expiresAt: Instant
}

const tagOf = (key: Buffer, body: Buffer): Buffer =>
  createHmac('sha256', key).update(body).digest().subarray(0, tagBytes)

/**
 * Creates and verifies nonces that are valid for five minutes. A nonce carries its creation time
 * and an HMAC: every process with the same secrets verifies it, and none stores it.
 */
export function createNonces(secretKeys: SecretKeys) {
  const keys = deriveKeys(secretKeys, 'digest-nonce')
  const opaques = keys.map((key) =>
    createHmac('sha256', key).update('opaque').digest('base64url').slice(0, 22),
  )
  const [opaque = ''] = opaques
  return {
    /** The `opaque` parameter of every challenge (RFC 7616 3.3). */
    opaque,
    isOpaque: (text: string): boolean => opaques.includes(text),
    create: (now: Instant): string => {
      const body = randomBytes(bodyBytes)
      body.writeBigUInt64BE(BigInt(now))
      return Buffer.concat([body, tagOf(keys[0], body)]).toString('base64url')
    },
    /** Undefined for a nonce that this server did not create. */
    verify: (nonce: string, now: Instant): NonceAge | undefined => {
      const bytes = Buffer.from(nonce, 'base64url')
      const body = bytes.subarray(0, bodyBytes)
      const tag = bytes.subarray(bodyBytes)
      // Accepts only the canonical encoding, since the uses of a nonce are counted by its text.
      if (tag.length !== tagBytes || bytes.toString('base64url') !== nonce) return undefined
      if (!keys.some((key) => timingSafeEqual(tag, tagOf(key, body)))) return undefined
      const createdAt = Number(body.subarray(0, timestampBytes).readBigUInt64BE())
      const expiresAt = createdAt + lifetimeMs
      // The clock of the process that created it may be ahead.
      const isFresh = now < expiresAt && createdAt <= now + minuteMs
      return { isFresh, isAging: now - createdAt > lifetimeMs / 2, expiresAt }
    },
  }
}
