import { siteIn } from '#http/message/client-network.ts'
import type { Allowance } from '#values/allowance.ts'
import type { Instant } from '#values/instant.ts'
import { textHash } from '#values/text-hash.ts'
import type { Algorithm } from './algorithms/algorithm.ts'
import type { Counters, LimitResult } from './counters.ts'

/** Counters in the memory of this process. */
export interface MemoryCounters extends Counters {
  readonly spend: (key: string, allowance: Allowance, cost: number, now: Instant) => LimitResult
  /** The number of counters. */
  readonly size: () => number
}

const defaultCapacity = 100_000
/** The number of counters checked for expiry per new caller, in turn. */
const sweepSize = 4
const sweepSizeWhenFull = 64
const sharedCounters = 1024

/**
 * Creates counters for `capacity` callers. When all are in use, new callers of each limit share 1,024
 * further ones, all networks of an IPv6 site one of them: to evict a counter would let its caller reset a
 * limit by sending requests under many names.
 */
export function memoryCounters(
  algorithm: Algorithm<unknown>,
  capacity = defaultCapacity,
): MemoryCounters {
  const counters = new Map<string, { state: unknown; endsAt: Instant }>()
  let sweeper = counters.entries()
  const sweep = (now: Instant, count: number): void => {
    for (let checked = 0; checked < count; checked += 1) {
      const { value } = sweeper.next()
      if (!value) {
        sweeper = counters.entries()
        return
      }
      if (value[1].endsAt <= now) counters.delete(value[0])
    }
  }
  const counterFor = (key: string, allowance: Allowance, now: Instant): string => {
    sweep(now, counters.size < capacity ? sweepSize : sweepSizeWhenFull)
    return counters.size < capacity ? key : sharedKey(key, allowance)
  }
  return {
    size: () => counters.size,
    spend: (key, allowance, cost, now) => {
      const { limit, windowMs } = allowance
      const name = counters.has(key) ? key : counterFor(key, allowance, now)
      const counter = counters.get(name)
      const request = { limit, windowMs, nowMs: now, cost }
      const decision = algorithm.decide(counter?.state, request)
      const { state, resetMs } = decision
      if (resetMs <= 0) counters.delete(name)
      else if (counter) {
        counter.state = state
        counter.endsAt = now + resetMs
      } else counters.set(name, { state, endsAt: now + resetMs })
      return decision
    },
  }
}

/** The counter of a newcomer: of the same kind (the first word of the key) and limit, so of one unit. */
function sharedKey(key: string, { limit, fullLimit = limit, windowMs }: Allowance): string {
  const kind = /^[A-Za-z]+ /.exec(key)?.[0] ?? ''
  return `shared ${kind}${fullLimit} ${windowMs} ${textHash(siteIn(key) ?? key) % sharedCounters}`
}
