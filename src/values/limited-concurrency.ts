import { TurnQueue } from './turn-queue.ts'

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
  const queue = new TurnQueue({ total: maxWaiting, ofOwner: maxWaitingOfOwner })
  let inFlight = 0
  return async (work, owner = '') => {
    if (inFlight < maxInFlight) inFlight += 1
    else await queue.wait(owner)
    try {
      return await work()
    } finally {
      // The next one takes over this place, so that the count stays the same.
      if (!queue.admitNext()) inFlight -= 1
    }
  }
}
