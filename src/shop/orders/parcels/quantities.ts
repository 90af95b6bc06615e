import { createMessage } from '#i18n/message.ts'
import type { OrderItemRow } from '#shop/orders/order-items/table.ts'
import type { OrderRow } from '#shop/orders/orders/table.ts'
import { fieldProblem, problem } from '#values/problem.ts'
import { sumQuantities } from '#values/quantities.ts'
import type { ItemQuantity, StoredParcel } from './table.ts'

/** What the quantities of an item of an order follow from. */
export type SentItem = Pick<OrderItemRow, 'id' | 'quantity' | 'sent' | 'requires_shipping'>

/** What takes pieces of items, such as a refund. */
interface Claim {
  readonly items: readonly ItemQuantity[]
}

/** Adds up the pieces of each item. */
export const piecesByItem = (claims: readonly Claim[]): ReadonlyMap<number, number> =>
  sumQuantities(
    claims.flatMap(({ items }) => items),
    ({ order_item_id }) => order_item_id,
  )

/**
 * Returns the pieces of an order that are still to be sent: those that need it, are in no parcel and were not refunded.
 * A refund takes pieces that were not sent before those that were.
 */
export function piecesToSend(
  items: readonly SentItem[],
  refunds: readonly Claim[],
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
  refunds: readonly Claim[],
  parcels: readonly Pick<StoredParcel, 'status'>[],
): SendingStatus {
  if (parcels.length === 0 || piecesToSend(items, refunds).length > 0) return 'paid'
  return parcels.every(({ status }) => status === 'delivered') ? 'delivered' : 'shipped'
}

/** True for a paid order of which nothing was sent. */
export const isUnsent = ({ status, parcel_count }: Pick<OrderRow, 'status' | 'parcel_count'>) =>
  status === 'paid' && parcel_count === 0

/** Throws 422 for a requested item that is not in the order. */
export function requireKnownItems(
  requested: readonly ItemQuantity[],
  items: readonly { readonly id: number }[],
): void {
  const known = new Set(items.map(({ id }) => id))
  const issues = requested.flatMap(({ order_item_id }, at) =>
    known.has(order_item_id)
      ? []
      : [{ field: `items[${at}].order_item_id`, message: createMessage('refund.unknown_item') }],
  )
  if (issues.length > 0) throw fieldProblem(issues)
}

/**
 * Returns the requested pieces, each item once. Throws 422 for an item that is not in the order, and 409 with this message
 * where fewer pieces are left.
 */
export function requirePieces(
  requested: readonly ItemQuantity[],
  items: readonly { readonly id: number }[],
  left: readonly ItemQuantity[],
  message: 'parcel.pieces_left' | 'return.pieces_left',
): readonly ItemQuantity[] {
  requireKnownItems(requested, items)
  const leftByItem = piecesByItem([{ items: left }])
  return [...piecesByItem([{ items: requested }])].map(([order_item_id, quantity]) => {
    const most = leftByItem.get(order_item_id) ?? 0
    if (quantity > most) throw problem('4091', message, { left: most })
    return { order_item_id, quantity }
  })
}
