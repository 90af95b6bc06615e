import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { withLimitedConcurrency } from '#values/limited-concurrency.ts'
import { waitElsewhere } from '#values/request-place.ts'
import { isArgon2Hash, nativeArgon2, nodeArgon2, type PasswordCost } from './argon2.ts'
import { createCommonPasswordCheck } from './common-passwords.ts'

/** The cost OWASP recommends for argon2id: 19 MiB, two passes, one lane. */
export const defaultCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The threads of libuv, which verify access tokens too. */
const poolThreads = 4

/** Leaves one processor and one thread free, and bounds the memory: a hash takes 19 MiB. */
const maxConcurrency = Math.max(1, Math.min(availableParallelism(), poolThreads) - 1)

/** Bounds the wait to a few seconds; networks take turns, so that one alone waits less. */
const maxWaiting = 128 * maxConcurrency

/** The share of the queue that one network may hold, so that it does not keep others waiting. */
const maxWaitingOfNetwork = maxWaiting / 4

/** The form in which passwords are compared, whatever the keyboard made of them (RFC 8265 section 4.2.1). */
const comparable = (password: string): string => password.normalize('NFKC')

/** Hashes and verifies passwords. */
export type Passwords = ReturnType<typeof createPasswordHasher>

/** Hashes and verifies passwords with argon2id (RFC 9106). */
export function createPasswordHasher(
  cost: PasswordCost = defaultCost,
  { hash, verify } = nativeArgon2 ?? nodeArgon2,
) {
  const runInTurn = withLimitedConcurrency(maxConcurrency, maxWaiting, maxWaitingOfNetwork)
  const runLimited = <T>(work: () => Promise<T>, network?: string): Promise<T> =>
    waitElsewhere(() => runInTurn(work, network))
  // The start of the server does not wait for it; `matches` throws its error.
  const decoy = runLimited(() => hash(randomBytes(16), cost))
  decoy.catch(() => undefined)
  return {
    /** True for a common password, which may not be set. */
    isCommon: createCommonPasswordCheck(),
    /**
     * The hash in PHC string format, with salt and cost. Throws 503/5031 when too many wait, or too
     * many of the network that asks.
     */
    hash: (password: string, network?: string): Promise<string> =>
      runLimited(() => hash(comparable(password), cost), network),
    /**
     * True for the hashed password; null and what is no hash take as long. Throws 503/5031 as
     * `hash` does.
     */
    matches: async (
      password: string,
      hashed: string | null,
      network?: string,
    ): Promise<boolean> => {
      const isHash = hashed !== null && isArgon2Hash(hashed)
      const expected = isHash ? hashed : await decoy
      const isRight = async (text: string) =>
        (await runLimited(() => verify(expected, text), network)) && isHash
      const text = comparable(password)
      if (await isRight(text)) return true
      // A hash of a password as it was typed, made before passwords were compared in one form.
      return text !== password && (await isRight(password))
    },
  }
}

/** Logs at a start that hashing is slow. */
export function warnOfSlowHashes(log: { readonly warn: (message: string) => void }): void {
  if (nativeArgon2) return
  log.warn('passwords are hashed slowly: the native binary of @node-rs/argon2 is not installed')
}
