import type { Instant } from '#values/instant.ts'

/** The part of a pause that is random, so that what fails together is not tried again together. */
const jitter = 0.1

/** A failed attempt that may be tried again. */
interface Retry {
  /** The pause after each failed attempt; without one there is no further attempt. */
  readonly pausesMs: readonly number[]
  /** The number of attempts so far. */
  readonly attempts: number
  readonly now: Instant
}

/**
 * Returns when the next attempt is made, with the pause randomized by ±10 %; undefined after the
 * last one. `random` is from 0 to 1.
 */
export function retryTime({ pausesMs, attempts, now }: Retry, random: number): Instant | undefined {
  const pauseMs = pausesMs[attempts - 1]
  if (pauseMs === undefined) return undefined
  return now + Math.round(pauseMs * (1 - jitter + 2 * jitter * random))
}
