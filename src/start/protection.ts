import type { Protection } from '#kernel/pipeline.ts'
import type { Config } from '#src/config.ts'
import { algorithms } from '#src/limits/algorithms.ts'
import { watchEventLoop } from '#src/limits/event-loop.ts'
import { memoryCounters } from '#src/limits/memory-counters.ts'
import type { Diary } from '#src/limits/redis-counters.ts'
import type { Allowance } from '#values/allowance.ts'

/** What keeps callers from asking for too much, and what ends it. */
export interface OpenProtection extends Protection {
  readonly close: () => void
}

/** Opens the limits that are set, and watches the load of this process whatever is set. */
export async function openProtection(
  { rateLimit, loginLimit, rateLimitAlgorithm, redisUrl }: Config,
  diary: Diary,
): Promise<OpenProtection> {
  const load = watchEventLoop()
  if (rateLimit === 'off' && loginLimit === 'off') return { load, close: load.close }
  const algorithm = algorithms[rateLimitAlgorithm]
  // Its client is loaded only where it is used, and so is what else a start can do without.
  const redis =
    redisUrl === undefined
      ? undefined
      : await import('#src/limits/redis-counters.ts').then(({ redisCounters }) =>
          redisCounters(algorithm, { url: redisUrl, diary }),
        )
  // Guesses, of which some are counted for an hour, take no room from all other requests.
  const limitsOf = (usual: Allowance | 'off') =>
    usual === 'off' ? undefined : { usual, counters: redis ?? memoryCounters(algorithm) }
  const limits = limitsOf(rateLimit)
  const loginLimits = limitsOf(loginLimit)
  return {
    load,
    ...(limits ? { limits } : {}),
    ...(loginLimits ? { loginLimits } : {}),
    close: () => {
      load.close()
      redis?.close()
    },
  }
}
