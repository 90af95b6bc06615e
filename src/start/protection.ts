import type { Protection } from '#kernel/pipeline.ts'
import type { Config } from '#src/config.ts'
import { algorithms } from '#src/limits/algorithms.ts'
import { watchEventLoop } from '#src/limits/event-loop.ts'
import { memoryCounters } from '#src/limits/memory-counters.ts'
import type { Diary } from '#src/limits/redis-counters.ts'

/** What keeps callers from asking for too much, and what ends it. */
export interface OpenProtection extends Protection {
  readonly close: () => void
}

/** Opens the rate limits that are set, and watches the load of this process whatever is set. */
export async function openProtection(
  { rateLimit, rateLimitAlgorithm, redisUrl }: Config,
  diary: Diary,
): Promise<OpenProtection> {
  const load = watchEventLoop()
  if (rateLimit === 'off') return { load, close: load.close }
  const algorithm = algorithms[rateLimitAlgorithm]
  if (redisUrl === undefined) {
    const counters = memoryCounters(algorithm)
    return { load, limits: { usual: rateLimit, counters }, close: load.close }
  }
  // Its client is loaded only where it is used, and so is what else a start can do without.
  const { redisCounters } = await import('#src/limits/redis-counters.ts')
  const counters = await redisCounters(algorithm, { url: redisUrl, diary })
  const close = () => {
    load.close()
    counters.close()
  }
  return { load, limits: { usual: rateLimit, counters }, close }
}
