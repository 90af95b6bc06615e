import type { Db } from '#db/database.ts'
import type { Role } from '#http/declare/actor.ts'
import { movedTo, requireNoMoneyMoving } from '#resources/orders/rules.ts'
import { type OrderState, reviseOrder } from '#resources/orders/store.ts'
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

/** Who changes the shipping of an order, when, and in a currency of how many decimals. */
interface ErrorContext {
  readonly role: Role | null
  readonly now: Instant
  readonly currencyDigits: number
}

/**
 * Replaces the shipping of an order: a buyer's choice until it ships, all of it by an
 * administrator, whose word on the parcel also moves the order on.
 */
export async function putShipping(
  db: Db,
  order: OrderState,
  body: ShippingBody,
  { role, now, currencyDigits }: ErrorContext,
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
    ...(next === undefined ? {} : movedTo(next, now)),
  }
  return reviseOrder(db, order, change, now)
}

/** What an order has been paid for stays as it is; a pending one follows the method. */
const costAfter = (order: OrderState, { method }: ShippingBody, currencyDigits: number): number =>
  order.status === 'pending' ? shippingCostMinor(method, currencyDigits) : order.shipping_cost_minor
