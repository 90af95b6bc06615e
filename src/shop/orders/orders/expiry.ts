import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import { cancelLockedOrders } from './status-actions.ts'
import { lockExpiredOrders } from './store.ts'

/** The maximum number of orders that expire at once, with up to 100 lines each: SQLite blocks the event loop meanwhile. */
export const expiryBatchSize = 10

/**
 * Cancels up to `expiryBatchSize` pending orders whose payment window is over. Returns how many.
 */
export async function expireOrders(db: Db, now: Instant): Promise<number> {
  const expired = await lockExpiredOrders(db, now, expiryBatchSize)
  if (expired.length === 0) return 0
  await cancelLockedOrders(db, expired, 'expired', now)
  return expired.length
}
