import { createUserState } from '#shop/accounts/users/rules.ts'
import { users } from '#shop/accounts/users/table.ts'
import { makeHandle } from '#shop/catalogue/handles/rules.ts'
import type { ProductState } from '#shop/catalogue/products/rules.ts'
import { withDerivedColumns } from '#shop/catalogue/products/store.ts'
import { priceOrder } from '#shop/checkout/pricing/price.ts'
import { defaultMethods } from '#shop/checkout/shipping-methods.ts'
import { orderNumber } from '#shop/order-number.ts'
import { type LineSnapshot, paymentWindowMs } from '#shop/orders/orders/rules.ts'
import { orders } from '#shop/orders/orders/table.ts'
import type { Shop } from '#shop/shop.ts'
import { hourMs, type Instant, minuteMs } from '#values/instant.ts'
import type { DemoOrder } from './data.ts'
import type { NewRow } from './store.ts'

/** The currency of the shop, with its decimals, and what the numbers of its orders begin with. */
export interface DemoShop extends Pick<Shop, 'orderPrefix'> {
  readonly currency: string
  readonly currencyDigits: number
}

/**
 * Converts cents to the same number of major units of the shop's currency, such as 20 yen for 1999
 * cents.
 */
export const scaledPrice = (cents: number, { currencyDigits }: DemoShop): number =>
  Math.round(cents * 10 ** (currencyDigits - 2))

/** Returns the row of a product without orders or ratings, priced for the shop. */
export const productRow = (product: ProductState, shop: DemoShop, now: Instant) => ({
  ...withDerivedColumns({
    ...product,
    handle: product.variant_of === null ? makeHandle(`${product.name} ${product.sku}`) : null,
  }),
  price: scaledPrice(product.price, shop),
  created_at: now,
  updated_at: now,
})

/** The name, e-mail address and age of a user. */
export interface DemoUser {
  readonly name: string
  readonly email: string
  readonly age: number | null
}

/** Returns the row of a user without a password, who cannot sign in. */
export function userRow({ name, email, age }: DemoUser, now: Instant): NewRow<'users'> {
  const state = users.withFollowing(createUserState({ name, email, age }))
  return { ...state, created_at: now, updated_at: now }
}

/** The IDs of an order, of its user and of its items, one for each line. */
export interface OrderIds {
  readonly userId: number
  readonly orderId: number
  readonly itemIds: readonly number[]
}

/** All rows of an order. */
export interface OrderRows {
  readonly order: NewRow<'orders'>
  readonly items: readonly NewRow<'order_items'>[]
  readonly parcels: readonly NewRow<'parcels'>[]
  readonly payments: readonly NewRow<'payments'>[]
  readonly purchases: readonly NewRow<'purchases'>[]
}

const paymentDelayMs = 3 * minuteMs

const carriers = { standard: 'Larkpost', express: 'Swiftheron Courier', pickup: null }

/** Returns when an order was placed. */
export const placedAt = ({ age_hours }: DemoOrder, now: Instant): Instant =>
  now - age_hours * hourMs

/** Returns when a cancelled order was cancelled: at the end of its payment window. */
export const cancelledAt = (order: DemoOrder, now: Instant): Instant =>
  placedAt(order, now) + paymentWindowMs

const isSent = ({ status }: DemoOrder): boolean => status === 'shipped' || status === 'delivered'

const isPaid = ({ status }: DemoOrder): boolean => status !== 'pending' && status !== 'cancelled'

/** Returns the rows of an order, its parcel, its payment and its purchases, as the server writes them. */
export function orderRows(
  order: DemoOrder,
  lines: readonly LineSnapshot[],
  ids: OrderIds,
  shop: DemoShop,
  now: Instant,
): OrderRows {
  const placed = placedAt(order, now)
  const items = lines.map(({ variant_of: _, ...line }, index) => ({
    id: ids.itemIds[index] as number,
    order_id: ids.orderId,
    ...line,
    sent: isSent(order) && line.requires_shipping === 1 ? line.quantity : 0,
    unpaid: order.status === 'pending' && line.taken > 0 ? line.taken : null,
    created_at: placed,
  }))
  const sent = items.filter((item) => item.sent > 0)
  const row = { ...orderRow(order, lines, ids, shop, now), parcel_count: sent.length > 0 ? 1 : 0 }
  const unpaid = { order: row, items, parcels: [], payments: [], purchases: [] }
  if (!isPaid(order)) return unpaid
  const paid = placed + paymentDelayMs
  return {
    ...unpaid,
    parcels: sent.length > 0 ? [parcelRow(row, sent)] : [],
    payments: [paymentRow(row, ids.orderId, paid)],
    purchases: items.map(({ id, order_id, product_id, quantity, unit_price }) => ({
      user_id: ids.userId,
      product_id,
      order_id,
      order_item_id: id,
      quantity,
      unit_price,
      purchased_at: paid,
    })),
  }
}

function orderRow(
  order: DemoOrder,
  lines: readonly LineSnapshot[],
  { userId, orderId }: OrderIds,
  shop: DemoShop,
  now: Instant,
) {
  const { status, note, shipping_method, recipient, address, tracking_number } = order
  const placed = placedAt(order, now)
  return orders.withFollowing({
    id: orderId,
    number: orderNumber(shop, orderId),
    user_id: userId,
    status,
    currency: shop.currency,
    ...untaxedPrice(lines, shipping_method, shop.currencyDigits),
    note,
    cancel_reason: status === 'cancelled' ? 'expired' : null,
    expires_at: status === 'pending' ? placed + paymentWindowMs : null,
    shipping_method,
    recipient,
    line1: address?.line1 ?? null,
    line2: address?.line2 ?? null,
    city: address?.city ?? null,
    region: address?.region ?? null,
    postal_code: address?.postal_code ?? null,
    country: address?.country ?? null,
    shipping_status: shippingStatusOf(order),
    carrier: tracking_number === null ? null : carriers[shipping_method],
    tracking_number,
    tracking_url: tracking_number && `https://track.example.com/${tracking_number}`,
    shipped_at: before(now, order.shipped_age_hours),
    delivered_at: before(now, order.delivered_age_hours),
    ...lastChange(order, now),
    created_at: placed,
  })
}

/** The price of an order by the shipping methods of a new shop, which has no taxes or discounts. */
function untaxedPrice(lines: readonly LineSnapshot[], code: string, currencyDigits: number) {
  const method = defaultMethods(currencyDigits).find((each) => each.code === code)
  const { lines: _, ...price } = priceOrder({
    lines,
    discount: null,
    shippingMinor: method?.price ?? 0,
    taxRules: [],
    taxPlace: { country: null, region: null },
    isTaxIncluded: true,
  })
  return price
}

const before = (now: Instant, hours: number | null): Instant | null =>
  hours === null ? null : now - hours * hourMs

function shippingStatusOf({ status }: DemoOrder): 'pending' | 'in_transit' | 'delivered' {
  if (status === 'shipped') return 'in_transit'
  return status === 'delivered' ? 'delivered' : 'pending'
}

/** Each transition makes one revision, a payment two. */
function lastChange(
  order: DemoOrder,
  now: Instant,
): { readonly revision: number; readonly updated_at: Instant } {
  const placed = placedAt(order, now)
  const { status, shipped_age_hours, delivered_age_hours } = order
  switch (status) {
    case 'pending':
      return { revision: 1, updated_at: placed }
    case 'cancelled':
      return { revision: 2, updated_at: cancelledAt(order, now) }
    case 'paid':
      return { revision: 3, updated_at: placed + paymentDelayMs }
    case 'shipped':
      return { revision: 4, updated_at: before(now, shipped_age_hours) ?? placed }
    case 'delivered':
      return { revision: 5, updated_at: before(now, delivered_age_hours) ?? placed }
    default:
      return status satisfies never
  }
}

/** The one parcel of an order that was sent. */
const parcelRow = (
  {
    id,
    status,
    carrier,
    tracking_number,
    tracking_url,
    shipped_at,
    ...order
  }: ReturnType<typeof orderRow>,
  items: readonly { readonly id: number; readonly sent: number }[],
): NewRow<'parcels'> => ({
  order_id: id,
  items: JSON.stringify(items.map((item) => ({ order_item_id: item.id, quantity: item.sent }))),
  status: status === 'delivered' ? 'delivered' : 'in_transit',
  ...{ carrier, tracking_number, tracking_url },
  delivered_at: order.delivered_at,
  revision: status === 'delivered' ? 2 : 1,
  created_at: shipped_at ?? order.created_at,
  updated_at: order.delivered_at ?? shipped_at ?? order.created_at,
})

function paymentRow(
  { total, currency }: NewRow<'orders'>,
  orderId: number,
  paid: Instant,
): NewRow<'payments'> {
  return {
    order_id: orderId,
    idempotency_key: `order-${orderId}-demo`,
    method: 'card',
    amount: total,
    currency,
    status: 'succeeded',
    provider: 'sandbox',
    provider_reference: `ch_demo_${orderId}`,
    failure: null,
    next_action: null,
    cancel_requested_at: null,
    due_at: null,
    revision: 2,
    created_at: paid,
    updated_at: paid,
  }
}
