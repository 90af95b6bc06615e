import { createHmac, randomBytes } from 'node:crypto'
import { networkOf } from '#http/message/client-network.ts'
import type { Db } from '#store/database.ts'
import { type Instant, minuteMs } from '#values/instant.ts'
import { type PasswordCheckParts, type PasswordClaim, verifyPassword } from './verify.ts'

const rememberMs = 5 * minuteMs
const maxRemembered = 1000

/**
 * Creates a check for passwords that come with every request: true for the correct one; throws
 * 429/4291 after too many wrong ones. A correct password is not hashed again for five minutes. The
 * process remembers an HMAC of it under a random key; the HMAC covers the stored hash, so that a
 * change of the password invalidates it.
 */
export function createPasswordCheck(parts: PasswordCheckParts) {
  const { loginThrottle } = parts
  const key = randomBytes(32)
  const remembered = createExpiringSet()
  const inFlight = new Map<string, Promise<boolean>>()
  return async (db: Db, claim: PasswordClaim, password: string): Promise<boolean> => {
    const { name, account, auditActor } = claim
    const { at: now } = auditActor
    const address = auditActor.address ?? ''
    // By account, or each spelling of its name would be hashed anew.
    const who = account ? [account.id, account.password_hash] : name
    const text = JSON.stringify([networkOf(address), who, password])
    const hmac = createHmac('sha256', key).update(text).digest('base64')
    if (remembered.has(hmac, now)) {
      // Otherwise a remembered password would still be confirmed after too many wrong ones.
      await loginThrottle.require({ address, name, accountId: account?.id, now })
      return true
    }
    // Concurrent requests with the same password are one attempt.
    const started = inFlight.get(hmac)
    if (started) return started
    const verification = verifyPassword(db, parts, claim, password).finally(() =>
      inFlight.delete(hmac),
    )
    inFlight.set(hmac, verification)
    const isCorrect = await verification
    if (isCorrect) remembered.add(hmac, now)
    return isCorrect
  }
}

/** A set of up to `maxRemembered` texts, each of which expires after `rememberMs`. */
function createExpiringSet() {
  const addedAt = new Map<string, Instant>()
  return {
    has: (text: string, now: Instant): boolean => {
      const at = addedAt.get(text)
      return at !== undefined && at <= now && now < at + rememberMs
    },
    add: (text: string, now: Instant): void => {
      // A Map iterates in insertion order: the first key is the oldest.
      const [oldest] = addedAt.keys()
      if (addedAt.size >= maxRemembered && oldest !== undefined) addedAt.delete(oldest)
      addedAt.delete(text)
      addedAt.set(text, now)
    },
  }
}
