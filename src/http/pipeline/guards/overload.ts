import type { Gate } from '#http/pipeline/exchange.ts'
import { unavailable } from '#values/problem.ts'

/** How the process bears what is asked of it. Read for every request, so it must cost nothing. */
export interface Load {
  /** What is left of every rate limit, from 1 at ease down to a small part. */
  readonly share: () => number
  /** True when what is asked can no longer be answered in good time. */
  readonly isTooMuch: () => boolean
}

const retryAfterSeconds = 2

/** Refuses with 503 while there is too much to do. */
export function requireEase(load: Load): void {
  if (load.isTooMuch()) throw unavailable('detail.overloaded', retryAfterSeconds)
}

/**
 * Sheds requests while there is too much to do, before anything is done for them; what has no
 * limit, such as the health of the process, is answered all the same.
 */
export const overloadGate = (load: Load): Gate => ({
  name: 'overload',
  prepare({ rate }) {
    if (rate === 'unlimited' || rate === 'refusals') return undefined
    return {
      says: { refusals: ['5031'], refusalHeaders: { 503: ['Retry-After'] } },
      check: () => requireEase(load),
    }
  },
})
