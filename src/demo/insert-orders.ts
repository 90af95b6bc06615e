import type { Db } from '#db/database.ts'
import type { FrozenLine } from '#resources/orders/rules.ts'
import type { Instant } from '#values/instant.ts'
import type { DemoShop } from './new-rows.ts'
import { orderRows } from './order-rows.ts'
import type { DemoOrder } from './rows.ts'
import { insertRows, reserveIds } from './store.ts'

/** An order whose buyer and products have been found. */
export interface FoundOrder {
  readonly order: DemoOrder
  readonly userId: number
  readonly lines: readonly FrozenLine[]
}

/** Inserts orders with their items, payments and purchases; the transaction is the caller's. */
export async function insertOrders(
  db: Db,
  found: readonly FoundOrder[],
  shop: DemoShop,
  now: Instant,
): Promise<void> {
  const orderIds = await reserveIds(db, 'orders', found.length)
  const lineCount = found.reduce((sum, { lines }) => sum + lines.length, 0)
  const itemIds = (await reserveIds(db, 'order_items', lineCount)).values()
  const rows = found.map(({ order, userId, lines }, index) => {
    const orderId = orderIds[index] as number
    const ids = { userId, orderId, itemIds: itemIds.take(lines.length).toArray() }
    return orderRows(order, lines, ids, shop, now)
  })
  const orders = rows.map(({ order }) => order)
  await insertRows(db, 'orders', orders)
  const items = rows.flatMap((row) => row.items)
  await insertRows(db, 'order_items', items)
  const payments = rows.flatMap((row) => row.payments)
  await insertRows(db, 'payments', payments)
  const purchases = rows.flatMap((row) => row.purchases)
  await insertRows(db, 'purchases', purchases)
}
