import type { PipelineServices } from '#http/pipeline/step-order.ts'
import { algorithms } from '#http/rate-limit/algorithms/algorithms.ts'
import { memoryCounters } from '#http/rate-limit/memory-counters.ts'
import { createNetworkWork, type NetworkWork } from '#http/rate-limit/network-work.ts'
import type { Load } from '#http/rate-limit/overload.ts'
import type { Logger } from '#http/rate-limit/redis-counters.ts'
import { withSiteCounters } from '#http/rate-limit/site-counters.ts'
import { watchEventLoop } from '#http/server/event-loop.ts'
import type { Config } from '#src/config/config.ts'
import type { ListReader } from '#store/list-reader.ts'
import type { Allowance } from '#values/allowance.ts'

/** The rate limits and the load measurement of a process. */
export interface Protection extends PipelineServices {
  readonly close: () => void
}

/** Creates the configured rate limits and starts to measure the load of this process. */
export async function createProtection(
  { rateLimit, loginLimit, rateLimitAlgorithm, redisUrl }: Config,
  logger: Logger,
  listReader?: ListReader,
): Promise<Protection> {
  const loop = watchEventLoop()
  if (rateLimit === 'off' && loginLimit === 'off') {
    const work = createNetworkWork(undefined, listReader?.busyMs)
    return { work, load: loadOf(loop, work), close: loop.close }
  }
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
      : { defaultAllowance, counters: withSiteCounters(redis ?? memoryCounters(algorithm)) }
  const limits = createLimits(rateLimit)
  const loginLimits = createLimits(loginLimit)
  const work = createNetworkWork(limits, listReader?.busyMs)
  return {
    work,
    load: loadOf(loop, work),
    ...(limits ? { limits } : {}),
    ...(loginLimits ? { loginLimits } : {}),
    close: () => {
      loop.close()
      redis?.close()
    },
  }
}

/** Overload costs those who cause it: networks whose recent work is below the average are served. */
const loadOf = (
  loop: Pick<ReturnType<typeof watchEventLoop>, 'share' | 'isOverloaded'>,
  { isHeaviest }: NetworkWork,
): Load => ({
  share: (network) => (loop.share() < 1 && isHeaviest(network) ? loop.share() : 1),
  isOverloaded: (network) => loop.isOverloaded() && isHeaviest(network),
})
