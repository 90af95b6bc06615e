import type { Db } from '#db/database.ts'
import type { Role } from '#http/declare/actor.ts'
import { requireNoMoneyMoving, statusChange } from '#resources/orders/rules.ts'
import { type OrderState, updateOrder } from '#resources/orders/store.ts'
import type { Instant } from '#values/instant.ts'
import {
  describeDestination,
  describeParcel,
  orderStatusAfter,
  requireBuyersFields,
  requireRedirectable,
  shippingCostMinor,
} from './rules.ts'
import type { ShippingBody } from './schema.ts'

/** The caller's role, the time of the change, and the decimals of the shop's currency. */
interface ShippingContext {
  readonly role: Role | null
  readonly now: Instant
  readonly currencyDigits: number
}

/**
 * Replaces the shipping of an order. Buyers may change method and destination until the order ships.
 * Administrators may change everything; the parcel's status also changes that of the order.
 */
export async function putShipping(
  db: Db,
  order: OrderState,
  body: ShippingBody,
  { role, now, currencyDigits }: ShippingContext,
): Promise<OrderState> {
  const destination = describeDestination(body)
  const isAdmin = role === 'admin'
  if (!isAdmin) {
    requireBuyersFields(order, body)
    requireRedirectable(order, destination, currencyDigits)
  }
  const cost = costAfter(order, body, currencyDigits)
  const next = isAdmin ? orderStatusAfter(order, body.status ?? order.shipping_status) : undefined
  if (next !== undefined || cost !== order.shipping_cost_minor) requireNoMoneyMoving(order)
  const change = {
    ...destination,
    ...(isAdmin ? describeParcel(body) : {}),
    shipping_cost_minor: cost,
    total_minor: order.total_minor - order.shipping_cost_minor + cost,
    ...(next === undefined ? {} : statusChange(next, now)),
  }
  return updateOrder(db, order, change, now)
}

/** The cost follows the method while the order is pending and is fixed afterwards. */
const costAfter = (order: OrderState, { method }: ShippingBody, currencyDigits: number): number =>
  order.status === 'pending' ? shippingCostMinor(method, currencyDigits) : order.shipping_cost_minor
