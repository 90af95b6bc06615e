import { hourMs, type Instant, minuteMs, secondMs } from '#values/instant.ts'

/** How long to wait after each failed attempt, in milliseconds; two days in total. */
const delaysMs = [
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

/** The part of a delay by which it varies, so that mails do not come back all at once. */
const spread = 0.1

/**
 * Returns when a mail is tried again after this many failed attempts; undefined after the last one.
 * `random` is from 0 to 1.
 */
export function nextAttemptAt(attempts: number, now: Instant, random: number): Instant | undefined {
  const delayMs = delaysMs[attempts - 1]
  if (delayMs === undefined) return undefined
  return now + Math.round(delayMs * (1 - spread + 2 * spread * random))
}
