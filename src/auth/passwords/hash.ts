import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, type Options, verify } from '@node-rs/argon2'
import { withLimitedConcurrency } from '#values/limited-concurrency.ts'
import { openCommonPasswords } from './common-passwords.ts'

/** The cost of an argon2id hash (RFC 9106 3.1); `memoryCost` in KiB. */
export interface PasswordCost {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** The cost OWASP recommends for argon2id: 19 MiB, two passes, one lane. */
export const defaultCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// @node-rs/argon2 declares its algorithms as a const enum, which does not exist at run time.
const argon2id = 2 as NonNullable<Options['algorithm']>

/** The threads of libuv, which verify access tokens too. */
const poolThreads = 4

/** Leaves one processor and one thread free, and bounds the memory: a hash takes 19 MiB. */
const maxConcurrency = Math.max(1, Math.min(availableParallelism(), poolThreads) - 1)

/** Bounds the wait to a second or two; beyond it, sign-ins answer 503. */
const maxWaiting = 32 * maxConcurrency

/** Hashes and verifies passwords with argon2id (RFC 9106). */
export function openPasswords(cost: PasswordCost = defaultCost) {
  const options: Options = { ...cost, algorithm: argon2id }
  const runLimited = withLimitedConcurrency(maxConcurrency, maxWaiting)
  // The start of the server does not wait for it; `matches` throws its error.
  const decoy = runLimited(() => hash(randomBytes(16), options))
  decoy.catch(() => undefined)
  return {
    /** True for a common password, which may not be set. */
    isCommon: openCommonPasswords(),
    /** The hash in PHC string format, with salt and cost. Throws 503/5031 when too many wait. */
    hash: (password: string): Promise<string> => runLimited(() => hash(password, options)),
    /** True for the hashed password; null takes as long. Throws 503/5031 when too many wait. */
    matches: async (password: string, hashed: string | null): Promise<boolean> => {
      const expected = hashed ?? (await decoy)
      return (await runLimited(() => verify(expected, password))) && hashed !== null
    },
  }
}
