import type { Guard } from '#http/pipeline/exchange.ts'
import { unavailable } from '#values/problem.ts'

/** How the process bears what is asked of it. Read for every request, so it must cost nothing. */
export interface Load {
  /** What is left of every rate limit, from 1 at ease down to a small part. */
  readonly share: () => number
  /** True when what is asked can no longer be answered in good time. */
  readonly isOverloaded: () => boolean
}

const retryAfterSeconds = 2

/** Refuses with 503 while there is too much to do. */
export function requireCapacity(load: Load): void {
  if (load.isOverloaded()) throw unavailable('detail.overloaded', retryAfterSeconds)
}

/**
 * Sheds requests while there is too much to do, before anything is done for them; what has no
 * limit, such as the health of the process, is answered all the same.
 */
export const overloadGuard = (load: Load): Guard => ({
  name: 'overload',
  prepare({ rate }) {
    if (rate === 'unlimited' || rate === 'problems') return undefined
    return {
      fragment: { problems: ['5031'], problemHeaders: { 503: ['Retry-After'] } },
      check: () => requireCapacity(load),
    }
  },
})
