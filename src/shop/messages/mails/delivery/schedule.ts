import { hourMs, minuteMs, secondMs } from '#values/instant.ts'

/** How long to wait after each failed attempt, in milliseconds; two days in total. */
export const retryPausesMs: readonly number[] = [
  30 * secondMs,
  ...[2, 5, 10, 20, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 4, 8, 12, 20].map((hours) => hours * hourMs),
]
