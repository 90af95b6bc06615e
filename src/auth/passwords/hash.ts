import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, type Options, verify } from '@node-rs/argon2'
import { openCommonPasswords } from './common-passwords.ts'
import { withLimitedConcurrency } from './limited-concurrency.ts'

/** How dear a guess is made; memory in KiB. */
export interface PasswordCost {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** The cost OWASP recommends for argon2id: 19 MiB, two passes, one lane. */
export const defaultCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// Argon2id; the library declares its algorithms as a const enum, which has no value at run time.
const argon2id = 2 as NonNullable<Options['algorithm']>

/** The threads of libuv, which verify access tokens as well. */
const poolThreads = 4

/**
 * Each takes a processor, a thread and 19 MiB: one processor and one thread are left to answer with,
 * and memory does not grow with the crowd.
 */
const maxConcurrency = Math.max(1, Math.min(availableParallelism(), poolThreads) - 1)

/** So many wait at most, a second or two; more are answered with 503, or nobody could sign in. */
const maxWaiting = 32 * maxConcurrency

/** Keeps passwords as argon2id hashes (RFC 9106), each with a salt of its own. */
export function openPasswords(cost: PasswordCost = defaultCost) {
  const options: Options = { ...cost, algorithm: argon2id }
  const inTurn = withLimitedConcurrency(maxConcurrency, maxWaiting)
  // Made beside the start, which does not wait for it.
  const decoy = inTurn(() => hash(randomBytes(16), options))
  decoy.catch(() => undefined)
  return {
    /** True for a widely used password, which nobody may set. */
    isCommon: openCommonPasswords(),
    /** The hash in PHC form; it names its own salt and cost. Throws 503/5031 where too many wait. */
    hash: (password: string): Promise<string> => inTurn(() => hash(password, options)),
    /** True for the password that was hashed; as slow where there is no hash. Throws as `hash` does. */
    matches: async (password: string, hashed: string | null): Promise<boolean> => {
      const against = hashed ?? (await decoy)
      return (await inTurn(() => verify(against, password))) && hashed !== null
    },
  }
}
