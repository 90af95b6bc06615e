import { createMessage } from '#i18n/message.ts'
import { withoutFormerPlace } from '#shop/accounts/addresses/region.ts'
import { formatPercent } from '#shop/checkout/pricing/percent.ts'
import type { OrderRow } from '#shop/orders/orders/table.ts'
import type { Minor } from '#values/money.ts'
import { Problem, problem } from '#values/problem.ts'
import {
  defaultMethod,
  type ShippingBody,
  type ShippingChoice,
  type ShippingState,
} from './schema.ts'

/** The shipping method, the recipient and the address, as columns of an order. */
export type Destination = Pick<
  OrderRow,
  'shipping_method' | keyof typeof noRecipient | keyof typeof noAddress
>

const noRecipient = { recipient: null, company: null, vat_id: null, phone: null }
const noAddress = {
  ...{ line1: null, line2: null, city: null, region: null, postal_code: null, country: null },
}

const pick = <T extends object, K extends keyof T>(from: T, names: object): Pick<T, K> =>
  Object.fromEntries(
    Object.keys(names).flatMap((name) => {
      const value = from[name as K]
      return value === undefined ? [] : [[name, value]]
    }),
  ) as Pick<T, K>

/** Converts a shipping choice to columns; omitted fields become null. */
export const describeDestination = (shipping: ShippingChoice): Destination => ({
  shipping_method: shipping.method ?? defaultMethod,
  ...noRecipient,
  ...pick(shipping, noRecipient),
  ...noAddress,
  ...shipping.address,
})

/** Returns the shipping method, the recipient and the address of an order. */
export const destinationOf = (order: Destination): Destination =>
  pick(order, { shipping_method: null, ...noRecipient, ...noAddress })

/**
 * Returns the destination after a PATCH; omitted fields stay, but not the region and postal code of another country, and
 * a null address removes all of it.
 */
export function mergeDestination(order: Destination, shipping: ShippingChoice): Destination {
  const { method = order.shipping_method, address = {} } = shipping
  return {
    ...destinationOf(order),
    shipping_method: method,
    ...pick(shipping, noRecipient),
    ...(address === null ? noAddress : { ...withoutFormerPlace(order, address), ...address }),
  }
}

/** The fields without which nothing can be sent; some countries have no postal codes or regions. */
const requiredToSend = {
  recipient: 'shipping.recipient',
  line1: 'shipping.address.line1',
  city: 'shipping.address.city',
  country: 'shipping.address.country',
} as const

/** A destination, and whether anything is sent there. */
export type Dispatch = Destination & Pick<OrderRow, 'requires_shipping'>

const missingToSend = (destination: Dispatch): readonly string[] =>
  destination.shipping_method === 'pickup' || destination.requires_shipping === 0
    ? []
    : Object.entries(requiredToSend).flatMap(([column, field]) =>
        destination[column as keyof typeof requiredToSend] === null ? [field] : [],
      )

/** True if the order has nothing to send, is picked up, or has a recipient and an address with line1, city and country. */
export const isShippable = (destination: Dispatch): boolean =>
  missingToSend(destination).length === 0

/** Throws 409, with an issue for each missing field, unless the destination is sendable. */
export function requireShippableOrder(destination: Dispatch): void {
  const missing = missingToSend(destination)
  if (missing.length === 0) return
  const message = createMessage('field.required')
  throw new Problem('4091', createMessage('shipping.incomplete', { names: missing.join(', ') }), {
    issues: missing.map((field) => ({ field, message })),
  })
}

/** The parcel's columns that only administrators may change, besides its status. */
export type Parcel = Pick<OrderRow, (typeof parcelFields)[number]>

const parcelFields = ['carrier', 'tracking_number', 'tracking_url'] as const

/** Throws 403 when a buyer changes a field that only administrators may change. */
export function requireBuyersFields(
  order: Parcel & Pick<OrderRow, 'shipping_status'>,
  body: ShippingBody,
): void {
  const known = { ...order, status: order.shipping_status }
  const changed = (['status', ...parcelFields] as const).find(
    (field) => body[field] !== undefined && body[field] !== known[field],
  )
  if (changed) throw problem('4031', 'shipping.admin_field', { field: changed })
}

/** True if the order is sent there already. */
export const isSameDestination = (order: Destination, destination: Destination): boolean =>
  Object.entries(destination).every(
    ([column, value]) => value === order[column as keyof Destination],
  )

/** True if the order keeps its price: its method, country and region are the same. */
export const keepsPrice = (order: Destination, destination: Destination): boolean =>
  (['shipping_method', 'country', 'region'] as const).every(
    (column) => order[column] === destination[column],
  )

/** True for a pending or paid order of which nothing was sent. */
export const isUnshipped = ({ status, parcel_count }: Pick<OrderRow, 'status' | 'parcel_count'>) =>
  (status === 'pending' || status === 'paid') && parcel_count === 0

/** Throws 409 once something of the order was sent: another destination comes too late. */
export function requireUnshippedOrder(order: Parameters<typeof isUnshipped>[0]): void {
  if (!isUnshipped(order)) throw problem('4091', 'shipping.sent', { status: order.status })
}

/** Throws 409 when the price of a paid order would change. */
export function requireSamePrice(
  order: Pick<OrderRow, 'status' | 'total'>,
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
  order: Pick<OrderRow, 'status' | 'shipping_status'>,
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
export const describeParcel = (body: ShippingBody): Parcel => ({
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
  }: ShippingBody = {},
): Parcel => ({ carrier, tracking_number, tracking_url })

/** Builds the shipping representation from an order. */
export const presentShipping = <S extends OrderRow>(order: S) => {
  return {
    ...order,
    order_id: order.id,
    method: order.shipping_method,
    address: pick(order, noAddress),
    status: order.shipping_status,
    cost: order.shipping_cost,
    tax_rate: formatPercent(order.shipping_tax_rate),
    tax: order.shipping_tax,
  }
}
