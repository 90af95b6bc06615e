import type { RunTransaction } from '#store/stale-write.ts'
import type { Instant } from '#values/instant.ts'
import { cancelLockedOrders, cancelledAtOnce } from './status-actions.ts'
import { lockExpiredOrders } from './store.ts'

/** The maximum number of orders that expire in a round. */
export const expiryBatchSize = 100

/**
 * Cancels up to `expiryBatchSize` pending orders whose payment window is over. Returns how many.
 */
export async function expireOrders(transaction: RunTransaction, now: Instant): Promise<number> {
  let count = 0
  for (
    let found = cancelledAtOnce;
    found === cancelledAtOnce && count < expiryBatchSize;
    count += found
  ) {
    found = await transaction(async (db) => {
      const expired = await lockExpiredOrders(db, now, cancelledAtOnce)
      if (expired.length > 0) await cancelLockedOrders(db, expired, 'expired', now)
      return expired.length
    })
  }
  return count
}
