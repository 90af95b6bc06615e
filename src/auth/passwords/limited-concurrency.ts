import { unavailable } from '#values/problem.ts'

/**
 * Runs work, and lets no more than `most` be under way at once; the others wait in the order in
 * which they came. Throws 503/5031 at once where `mostWaiting` wait already.
 */
export function inTurns(
  most: number,
  mostWaiting = Number.POSITIVE_INFINITY,
): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let underWay = 0
  return async (work) => {
    if (underWay < most) underWay += 1
    else if (waiting.length >= mostWaiting) throw unavailable('detail.overloaded')
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // Who waited takes over the turn of who is done.
      if (next) next()
      else underWay -= 1
    }
  }
}
