import type { Allowance } from '#values/allowance.ts'
import type { Instant } from '#values/instant.ts'

/** What a counter says to a request. */
export interface LimitResult {
  readonly allowed: boolean
  /** How many more would be allowed now. */
  readonly remaining: number
  /** How long until the whole allowance is there again, if nothing more is spent. */
  readonly resetMs: number
  /** How long until a request that was refused would be allowed; 0 where it is. */
  readonly retryAfterMs: number
}

/** Counts what callers spend. */
export interface Counters {
  /**
   * Spends `cost` of an allowance, or nothing where that is too much; a negative cost gives back.
   * Never rejects.
   */
  readonly spend: (
    key: string,
    allowance: Allowance,
    cost: number,
    now: Instant,
  ) => LimitResult | Promise<LimitResult>
}

/** How requests are limited. */
export interface Limits {
  /** What a caller may do at most endpoints. */
  readonly usual: Allowance
  readonly counters: Counters
}
