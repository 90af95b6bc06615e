import type { Exchange } from '#http/exchange/exchange.ts'
import type { Guard } from '#http/exchange/step.ts'
import { networkOf } from '#http/message/client-network.ts'
import { unavailableProblem } from '#values/problem.ts'

/** The load of the process. */
export interface Load {
  /** The share of the rate limits of a network that is left: 1 without load, 0.1 under the highest. */
  readonly share: (network: string) => number
  /** True while the requests of a network are shed. */
  readonly isOverloaded: (network: string) => boolean
}

const retryAfterSeconds = 2

/** Throws 503/5031 while the process is overloaded, above all by the network. */
export function requireCapacity(load: Load, network: string): void {
  if (load.isOverloaded(network)) throw unavailableProblem('detail.overloaded', retryAfterSeconds)
}

/** Throws 503/5031 while the process is overloaded, except on routes without a rate limit. */
export const overloadGuard = (load: Load | undefined): Guard<Exchange> => ({
  name: 'overload',
  prepare({ rateLimit }) {
    if (!load || rateLimit === 'unlimited' || rateLimit === 'problems') return undefined
    return {
      fragment: { problems: ['5031'], problemHeaders: { 503: ['Retry-After'] } },
      check: ({ request }) => requireCapacity(load, networkOf(request.ip)),
    }
  },
})
