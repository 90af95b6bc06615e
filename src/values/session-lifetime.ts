import { dayMs, type Instant } from './instant.ts'

/** How many days after it began a session or a grant of OAuth ends, however often it is prolonged. */
export const maxSessionDays = 90

const maxSessionMs = maxSessionDays * dayMs

/** Until when a session that began at `beganAt` can be used if it is prolonged now by `stepMs`. */
export const prolongedUntil = (beganAt: Instant, now: Instant, stepMs: number): Instant =>
  Math.min(now + stepMs, beganAt + maxSessionMs)
