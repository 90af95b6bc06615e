import type { Allowance } from '#values/allowance.ts'
import type { Instant } from '#values/instant.ts'
import { textHash } from '#values/text-hash.ts'
import type { Algorithm } from './algorithms/algorithm.ts'
import type { Counters, LimitResult } from './counters.ts'

/** Counters that are kept in the memory of this process, and answer at once. */
export interface MemoryCounters extends Counters {
  readonly spend: (key: string, allowance: Allowance, cost: number, now: Instant) => LimitResult
  /** How many callers are remembered. */
  readonly size: () => number
}

const defaultCapacity = 100_000
/** How many of the oldest are looked at for each newcomer, so that who is done is forgotten. */
const sweptAtOnce = 4
const sweptWhenFull = 64
const crowds = 1024

/**
 * Keeps count of so many callers at once. When there is no room, nobody is forgotten for a
 * newcomer, who could then be anybody's means to be forgotten: newcomers share a few counters.
 */
export function memoryCounters(
  algorithm: Algorithm<unknown>,
  capacity = defaultCapacity,
): MemoryCounters {
  const counters = new Map<string, { state: unknown; endsAt: Instant }>()
  let sweeper = counters.entries()
  const sweep = (now: Instant, count: number): void => {
    for (let turn = 0; turn < count; turn += 1) {
      const { value } = sweeper.next()
      if (!value) {
        sweeper = counters.entries()
        return
      }
      if (value[1].endsAt <= now) counters.delete(value[0])
    }
  }
  const placeOf = (key: string, windowMs: number, now: Instant): string => {
    sweep(now, counters.size < capacity ? sweptAtOnce : sweptWhenFull)
    return counters.size < capacity ? key : `crowd ${windowMs} ${textHash(key) % crowds}`
  }
  return {
    size: () => counters.size,
    spend: (key, { limit, windowMs }, cost, now) => {
      const place = counters.has(key) ? key : placeOf(key, windowMs, now)
      const kept = counters.get(place)
      const ask = { limit, windowMs, nowMs: now, cost }
      const decision = algorithm.decide(kept?.state, ask)
      const { state, resetMs } = decision
      if (resetMs <= 0) counters.delete(place)
      else if (kept) {
        kept.state = state
        kept.endsAt = now + resetMs
      } else counters.set(place, { state, endsAt: now + resetMs })
      return decision
    },
  }
}
