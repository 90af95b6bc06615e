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
import { Return } from '#shop/orders/returns/schema.ts'
import { findReturnsOf } from '#shop/orders/returns/store.ts'
import { forgetErasedWords } from '#shop/orders/search/index-orders.ts'
import { presentShipping } from '#shop/orders/shipping/rules.ts'
import { Shipping } from '#shop/orders/shipping/schema.ts'
import type { ExportedData, PersonalData } from '#shop/personal-data.ts'
import type { Db } from '#store/database.ts'
import { anonymizeOrders } from './erase-store.ts'
import { orderEvent } from './events.ts'
import { presentOrder } from './rules.ts'
import { Order } from './schema.ts'
import { type OrderRow, orders } from './table.ts'

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
  returns: Type.Array(Return, { description: 'What was returned of the order.' }),
  refunds: Type.Array(Refund, { description: 'The money returned.' }),
})

/** Items, payments and other parts of orders that an export reads per order on average, and at most. */
const maxPartsPerOrder = 5
const mostParts = 5_000

/** The parts of one kind of some orders. */
interface Parts {
  /** Lowest ID of an order whose parts were all read: the limit may have cut those of the oldest. */
  readonly firstId: number
  readonly byOrder: ReadonlyMap<number, readonly object[]>
}

type ReadParts = (db: Db, newest: readonly OrderRow[], maxParts: number) => Promise<Parts>

/** Returns what reads the parts of one kind of the orders that have any, by a query of those of the newest first. */
const partsBy =
  <P extends { readonly order_id: number }>(
    find: (db: Db, ids: readonly number[], maxRows: number) => Promise<readonly P[]>,
    present: (part: P) => object = (part) => part,
    has?: (order: OrderRow) => boolean,
  ): ReadParts =>
  async (db, newest, maxParts) => {
    const ids = (has ? newest.filter(has) : newest).map(({ id }) => id)
    const found = has && ids.length === 0 ? [] : await find(db, ids, maxParts + 1)
    const firstId = found.length > maxParts ? (found.at(-1)?.order_id ?? 0) + 1 : 0
    const byOrder = Map.groupBy(found, ({ order_id }) => order_id)
    return {
      firstId,
      byOrder: new Map([...byOrder].map(([id, some]) => [id, some.map((part) => present(part))])),
    }
  }

const partReaders: Readonly<Record<string, ReadParts>> = {
  items: partsBy(findItemsForExport, presentItem),
  payments: partsBy(findPaymentsForExport, (payment) => presentPayment(payment)),
  parcels: partsBy(findParcelsOf, presentParcel, ({ parcel_count }) => parcel_count > 0),
  returns: partsBy(findReturnsOf, undefined, ({ return_count }) => return_count > 0),
  refunds: partsBy(findRefundsForExport),
}

async function exportOrders(db: Db, userId: number, limit: number): Promise<ExportedData> {
  const rows = await orders.findNewest(db, { user_id: userId }, limit + 1)
  const newest = rows.slice(0, limit)
  const maxParts = Math.min(limit * maxPartsPerOrder, mostParts)
  const parts: [string, Parts][] = []
  for (const [name, read] of Object.entries(partReaders)) {
    parts.push([name, await read(db, newest, maxParts)])
  }
  const firstId = Math.max(...parts.map(([, part]) => part.firstId))
  const complete = newest.filter(({ id }) => id >= firstId)
  return {
    entries: complete.map((order) => ({
      ...presentOrder(order),
      shipping: presentShipping(order),
      ...Object.fromEntries(
        parts.map(([name, { byOrder }]) => [name, byOrder.get(order.id) ?? []]),
      ),
    })),
    isComplete: complete.length === rows.length,
  }
}

/** Returns the columns of an order that an account takes over from a guest. */
export const ownedBy = (user_id: number) => ({ user_id, contact_key: null })

/** The orders of a user; erasure anonymises them and the shop keeps them. */
export const orderPersonalData: PersonalData = {
  name: 'orders',
  description: 'Orders with their items, shipping, payments, parcels, returns and refunds.',
  // Triggers update `order_counts`.
  tables: [
    'orders',
    'order_items',
    'payments',
    'parcels',
    'returns',
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
