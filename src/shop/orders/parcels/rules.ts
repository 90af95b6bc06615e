import { trackingUrlOf } from '#shop/carriers.ts'
import { requireNoPaymentInProgress } from '#shop/orders/orders/rules.ts'
import type { OrderState } from '#shop/orders/orders/store.ts'
import { isShippable, requireShippableOrder } from '#shop/orders/shipping/rules.ts'
import { problem } from '#values/problem.ts'
import { piecesToSend, requirePieces } from './quantities.ts'
import type { OrderToSend } from './store.ts'
import type { ItemQuantity, StoredParcel } from './table.ts'

/** Parcels of an order at most. */
const maxParcels = 100

/** True for a paid order of which something may still be sent. */
export const maySend = (order: OrderState): boolean =>
  order.status === 'paid' &&
  order.requires_shipping === 1 &&
  order.parcel_count < maxParcels &&
  isShippable(order)

/** Throws 409 unless the order is paid, complete and has room for another parcel. */
export function requireSendable(order: OrderState): void {
  if (order.status !== 'paid') throw problem('4091', 'shipping.unpaid')
  requireNoPaymentInProgress(order)
  requireShippableOrder(order)
  if (order.parcel_count >= maxParcels)
    throw problem('4091', 'parcel.too_many', { limit: maxParcels })
}

/**
 * Returns the pieces of a new parcel; all that are to be sent where none are requested. Throws 422 for an item that is
 * not in the order, and 409 where fewer pieces are left.
 */
export function piecesOfParcel(
  requested: readonly ItemQuantity[] | undefined,
  { items, claims }: Pick<OrderToSend, 'items' | 'claims'>,
): readonly ItemQuantity[] {
  const left = piecesToSend(items, claims.unsentFirst)
  if (left.length === 0) throw problem('4091', 'parcel.nothing_left')
  return requested ? requirePieces(requested, items, left, 'parcel.pieces_left') : left
}

/** Throws 409 for a parcel that has arrived, which stays so. */
export function requireUndelivered({ status }: Pick<StoredParcel, 'status'>): void {
  if (status === 'delivered') throw problem('4091', 'parcel.delivered')
}

/** Builds the representation of a parcel. */
export const presentParcel = <P extends StoredParcel>(parcel: P) => ({
  ...parcel,
  tracking_url: parcel.tracking_url ?? trackingUrlOf(parcel),
})
