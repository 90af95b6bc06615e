import { Type } from 'typebox'
import { DateTime, nullable } from '#schema/words.ts'
import { recordEvents } from '#shop/events/outbox-store.ts'
import { presentItem } from '#shop/orders/order-items/rules.ts'
import { OrderItem } from '#shop/orders/order-items/schema.ts'
import { findItemsForExport } from '#shop/orders/order-items/store.ts'
import { presentParcel } from '#shop/orders/parcels/rules.ts'
import { Parcel } from '#shop/orders/parcels/schema.ts'
import { findParcelsOf } from '#shop/orders/parcels/store.ts'
import { presentPayment } from '#shop/orders/payments/rules.ts'
import { Payment } from '#shop/orders/payments/schema.ts'
import { findPaymentsForExport } from '#shop/orders/payments/store.ts'
import { Refund } from '#shop/orders/refunds/schema.ts'
import { anonymizeRefunds, findRefundsForExport } from '#shop/orders/refunds/store.ts'
import { forgetErasedWords } from '#shop/orders/search/index-orders.ts'
import { presentShipping } from '#shop/orders/shipping/rules.ts'
import { Shipping } from '#shop/orders/shipping/schema.ts'
import type { ExportedData, PersonalData } from '#shop/personal-data.ts'
import type { Db } from '#store/database.ts'
import { anonymizeOrders } from './erase-store.ts'
import { orderEvent } from './events.ts'
import { presentOrder } from './rules.ts'
import { Order } from './schema.ts'
import { orders } from './table.ts'

const schema = Type.Object({
  ...Order.properties,
  network: nullable(
    Type.String({
      description: 'The network that placed the order, kept until it is paid or cancelled.',
      examples: ['192.0.2.1'],
    }),
  ),
  deleted_at: nullable(
    DateTime({ description: 'When the order was removed; null if it was not.' }),
  ),
  items: Type.Array(OrderItem, { description: 'The items of the order.' }),
  shipping: { ...Shipping, description: 'How and where the order is sent.' },
  payments: Type.Array(Payment, { description: 'Every attempt to pay for the order.' }),
  parcels: Type.Array(Parcel, { description: 'What was sent of the order.' }),
  refunds: Type.Array(Refund, { description: 'The money returned.' }),
})

/** Items, payments, parcels and refunds that an export reads per order on average, and at most. */
const maxPartsPerOrder = 5
const mostParts = 5_000

/** Lowest ID of an order whose parts were all read: the limit may have cut those of the oldest. */
const firstCompleteOrderId = (
  parts: readonly { readonly order_id: number }[],
  maxParts: number,
): number => (parts.length > maxParts ? (parts.at(-1)?.order_id ?? 0) + 1 : 0)

async function exportOrders(db: Db, userId: number, limit: number): Promise<ExportedData> {
  const rows = await orders.findNewest(db, { user_id: userId }, limit + 1)
  const newest = rows.slice(0, limit)
  const ids = newest.map(({ id }) => id)
  const maxParts = Math.min(limit * maxPartsPerOrder, mostParts)
  const items = await findItemsForExport(db, ids, maxParts + 1)
  const payments = await findPaymentsForExport(db, ids, maxParts + 1)
  const refunds = await findRefundsForExport(db, ids, maxParts + 1)
  const sent = await findParcelsOf(db, ids, maxParts + 1)
  const firstId = Math.max(
    firstCompleteOrderId(sent, maxParts),
    firstCompleteOrderId(items, maxParts),
    firstCompleteOrderId(payments, maxParts),
    firstCompleteOrderId(refunds, maxParts),
  )
  const itemsByOrder = Map.groupBy(items, ({ order_id }) => order_id)
  const paymentsByOrder = Map.groupBy(payments, ({ order_id }) => order_id)
  const parcelsByOrder = Map.groupBy(sent, ({ order_id }) => order_id)
  const refundsByOrder = Map.groupBy(refunds, ({ order_id }) => order_id)
  const complete = newest.filter(({ id }) => id >= firstId)
  return {
    entries: complete.map((order) => ({
      ...presentOrder(order),
      items: (itemsByOrder.get(order.id) ?? []).map(presentItem),
      shipping: presentShipping(order),
      payments: (paymentsByOrder.get(order.id) ?? []).map((payment) => presentPayment(payment)),
      parcels: (parcelsByOrder.get(order.id) ?? []).map(presentParcel),
      refunds: refundsByOrder.get(order.id) ?? [],
    })),
    isComplete: complete.length === rows.length,
  }
}

/** Returns the columns of an order that an account takes over from a guest. */
export const ownedBy = (user_id: number) => ({ user_id, contact_key: null })

/** The orders of a user; erasure anonymises them and the shop keeps them. */
export const orderPersonalData: PersonalData = {
  name: 'orders',
  description: 'Orders with their items, shipping, payments, parcels and refunds.',
  // Triggers update `order_counts`.
  tables: [
    'orders',
    'order_items',
    'payments',
    'parcels',
    'refunds',
    'order_counts',
    'order_words',
  ],
  // The next revision of an order makes whoever is settling its payment read the new buyer.
  merge: async (db, { from, to, now }) => {
    const merged = await orders.reviseRows(db, { user_id: from }, ownedBy(to), now)
    const kept = merged.filter(({ deleted_at }) => deleted_at === null)
    await recordEvents(
      db,
      kept.map((order) => orderEvent('order.updated', order, now)),
    )
  },
  erase: async (db, { id, now }) => {
    // First, while the orders still name the user.
    await anonymizeRefunds(db, id, now)
    await forgetErasedWords(db, await anonymizeOrders(db, id, now))
  },
  dataExport: { schema, read: exportOrders },
}
