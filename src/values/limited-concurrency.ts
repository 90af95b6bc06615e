import { unavailableProblem } from './problem.ts'

/**
 * Returns a function that runs at most `maxInFlight` works at once; the others wait in order of
 * arrival. Throws 503/5031 when `maxWaiting` are waiting already.
 */
export function withLimitedConcurrency(
  maxInFlight: number,
  maxWaiting = Number.POSITIVE_INFINITY,
): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let inFlight = 0
  return async (work) => {
    if (inFlight < maxInFlight) inFlight += 1
    else if (waiting.length >= maxWaiting) throw unavailableProblem('detail.overloaded')
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The next one takes over this place, so that the count stays the same.
      if (next) next()
      else inFlight -= 1
    }
  }
}
