import type { OrderChange } from '#shop/orders/orders/store.ts'
import type { Instant } from '#values/instant.ts'
import { statusBySending } from './quantities.ts'
import type { OrderToSend } from './store.ts'

/** How an order changes with its parcels, and the type of the event about it. */
interface ChangeBySending {
  readonly change: OrderChange
  readonly type: 'order.updated' | 'order.shipped' | 'order.delivered'
}

/** The tracking that the shipping of an order shows: that of its first parcel. */
function trackingOf({ order, parcels }: OrderToSend) {
  const [first] = parcels
  if (!first && order.parcel_count === 0) return {}
  const { carrier = null, tracking_number = null, tracking_url = null } = first ?? {}
  return { carrier, tracking_number, tracking_url }
}

/**
 * Returns how an order changes once its items, parcels and what takes pieces of it are these; with nothing more to send once all of it
 * was refunded.
 */
export function changeBySending(
  next: OrderToSend,
  isRefunded: boolean,
  now: Instant,
): ChangeBySending {
  const { order, claims, parcels } = next
  const items = isRefunded ? [] : next.items
  const { status } = order
  // What needs no shipping is shipped by hand.
  if (parcels.length === 0 && order.parcel_count === 0) return { change: {}, type: 'order.updated' }
  const change = { parcel_count: parcels.length, ...trackingOf(next) }
  const isSent = status === 'shipped' || status === 'delivered'
  const to =
    isSent || status === 'paid' ? statusBySending(items, claims.unsentFirst, parcels) : status
  if (to === status) return { change, type: 'order.updated' }
  if (to === 'paid') {
    const unsent = { status: to, shipping_status: 'pending', shipped_at: null } as const
    // No event of a payment: nothing was paid.
    return { change: { ...change, ...unsent }, type: 'order.updated' }
  }
  const shipped_at = order.shipped_at ?? now
  if (to === 'shipped') {
    const sent = { status: to, shipping_status: 'in_transit', shipped_at } as const
    return { change: { ...change, ...sent }, type: 'order.shipped' }
  }
  const arrived = { status: 'delivered', shipping_status: 'delivered', delivered_at: now } as const
  return { change: { ...change, shipped_at, ...arrived }, type: 'order.delivered' }
}
