import { Type } from 'typebox'
import type { Db } from '#db/database.ts'
import { DateTime, nullable } from '#http/declare/schema.ts'
import { presentItem } from '#resources/order-items/rules.ts'
import { OrderItem } from '#resources/order-items/schema.ts'
import { findItemsForExport } from '#resources/order-items/store.ts'
import { presentPayment } from '#resources/payments/rules.ts'
import { Payment } from '#resources/payments/schema.ts'
import { findPaymentsForExport } from '#resources/payments/store.ts'
import type { ExportedData, PersonalData } from '#resources/personal-data.ts'
import { presentRefund } from '#resources/refunds/rules.ts'
import { Refund } from '#resources/refunds/schema.ts'
import { anonymizeRefunds, findRefundsForExport } from '#resources/refunds/store.ts'
import { presentShipping } from '#resources/shipping/rules.ts'
import { Shipping } from '#resources/shipping/schema.ts'
import { anonymizeOrders } from './erase-store.ts'
import { findOrdersForExport } from './export-store.ts'
import { presentOrder } from './rules.ts'
import { Order } from './schema.ts'

const schema = Type.Object({
  ...Order.properties,
  deleted_at: nullable(
    DateTime({ description: 'When the order was removed; null if it was not.' }),
  ),
  items: Type.Array(OrderItem, { description: 'The items of the order.' }),
  shipping: { ...Shipping, description: 'How and where the order is sent.' },
  payments: Type.Array(Payment, { description: 'Every attempt to pay for the order.' }),
  refunds: Type.Array(Refund, { description: 'The money returned.' }),
})

/** Items, payments, and refunds, that an export reads per order on average. */
const maxPartsPerOrder = 5

/** Lowest ID of an order whose parts were all read: the limit may have cut those of the oldest. */
const firstCompleteOrderId = (
  parts: readonly { readonly order_id: number }[],
  maxParts: number,
): number => (parts.length > maxParts ? (parts.at(-1)?.order_id ?? 0) + 1 : 0)

async function exportOrders(db: Db, userId: number, limit: number): Promise<ExportedData> {
  const rows = await findOrdersForExport(db, userId, limit + 1)
  const newest = rows.slice(0, limit)
  const ids = newest.map(({ id }) => id)
  const maxParts = limit * maxPartsPerOrder
  const items = await findItemsForExport(db, ids, maxParts + 1)
  const payments = await findPaymentsForExport(db, ids, maxParts + 1)
  const refunds = await findRefundsForExport(db, ids, maxParts + 1)
  const firstId = Math.max(
    firstCompleteOrderId(items, maxParts),
    firstCompleteOrderId(payments, maxParts),
    firstCompleteOrderId(refunds, maxParts),
  )
  const itemsByOrder = Map.groupBy(items, ({ order_id }) => order_id)
  const paymentsByOrder = Map.groupBy(payments, ({ order_id }) => order_id)
  const refundsByOrder = Map.groupBy(refunds, ({ order_id }) => order_id)
  const complete = newest.filter(({ id }) => id >= firstId)
  return {
    entries: complete.map((order) => ({
      ...presentOrder(order),
      items: (itemsByOrder.get(order.id) ?? []).map(presentItem),
      shipping: presentShipping(order),
      payments: (paymentsByOrder.get(order.id) ?? []).map((payment) => presentPayment(payment)),
      refunds: (refundsByOrder.get(order.id) ?? []).map(presentRefund),
    })),
    isComplete: complete.length === rows.length,
  }
}

/** The orders of a user; erasure anonymises them and the shop keeps them. */
export const orderPersonalData: PersonalData = {
  name: 'orders',
  description: 'Orders with their items, shipping, payments and refunds.',
  // Triggers update `order_counts`.
  tables: ['orders', 'order_items', 'payments', 'refunds', 'order_counts'],
  erase: async (db, { id, now }) => {
    // First, while the orders still name the user.
    await anonymizeRefunds(db, id, now)
    await anonymizeOrders(db, id, now)
  },
  dataExport: { schema, read: exportOrders },
}
