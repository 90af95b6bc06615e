import type { PipelineServices } from '#http/pipeline/step-order.ts'
import { algorithms } from '#http/rate-limit/algorithms/algorithms.ts'
import { memoryCounters } from '#http/rate-limit/memory-counters.ts'
import type { Logger } from '#http/rate-limit/redis-counters.ts'
import { watchEventLoop } from '#http/server/event-loop.ts'
import type { Config } from '#src/config/config.ts'
import type { Allowance } from '#values/allowance.ts'

/** The rate limits and the load measurement of a process. */
export interface Protection extends PipelineServices {
  readonly close: () => void
}

/** Creates the configured rate limits and starts to measure the load of this process. */
export async function createProtection(
  { rateLimit, loginLimit, rateLimitAlgorithm, redisUrl }: Config,
  logger: Logger,
): Promise<Protection> {
  const load = watchEventLoop()
  if (rateLimit === 'off' && loginLimit === 'off') return { load, close: load.close }
  const algorithm = algorithms[rateLimitAlgorithm]
  // The Redis client is loaded only when it is used.
  const redis =
    redisUrl === undefined
      ? undefined
      : await import('#http/rate-limit/redis-counters.ts').then(({ redisCounters }) =>
          redisCounters(algorithm, { url: redisUrl, logger }),
        )
  // In memory, sign-ins have counters of their own, so that other requests cannot evict them.
  const createLimits = (defaultAllowance: Allowance | 'off') =>
    defaultAllowance === 'off'
      ? undefined
      : { defaultAllowance, counters: redis ?? memoryCounters(algorithm) }
  const limits = createLimits(rateLimit)
  const loginLimits = createLimits(loginLimit)
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
