import { retryTime } from '#shop/events/retry.ts'
import { hourMs, type Instant, minuteMs, secondMs } from '#values/instant.ts'

/** How long to wait after each failed attempt, in milliseconds; two days in total. */
const pausesMs = [
  30 * secondMs,
  2 * minuteMs,
  5 * minuteMs,
  10 * minuteMs,
  20 * minuteMs,
  30 * minuteMs,
  hourMs,
  2 * hourMs,
  4 * hourMs,
  8 * hourMs,
  12 * hourMs,
  20 * hourMs,
]

/**
 * Returns when a mail is tried again after this many failed attempts; undefined after the last one.
 * `random` is from 0 to 1.
 */
export const nextAttemptAt = (
  attempts: number,
  now: Instant,
  random: number,
): Instant | undefined => retryTime({ pausesMs, attempts, now }, random)
