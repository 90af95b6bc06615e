import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { deriveKeys, type SecretKeys } from '#auth/keys.ts'
import { type Instant, minuteMs } from '#values/instant.ts'

const lifetimeMs = 5 * minuteMs
const stampBytes = 8
const bodyBytes = 24
const tagBytes = 16

/** What a nonce of this server says of itself. */
export interface ReadNonce {
  readonly isFresh: boolean
  /** True in the second half of its life. */
  readonly isOld: boolean
  readonly expiresAt: Instant
}

const tagOf = (key: Buffer, body: Buffer): Buffer =>
  createHmac('sha256', key).update(body).digest().subarray(0, tagBytes)

/**
 * Makes nonces that are good for five minutes, and tells them from any other: what is signed need
 * not be kept, and every process under the same secrets knows it.
 */
export function openNonces(secretKeys: SecretKeys) {
  const keys = deriveKeys(secretKeys, 'digest-nonce')
  const opaques = keys.map((key) =>
    createHmac('sha256', key).update('opaque').digest('base64url').slice(0, 22),
  )
  const [opaque = ''] = opaques
  return {
    /** What goes with every nonce, and is sent back with it. */
    opaque,
    isOpaque: (text: string): boolean => opaques.includes(text),
    make: (now: Instant): string => {
      const body = randomBytes(bodyBytes)
      body.writeBigUInt64BE(BigInt(now))
      return Buffer.concat([body, tagOf(keys[0], body)]).toString('base64url')
    },
    /** Undefined for a nonce that this server has not made. */
    read: (nonce: string, now: Instant): ReadNonce | undefined => {
      const bytes = Buffer.from(nonce, 'base64url')
      const body = bytes.subarray(0, bodyBytes)
      const tag = bytes.subarray(bodyBytes)
      // Written in one way alone: what has been counted is known by its text.
      if (tag.length !== tagBytes || bytes.toString('base64url') !== nonce) return undefined
      if (!keys.some((key) => timingSafeEqual(tag, tagOf(key, body)))) return undefined
      const madeAt = Number(body.subarray(0, stampBytes).readBigUInt64BE())
      const expiresAt = madeAt + lifetimeMs
      // Made by a process whose clock is a little ahead, perhaps.
      const isFresh = now < expiresAt && madeAt <= now + minuteMs
      return { isFresh, isOld: now - madeAt > lifetimeMs / 2, expiresAt }
    },
  }
}
