import { createHmac, randomBytes } from 'node:crypto'
import type { LoginThrottle } from '#http/rate-limit/login-throttle.ts'
import { type Instant, minuteMs } from '#values/instant.ts'

const rememberMs = 5 * minuteMs
const maxRemembered = 1000

/** A password to verify: where it comes from, for which name, and the hash it must match. */
export interface PasswordAttempt {
  readonly address: string
  readonly name: string
  readonly password: string
  /** Null for an unknown account and for an account without a password. */
  readonly hash: string | null
  /** Called for a wrong password, once per attempt that the login throttle counts. */
  readonly onWrong?: () => Promise<unknown>
}

/** What the password check depends on. */
export interface PasswordCheckParts {
  readonly passwords: {
    /** Takes equally long when the hash is null. */
    readonly matches: (password: string, hash: string | null) => Promise<boolean>
  }
  readonly loginThrottle: LoginThrottle
}

/**
 * Creates a check for passwords that come with every request: true for the correct one; throws
 * 429/4291 after too many wrong ones. A correct password is not hashed again for five minutes. The
 * process remembers an HMAC of it under a random key; the HMAC covers the stored hash, so that a
 * change of the password invalidates it.
 */
export function createPasswordCheck({ passwords, loginThrottle }: PasswordCheckParts) {
  const key = randomBytes(32)
  const remembered = createExpiringSet()
  const inFlight = new Map<string, Promise<boolean>>()
  const verify = ({ address, name, password, hash, onWrong }: PasswordAttempt, now: Instant) =>
    loginThrottle.check({ address, name, now }, async () => {
      const isCorrect = await passwords.matches(password, hash)
      if (!isCorrect) await onWrong?.()
      return isCorrect
    })
  return async (attempt: PasswordAttempt, now: Instant): Promise<boolean> => {
    const { address, name, password, hash } = attempt
    const text = JSON.stringify([address, name, password, hash])
    const hmac = createHmac('sha256', key).update(text).digest('base64')
    if (remembered.has(hmac, now)) {
      // Otherwise a remembered password would still be confirmed after too many wrong ones.
      await loginThrottle.require({ address, name, now })
      return true
    }
    // Concurrent requests with the same password are one attempt.
    const started = inFlight.get(hmac)
    if (started) return started
    const verification = verify(attempt, now).finally(() => inFlight.delete(hmac))
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
