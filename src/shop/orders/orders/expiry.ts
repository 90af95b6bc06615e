import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import { statusChange } from './rules.ts'
import { returnOrders } from './status-actions.ts'
import { lockExpiredOrders, updateLockedOrders } from './store.ts'

/** The maximum number of orders that expire at once. */
export const expiryBatchSize = 100

/**
 * Cancels up to `expiryBatchSize` pending orders whose payment window is over. Returns how many.
 */
export async function expireOrders(db: Db, now: Instant): Promise<number> {
  const expired = await lockExpiredOrders(db, now, expiryBatchSize)
  if (expired.length === 0) return 0
  const change = statusChange('cancelled', now)
  await updateLockedOrders(db, expired, change, 'order.cancelled', now)
  await returnOrders(db, expired, now)
  return expired.length
}
