import { dayMs, type Instant } from './instant.ts'

/** The maximum lifetime of a session and of an OAuth grant in days, including extensions. */
export const maxSessionDays = 90

const maxSessionMs = maxSessionDays * dayMs

/** The expiry of a session that is extended by `extensionMs` from `now`, up to its maximum lifetime. */
export const extendedExpiry = (startedAt: Instant, now: Instant, extensionMs: number): Instant =>
  Math.min(now + extensionMs, startedAt + maxSessionMs)
