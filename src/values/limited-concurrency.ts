import { unavailableProblem } from './problem.ts'

/**
 * Returns a function that runs at most `maxInFlight` works at once; the owners of others take turns,
 * and each one's works wait in order of arrival. Throws 503/5031 when `maxWaiting` are waiting already,
 * or `maxWaitingOfOwner` of this owner.
 */
export function withLimitedConcurrency(
  maxInFlight: number,
  maxWaiting = Number.POSITIVE_INFINITY,
  maxWaitingOfOwner = maxWaiting,
): <T>(work: () => Promise<T>, owner?: string) => Promise<T> {
  // A Map iterates in insertion order: an owner who had a turn goes to the end.
  const queues = new Map<string, (() => void)[]>()
  let waiting = 0
  let inFlight = 0
  const wait = (owner: string): Promise<void> => {
    const queue = queues.get(owner) ?? []
    if (waiting >= maxWaiting || queue.length >= maxWaitingOfOwner) {
      throw unavailableProblem('detail.overloaded')
    }
    queues.set(owner, queue)
    waiting += 1
    return new Promise((resolve) => queue.push(resolve))
  }
  const takeNext = (): (() => void) | undefined => {
    const [first] = queues
    if (!first) return undefined
    const [owner, queue] = first
    const next = queue.shift()
    queues.delete(owner)
    if (queue.length > 0) queues.set(owner, queue)
    waiting -= 1
    return next
  }
  return async (work, owner = '') => {
    if (inFlight < maxInFlight) inFlight += 1
    else await wait(owner)
    try {
      return await work()
    } finally {
      const next = takeNext()
      // The next one takes over this place, so that the count stays the same.
      if (next) next()
      else inFlight -= 1
    }
  }
}
