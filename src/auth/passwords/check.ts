import { createHmac, randomBytes } from 'node:crypto'
import type { LoginThrottle } from '#http/rate-limit/login-throttle.ts'
import { type Instant, minuteMs } from '#values/instant.ts'

const rememberedMs = 5 * minuteMs
const capacity = 1000

/** A password that is claimed: from where, by what name, and against which hash it has to stand. */
export interface Claim {
  readonly address: string
  readonly name: string
  readonly password: string
  /** Null where there is no such account, or none with a password. */
  readonly hash: string | null
  /** Writes down that it was wrong: once for each try that is counted. */
  readonly onWrong?: () => Promise<unknown>
}

/** What a check is made with. */
export interface PasswordCheckDependencies {
  readonly passwords: {
    /** Takes as long for an account without a password (null) as for one with. */
    readonly matches: (password: string, hash: string | null) => Promise<boolean>
  }
  readonly loginThrottle: LoginThrottle
}

/**
 * Opens a check for passwords that are sent with every request: true for the right one, refused with
 * 429 after too many wrong ones. One that was right is not hashed again for five minutes. What is
 * remembered of it is a MAC under a key that this process alone has; it covers the password's hash,
 * so that it stands for nothing once another password has taken its place, whoever put it there.
 */
export function openPasswordCheck({ passwords, loginThrottle }: PasswordCheckDependencies) {
  const key = randomBytes(32)
  const remembered = openMemory()
  const inFlight = new Map<string, Promise<boolean>>()
  const verify = async (claim: Claim, now: Instant) => {
    const { address, name, password, hash } = claim
    // Before, so that many who guess at once have no more tries than one after the other.
    return loginThrottle.check({ address, name, now }, async () => {
      const isRight = await passwords.matches(password, hash)
      if (!isRight) await claim.onWrong?.()
      return isRight
    })
  }
  return async (claim: Claim, now: Instant): Promise<boolean> => {
    const { address, name, password, hash } = claim
    const text = JSON.stringify([address, name, password, hash])
    const mark = createHmac('sha256', key).update(text).digest('base64')
    if (remembered.has(mark, now)) {
      // Or guessing would go on where hashing has been stopped.
      await loginThrottle.require({ address, name, now })
      return true
    }
    // A client that sends many requests at once has made one try.
    const started = inFlight.get(mark)
    if (started) return started
    const asked = verify(claim, now).finally(() => inFlight.delete(mark))
    inFlight.set(mark, asked)
    const isRight = await asked
    if (isRight) remembered.add(mark, now)
    return isRight
  }
}

/** Remembers so many texts for so long. */
function openMemory() {
  const since = new Map<string, Instant>()
  return {
    has: (text: string, now: Instant): boolean => {
      const at = since.get(text)
      return at !== undefined && at <= now && now < at + rememberedMs
    },
    add: (text: string, now: Instant): void => {
      // A map keeps the order of its entries: the oldest makes room.
      const [oldest] = since.keys()
      if (since.size >= capacity && oldest !== undefined) since.delete(oldest)
      since.delete(text)
      since.set(text, now)
    },
  }
}
