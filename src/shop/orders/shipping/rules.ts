import { createMessage } from '#i18n/message.ts'
import { formatPercent, type PercentUnits } from '#shop/checkout/pricing/percent.ts'
import type { Instant } from '#values/instant.ts'
import type { Minor } from '#values/money.ts'
import { Problem, problem } from '#values/problem.ts'
import type { ShippingChoice, ShippingPatch, ShippingState } from './schema.ts'

/** The shipping method and address, as columns of an order. */
export interface Destination {
  readonly shipping_method: string
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
  address,
}: ShippingChoice): Destination => ({
  shipping_method: method,
  recipient,
  line1: address?.line1 ?? null,
  line2: address?.line2 ?? null,
  city: address?.city ?? null,
  region: address?.region ?? null,
  postal_code: address?.postal_code ?? null,
  country: address?.country ?? null,
})

/** Returns the shipping method and address of an order. */
export const destinationOf = (order: Destination): Destination => ({
  shipping_method: order.shipping_method,
  recipient: order.recipient,
  line1: order.line1,
  line2: order.line2,
  city: order.city,
  region: order.region,
  postal_code: order.postal_code,
  country: order.country,
})

/** Returns the destination after a PATCH; omitted fields stay, and a null address removes all of it. */
export function mergeDestination(
  order: Destination,
  { method = order.shipping_method, recipient = order.recipient, address = {} }: ShippingChoice,
): Destination {
  if (address === null) return describeDestination({ method, recipient })
  return { ...destinationOf(order), shipping_method: method, recipient, ...address }
}

/** The fields without which nothing can be sent; some countries have no postal codes or regions. */
const requiredToSend = {
  recipient: 'shipping.recipient',
  line1: 'shipping.address.line1',
  city: 'shipping.address.city',
  country: 'shipping.address.country',
} as const

const missingToSend = (destination: Destination): readonly string[] =>
  destination.shipping_method === 'pickup'
    ? []
    : Object.entries(requiredToSend).flatMap(([column, field]) =>
        destination[column as keyof typeof requiredToSend] === null ? [field] : [],
      )

/** True if the order is picked up or has a recipient and an address with line1, city and country. */
export const isShippable = (destination: Destination): boolean =>
  missingToSend(destination).length === 0

/** Throws 409, with an issue for each missing field, unless the destination is sendable. */
export function requireShippableOrder(destination: Destination): void {
  const missing = missingToSend(destination)
  if (missing.length === 0) return
  const message = createMessage('field.required')
  throw new Problem('4091', createMessage('shipping.incomplete', { names: missing.join(', ') }), {
    issues: missing.map((field) => ({ field, message })),
  })
}

/** The parcel's columns that only administrators may change, besides its status. */
export interface Parcel {
  readonly carrier: string | null
  readonly tracking_number: string | null
  readonly tracking_url: string | null
}

/** The columns of an order that shipping rules read. */
export interface ShippingFacts extends Destination, Parcel {
  readonly status: string
  readonly shipping_cost: number
  readonly shipping_status: ShippingState
  readonly shipped_at: Instant | null
  readonly delivered_at: Instant | null
}

const parcelFields = ['carrier', 'tracking_number', 'tracking_url'] as const

/** Throws 403 when a buyer changes a field that only administrators may change. */
export function requireBuyersFields(order: ShippingFacts, body: ShippingPatch): void {
  const known = { ...order, status: order.shipping_status }
  const changed = (['status', ...parcelFields] as const).find(
    (field) => body[field] !== undefined && body[field] !== known[field],
  )
  if (changed) throw problem('4031', 'shipping.admin_field', { field: changed })
}

/** True if the order is sent there already. */
export const isSameDestination = (order: ShippingFacts, destination: Destination): boolean =>
  Object.entries(destination).every(
    ([column, value]) => value === order[column as keyof Destination],
  )

/** True if the order keeps its price: its method, country and region are the same. */
export const keepsPrice = (order: ShippingFacts, destination: Destination): boolean =>
  (['shipping_method', 'country', 'region'] as const).every(
    (column) => order[column] === destination[column],
  )

/** Throws 409 unless the order is pending or paid: another destination comes too late. */
export function requireUnshippedOrder({ status }: Pick<ShippingFacts, 'status'>): void {
  if (status !== 'pending' && status !== 'paid') throw problem('4091', 'shipping.sent', { status })
}

/** Throws 409 when the price of a paid order would change. */
export function requireSamePrice(
  order: Pick<ShippingFacts, 'status'> & { readonly total: Minor },
  totalMinor: Minor,
): void {
  if (order.status === 'paid' && order.total !== totalMinor) {
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
export const describeParcel = (body: ShippingPatch): Parcel => ({
  carrier: body.carrier ?? null,
  tracking_number: body.tracking_number ?? null,
  tracking_url: body.tracking_url ?? null,
})

/** Returns the parcel after a PATCH; omitted fields stay. */
export const mergeParcel = (
  order: Parcel,
  {
    carrier = order.carrier,
    tracking_number = order.tracking_number,
    tracking_url = order.tracking_url,
  }: ShippingPatch = {},
): Parcel => ({ carrier, tracking_number, tracking_url })

interface Shipment extends Destination {
  readonly id: number
  readonly shipping_status: string
  readonly shipping_cost: Minor
  readonly shipping_tax_rate: PercentUnits
  readonly shipping_tax: Minor
}

/** Builds the shipping representation from an order. */
export const presentShipping = <S extends Shipment>(order: S) => {
  const { line1, line2, city, region, postal_code, country } = order
  return {
    ...order,
    order_id: order.id,
    method: order.shipping_method,
    address: { line1, line2, city, region, postal_code, country },
    status: order.shipping_status,
    cost: order.shipping_cost,
    tax_rate: formatPercent(order.shipping_tax_rate),
    tax: order.shipping_tax,
  }
}
