import type { Protection } from '#http/pipeline/order.ts'
import { algorithms } from '#http/rate-limit/algorithms/algorithms.ts'
import { memoryCounters } from '#http/rate-limit/memory-counters.ts'
import type { Logger } from '#http/rate-limit/redis-counters.ts'
import { watchEventLoop } from '#http/server/event-loop.ts'
import type { Config } from '#src/config/config.ts'
import type { Allowance } from '#values/allowance.ts'

/** What keeps callers from asking for too much, and what ends it. */
export interface OpenProtection extends Protection {
  readonly close: () => void
}

/** Opens the limits that are set, and watches the load of this process whatever is set. */
export async function openProtection(
  { rateLimit, loginLimit, rateLimitAlgorithm, redisUrl }: Config,
  logger: Logger,
): Promise<OpenProtection> {
  const load = watchEventLoop()
  if (rateLimit === 'off' && loginLimit === 'off') return { load, close: load.close }
  const algorithm = algorithms[rateLimitAlgorithm]
  // Its client is loaded only where it is used, and so is what else a start can do without.
  const redis =
    redisUrl === undefined
      ? undefined
      : await import('#http/rate-limit/redis-counters.ts').then(({ redisCounters }) =>
          redisCounters(algorithm, { url: redisUrl, logger }),
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
