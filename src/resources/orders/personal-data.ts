import { Type } from 'typebox'
import type { Db } from '#db/database.ts'
import { Moment, nullable } from '#http/declare/schema.ts'
import { presentItem } from '#resources/order-items/rules.ts'
import { OrderItem } from '#resources/order-items/schema.ts'
import { itemsForExport } from '#resources/order-items/store.ts'
import { presentPayment } from '#resources/payments/rules.ts'
import { Payment } from '#resources/payments/schema.ts'
import { paymentsForExport } from '#resources/payments/store.ts'
import type { ExportedData, PersonalData } from '#resources/personal-data.ts'
import { presentShipping } from '#resources/shipping/rules.ts'
import { Shipping } from '#resources/shipping/schema.ts'
import { blankOrders } from './erase-store.ts'
import { ordersForExport } from './export-store.ts'
import { presentOrder } from './rules.ts'
import { Order } from './schema.ts'

const schema = Type.Object({
  ...Order.properties,
  deleted_at: nullable(Moment({ description: 'When it was removed; null where it was not.' })),
  items: Type.Array(OrderItem, { description: 'What was ordered.' }),
  shipping: { ...Shipping, description: 'How and where it is sent.' },
  payments: Type.Array(Payment, { description: 'Every attempt to pay for it.' }),
})

/** How many items, and how many payments, there are to an order that is told. */
const partsAnOrder = 5

/** Of many parts the oldest orders may not have all: what is told of orders is told whole. */
const wholeFrom = (dependencies: readonly { readonly order_id: number }[], most: number): number =>
  dependencies.length > most ? (dependencies.at(-1)?.order_id ?? 0) + 1 : 0

async function exportOrders(db: Db, userId: number, limit: number): Promise<ExportedData> {
  const rows = await ordersForExport(db, userId, limit + 1)
  const newest = rows.slice(0, limit)
  const ids = newest.map(({ id }) => id)
  const most = limit * partsAnOrder
  const items = await itemsForExport(db, ids, most + 1)
  const payments = await paymentsForExport(db, ids, most + 1)
  const first = Math.max(wholeFrom(items, most), wholeFrom(payments, most))
  const itemsBy = Map.groupBy(items, ({ order_id }) => order_id)
  const paymentsBy = Map.groupBy(payments, ({ order_id }) => order_id)
  const told = newest.filter(({ id }) => id >= first)
  return {
    entries: told.map((order) => ({
      ...presentOrder(order),
      items: (itemsBy.get(order.id) ?? []).map(presentItem),
      shipping: presentShipping(order),
      payments: (paymentsBy.get(order.id) ?? []).map(presentPayment),
    })),
    isAll: told.length === rows.length,
  }
}

/** What a user has ordered; the orders stay with the shop. */
export const orderPersonalData: PersonalData = {
  name: 'orders',
  description: 'What was ordered, how it was sent and how it was paid for.',
  // Their counts follow by triggers.
  tables: ['orders', 'order_items', 'payments', 'order_counts'],
  erase: (db, { id, now }) => blankOrders(db, id, now),
  exportData: { schema, read: exportOrders },
}
