import { unavailable } from '#values/problem.ts'

/**
 * Runs work, and lets no more than `most` be under way at once; the others wait in the order in
 * which they came. Throws 503/5031 at once where `mostWaiting` wait already.
 */
export function withLimitedConcurrency(
  most: number,
  maxWaiting = Number.POSITIVE_INFINITY,
): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let inFlight = 0
  return async (work) => {
    if (inFlight < most) inFlight += 1
    else if (waiting.length >= maxWaiting) throw unavailable('detail.overloaded')
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // Who waited takes over the turn of who is done.
      if (next) next()
      else inFlight -= 1
    }
  }
}
