import { unavailableProblem } from './problem.ts'

interface Waiting {
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/**
 * Returns a function that runs at most `maxInFlight` works at once; the owners of others take turns,
 * and each one's works wait in order of arrival. Throws 503/5031 when `maxWaitingOfOwner` of this owner
 * are waiting already. When `maxWaiting` are, the last one of whoever has most waiting gets the 503.
 */
export function withLimitedConcurrency(
  maxInFlight: number,
  maxWaiting = Number.POSITIVE_INFINITY,
  maxWaitingOfOwner = maxWaiting,
): <T>(work: () => Promise<T>, owner?: string) => Promise<T> {
  // A Map iterates in insertion order: an owner who had a turn goes to the end.
  const queues = new Map<string, Waiting[]>()
  let waiting = 0
  let inFlight = 0
  const wait = (owner: string): Promise<void> => {
    const queue = queues.get(owner) ?? []
    if (queue.length >= maxWaitingOfOwner) throw unavailableProblem('detail.overloaded')
    if (waiting >= maxWaiting) {
      const longest = longestOf(queues)
      if (longest.length <= queue.length + 1) throw unavailableProblem('detail.overloaded')
      longest.pop()?.reject(unavailableProblem('detail.overloaded'))
      waiting -= 1
    }
    queues.set(owner, queue)
    waiting += 1
    return new Promise((resolve, reject) => queue.push({ resolve, reject }))
  }
  const takeNext = (): Waiting | undefined => {
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
      if (next) next.resolve()
      else inFlight -= 1
    }
  }
}

const longestOf = (queues: ReadonlyMap<string, Waiting[]>): Waiting[] =>
  [...queues.values()].reduce(
    (longest, queue) => (queue.length > longest.length ? queue : longest),
    [],
  )
