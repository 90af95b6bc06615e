import type { Instant } from '#values/instant.ts'
import type { Minor } from '#values/money.ts'
import { problem } from '#values/problem.ts'
import type { ShippingBody, ShippingChoice, ShippingMethod, ShippingState } from './schema.ts'

/** Cost of each method, in major units of the shop's currency. */
const costMajor: Readonly<Record<ShippingMethod, number>> = { standard: 5, express: 15, pickup: 0 }

/** Cost of a shipping method, in minor units of a currency with `currencyDigits` decimals. */
export const shippingCostMinor = (method: ShippingMethod, currencyDigits: number): number =>
  costMajor[method] * 10 ** currencyDigits

/** The shipping method and address, as columns of an order. */
export interface Destination {
  readonly shipping_method: ShippingMethod
  readonly recipient: string | null
  readonly line1: string | null
  readonly line2: string | null
  readonly city: string | null
  readonly region: string | null
  readonly postal_code: string | null
  readonly country: string | null
}

/** Converts a shipping choice to columns; omitted fields become null. */
export const describeDestination = ({
  method = 'standard',
  recipient = null,
  address = {},
}: ShippingChoice): Destination => ({
  shipping_method: method,
  recipient,
  line1: address.line1 ?? null,
  line2: address.line2 ?? null,
  city: address.city ?? null,
  region: address.region ?? null,
  postal_code: address.postal_code ?? null,
  country: address.country ?? null,
})

/** The columns of an order that shipping rules read. */
export interface ShippingFacts extends Destination {
  readonly status: string
  readonly shipping_cost_minor: number
  readonly shipping_status: ShippingState
  readonly carrier: string | null
  readonly tracking_number: string | null
  readonly tracking_url: string | null
  readonly shipped_at: Instant | null
  readonly delivered_at: Instant | null
}

const parcelFields = ['carrier', 'tracking_number', 'tracking_url'] as const

/** Throws 403 when a buyer changes a field that only administrators may change. */
export function requireBuyersFields(order: ShippingFacts, body: ShippingBody): void {
  const known = { ...order, status: order.shipping_status }
  const changed = (['status', ...parcelFields] as const).find(
    (field) => body[field] !== undefined && body[field] !== known[field],
  )
  if (changed) throw problem('4031', 'shipping.admin_field', { field: changed })
}

/**
 * Throws 409 for a new destination of an order that is neither pending nor paid, and for a method of
 * another cost on a paid one.
 */
export function requireRedirectable(
  order: ShippingFacts,
  destination: Destination,
  currencyDigits: number,
): void {
  const unchanged = (Object.keys(destination) as (keyof Destination)[]).every(
    (field) => destination[field] === order[field],
  )
  if (unchanged) return
  if (order.status !== 'pending' && order.status !== 'paid') throw problem('4091', 'shipping.sent')
  const cost = shippingCostMinor(destination.shipping_method, currencyDigits)
  if (order.status === 'paid' && cost !== order.shipping_cost_minor) {
    throw problem('4091', 'shipping.cost_change')
  }
}

/**
 * Returns the status of the order once its parcel has the status `to`; undefined if it stays.
 * Throws 409 for a transition that does not exist.
 */
export function orderStatusAfter(
  order: ShippingFacts,
  to: ShippingState,
): 'shipped' | 'delivered' | undefined {
  const from = order.shipping_status
  if (from === to) return undefined
  if (from === 'pending' && to === 'in_transit') {
    if (order.status !== 'paid') throw problem('4091', 'shipping.unpaid')
    return 'shipped'
  }
  if (from === 'in_transit' && to === 'delivered') return 'delivered'
  throw problem('4091', 'shipping.transition', { from, to })
}

/** Converts the parcel fields of a PUT to columns; omitted fields become null. */
export const describeParcel = (
  body: ShippingBody,
): Pick<ShippingFacts, (typeof parcelFields)[number]> => ({
  carrier: body.carrier ?? null,
  tracking_number: body.tracking_number ?? null,
  tracking_url: body.tracking_url ?? null,
})

interface Parcel extends Destination {
  readonly id: number
  readonly shipping_status: string
  readonly shipping_cost_minor: Minor
}

/** Builds the shipping representation from an order. */
export const presentShipping = <P extends Parcel>(order: P) => {
  const { line1, line2, city, region, postal_code, country } = order
  return {
    ...order,
    order_id: order.id,
    method: order.shipping_method,
    address: { line1, line2, city, region, postal_code, country },
    status: order.shipping_status,
    cost: order.shipping_cost_minor,
  }
}
