import type { OrderItemRow } from '#shop/orders/order-items/table.ts'
import type { OrderRow } from '#shop/orders/orders/table.ts'
import { sumQuantities } from '#values/quantities.ts'
import type { ItemQuantity, StoredParcel } from './table.ts'

/** What the quantities of an item of an order follow from. */
export type SentItem = Pick<OrderItemRow, 'id' | 'quantity' | 'sent' | 'requires_shipping'>

/** What takes pieces of items, such as a refund. */
interface Taking {
  readonly items: readonly ItemQuantity[]
}

/** Adds up the pieces of each item. */
export const piecesByItem = (takings: readonly Taking[]): ReadonlyMap<number, number> =>
  sumQuantities(
    takings.flatMap(({ items }) => items),
    ({ order_item_id }) => order_item_id,
  )

/**
 * Returns the pieces of an order that are still to be sent: those that need it, are in no parcel and were not refunded.
 * A refund takes pieces that were not sent before those that were.
 */
export function piecesToSend(
  items: readonly SentItem[],
  refunds: readonly Taking[],
): readonly ItemQuantity[] {
  const refunded = piecesByItem(refunds)
  return items.flatMap(({ id, quantity, sent, requires_shipping }) => {
    const left = quantity - sent - (refunded.get(id) ?? 0)
    return requires_shipping === 1 && left > 0 ? [{ order_item_id: id, quantity: left }] : []
  })
}

/** The status of an order as its parcels make it. */
export type SendingStatus = 'paid' | 'shipped' | 'delivered'

/**
 * Returns the status of a paid order that has something to send: `paid` until every piece that needs it is in a parcel or
 * refunded, then `shipped`, and `delivered` once all parcels are.
 */
export function statusBySending(
  items: readonly SentItem[],
  refunds: readonly Taking[],
  parcels: readonly Pick<StoredParcel, 'status'>[],
): SendingStatus {
  if (parcels.length === 0 || piecesToSend(items, refunds).length > 0) return 'paid'
  return parcels.every(({ status }) => status === 'delivered') ? 'delivered' : 'shipped'
}

/** True for a paid order of which nothing was sent. */
export const isUnsent = ({ status, parcel_count }: Pick<OrderRow, 'status' | 'parcel_count'>) =>
  status === 'paid' && parcel_count === 0
