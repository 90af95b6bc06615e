import { recordEvents } from '#shop/events/outbox-store.ts'
import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import { markIdleCarts } from './abandonment-store.ts'
import { loadCart } from './actions.ts'
import { cartEvent } from './events.ts'
import { abandonedAfterMs } from './rules.ts'

/** The maximum number of carts that a job looks at in one transaction, which locks them. */
export const abandonmentBatchSize = 20

/**
 * Records `cart.abandoned` for carts with items that have not changed for a day, once until they change
 * again, in the open transaction. Returns how many carts were looked at, empty ones included.
 */
export async function recordAbandonedCarts(
  transactionDb: Db,
  currency: string,
  now: Instant,
): Promise<number> {
  const before = now - abandonedAfterMs
  const userIds = await markIdleCarts(transactionDb, before, abandonmentBatchSize)
  const events = []
  for (const userId of userIds) {
    const cart = await loadCart(transactionDb, userId, now)
    if (cart && cart.lines.length > 0) {
      events.push(cartEvent('cart.abandoned', { cart, currency, now }, now))
    }
  }
  await recordEvents(transactionDb, events)
  return userIds.length
}
