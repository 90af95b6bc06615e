import { type LineSnapshot, snapshotLines } from '#shop/orders/orders/rules.ts'
import { replaceWords } from '#shop/orders/search/words-store.ts'
import type { Db } from '#store/database.ts'
import { reserveIds } from '#store/query/reserve-ids.ts'
import { accountKey } from '#values/account-key.ts'
import type { Instant } from '#values/instant.ts'
import type { DemoOrder } from './data.ts'
import { type DemoShop, orderRows } from './rows.ts'
import { findByEmailKey, findBySku, insertRows } from './store.ts'

/** An order with its user and products. */
interface FoundOrder {
  readonly order: DemoOrder
  readonly userId: number
  readonly lines: readonly LineSnapshot[]
}

/**
 * Inserts orders with items, parcels, payments, purchases and the words by which they are found, except those whose user or products have been
 * removed. Returns how many. The caller owns the transaction.
 */
export async function insertOrders(
  db: Db,
  orders: readonly DemoOrder[],
  shop: DemoShop,
  now: Instant,
): Promise<number> {
  const found = await findOrders(db, orders)
  const orderIds = await reserveIds(db, 'orders', found.length)
  const lineCount = found.reduce((sum, { lines }) => sum + lines.length, 0)
  const itemIds = (await reserveIds(db, 'order_items', lineCount)).values()
  const rows = found.map(({ order, userId, lines }, index) => {
    const orderId = orderIds[index] as number
    const ids = { userId, orderId, itemIds: itemIds.take(lines.length).toArray() }
    return orderRows(order, lines, ids, shop, now)
  })
  const inserted = rows.map(({ order }) => order)
  await insertRows(db, 'orders', inserted)
  const items = rows.flatMap((row) => row.items)
  await insertRows(db, 'order_items', items)
  const parcels = rows.flatMap((row) => row.parcels)
  await insertRows(db, 'parcels', parcels)
  const payments = rows.flatMap((row) => row.payments)
  await insertRows(db, 'payments', payments)
  const purchases = rows.flatMap((row) => row.purchases)
  await insertRows(db, 'purchases', purchases)
  await replaceWords(db, orderIds)
  return found.length
}

async function findOrders(db: Db, orders: readonly DemoOrder[]): Promise<readonly FoundOrder[]> {
  const skus = orders.flatMap(({ items }) => items.map(({ sku }) => sku))
  const bySku = await findBySku(db, skus)
  const byId = new Map(Array.from(bySku.values(), (product) => [product.id, product]))
  const emailKeys = orders.map(({ email }) => accountKey(email))
  const buyers = await findByEmailKey(db, emailKeys)
  return orders.flatMap((order) => {
    const userId = buyers.get(accountKey(order.email))
    const wanted = order.items.flatMap(({ sku, quantity }) => {
      const product = bySku.get(sku)
      return product ? [{ product_id: product.id, quantity }] : []
    })
    if (userId === undefined || wanted.length === 0) return []
    return [{ order, userId, lines: snapshotLines(wanted, byId) }]
  })
}
