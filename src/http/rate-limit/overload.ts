import type { Exchange } from '#http/exchange/exchange.ts'
import type { Guard } from '#http/exchange/step.ts'
import { unavailableProblem } from '#values/problem.ts'

/** The load of the process. */
export interface Load {
  /** The share of every rate limit that is left: 1 without load, 0.1 under the highest. */
  readonly share: () => number
  /** True while requests are shed. */
  readonly isOverloaded: () => boolean
}

const retryAfterSeconds = 2

/** Throws 503/5031 while the process is overloaded. */
export function requireCapacity(load: Load): void {
  if (load.isOverloaded()) throw unavailableProblem('detail.overloaded', retryAfterSeconds)
}

/** Throws 503/5031 while the process is overloaded, except on routes without a rate limit. */
export const overloadGuard = (load: Load | undefined): Guard<Exchange> => ({
  name: 'overload',
  prepare({ rateLimit }) {
    if (!load || rateLimit === 'unlimited' || rateLimit === 'problems') return undefined
    return {
      fragment: { problems: ['5031'], problemHeaders: { 503: ['Retry-After'] } },
      check: () => requireCapacity(load),
    }
  },
})
