import type { Exchange } from '#http/pipeline/exchange.ts'
import type { Guard } from '#http/pipeline/step.ts'
import { unavailable } from '#values/problem.ts'

/** The load of the process. Read on every request, so both functions are cheap. */
export interface Load {
  /** The share of every rate limit that is left, from 1 down to a small part. */
  readonly share: () => number
  /** True when responses would come too late. */
  readonly isOverloaded: () => boolean
}

const retryAfterSeconds = 2

/** Throws 503/5031 while the process is overloaded. */
export function requireCapacity(load: Load): void {
  if (load.isOverloaded()) throw unavailable('detail.overloaded', retryAfterSeconds)
}

/** Sheds requests under overload; routes without a limit, such as health checks, are spared. */
export const overloadGuard = (load: Load | undefined): Guard<Exchange> => ({
  name: 'overload',
  prepare({ rate }) {
    if (!load || rate === 'unlimited' || rate === 'problems') return undefined
    return {
      fragment: { problems: ['5031'], problemHeaders: { 503: ['Retry-After'] } },
      check: () => requireCapacity(load),
    }
  },
})
