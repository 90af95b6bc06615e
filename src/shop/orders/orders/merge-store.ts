import { recordEvents } from '#shop/events/outbox-store.ts'
import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import { orderEvent } from './events.ts'

/** Gives the orders of a user to another one, with an event for each that is not removed. */
export async function mergeOrders(
  db: Db,
  { from, to }: { readonly from: number; readonly to: number },
  now: Instant,
): Promise<void> {
  const orders = await db
    .updateTable('orders')
    .set((eb) => ({ user_id: to, revision: eb('revision', '+', eb.lit(1)), updated_at: now }))
    .where('user_id', '=', from)
    .returningAll()
    .execute()
  const present = orders.filter(({ deleted_at }) => deleted_at === null)
  await recordEvents(
    db,
    present.map((order) => orderEvent('order.updated', order, now)),
  )
}
