import { retryTime } from '#store/due.ts'
import { hourMs, type Instant, minuteMs, secondMs } from '#values/instant.ts'

/** The pauses after the first, second … failed attempt; after the last one there is no further attempt. */
const pausesMs: readonly number[] = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
]

const [minRetryAfterMs, maxRetryAfterMs] = [secondMs, 24 * hourMs]
/** After more attempts, an endpoint cannot ask for the next one earlier than the schedule has it. */
const maxEarlyAttempts = 3

/** A failed attempt. */
export interface FailedAttempt {
  /** The number of attempts so far, this one included. */
  readonly attempts: number
  readonly endedAt: Instant
  /** When the endpoint asks for the next attempt; undefined if it does not. */
  readonly retryAt?: Instant | undefined
}

/**
 * Returns when a delivery is attempted again, or undefined after the last attempt. The pause is
 * randomized by ±10 %. The time that the endpoint asks for takes precedence, up to a day ahead; an
 * earlier one than that of the schedule only after the first three attempts, since otherwise an
 * endpoint that asks for a second would use up all attempts within seconds. `random` returns a
 * number from 0 to 1.
 */
export function nextAttemptAt(
  { attempts, endedAt, retryAt }: FailedAttempt,
  random: () => number,
): Instant | undefined {
  const scheduledAt = retryTime({ pausesMs, attempts, now: endedAt }, random())
  if (scheduledAt === undefined || retryAt === undefined) return scheduledAt
  const minPauseMs = attempts <= maxEarlyAttempts ? minRetryAfterMs : scheduledAt - endedAt
  return Math.max(endedAt + minPauseMs, Math.min(retryAt, endedAt + maxRetryAfterMs))
}

/**
 * Parses `Retry-After`: seconds or an HTTP date (RFC 9110 section 10.2.3). Undefined for anything
 * else.
 */
export function parseRetryAfter(text: string | undefined, now: Instant): Instant | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return now + Number(text) * secondMs
  // Date.parse accepts many other forms.
  if (!/^[A-Z][a-z]{2,8},? .*GMT$/.test(text)) return undefined
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : date
}
