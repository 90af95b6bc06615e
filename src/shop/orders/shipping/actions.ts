import type { Role } from '#http/declare/actor.ts'
import { updatePricedOrder } from '#shop/orders/orders/replace-order.ts'
import { awaitsBuyer, requireNoPaymentInProgress } from '#shop/orders/orders/rules.ts'
import type { OrderState } from '#shop/orders/orders/store.ts'
import { changeFirstTracking, deliverAll, sendAll } from '#shop/orders/parcels/actions.ts'
import { repriceItems } from '#shop/orders/pricing/order-price.ts'
import type { Shop } from '#shop/shop.ts'
import type { Db } from '#store/database.ts'
import { isUnchanged } from '#store/unchanged.ts'
import type { Instant } from '#values/instant.ts'
import {
  type Destination,
  describeDestination,
  describeParcel,
  isSameDestination,
  isShippable,
  keepsPrice,
  mergeDestination,
  mergeParcel,
  orderStatusAfter,
  type Parcel,
  requireBuyersFields,
  requireSamePrice,
  requireShippableOrder,
  requireUnshippedOrder,
} from './rules.ts'
import type { ShippingBody } from './schema.ts'

/** The caller's role, the time of the change, and the shop. */
interface ShippingContext {
  readonly role: Role | null
  readonly now: Instant
  readonly shop: Shop
}

/**
 * Replaces the shipping of an order; omitted fields become null, except the status. Buyers may
 * change method and destination until the order ships, and their parcel fields stay. Administrators
 * may change everything; the parcel's status also changes that of the order.
 */
export const replaceShipping = (
  db: Db,
  order: OrderState,
  body: ShippingBody,
  ctx: ShippingContext,
): Promise<OrderState> =>
  changeShipping(db, order, body, ctx, {
    destination: describeDestination(body),
    parcel: ctx.role === 'admin' ? describeParcel(body) : mergeParcel(order),
  })

/** As `replaceShipping`, but omitted fields stay. */
export const patchShipping = (
  db: Db,
  order: OrderState,
  body: ShippingBody,
  ctx: ShippingContext,
): Promise<OrderState> =>
  changeShipping(db, order, body, ctx, {
    destination: mergeDestination(order, body),
    parcel: mergeParcel(order, body),
  })

interface NextShipping {
  readonly destination: Destination
  readonly parcel: Parcel
}

async function changeShipping(
  db: Db,
  order: OrderState,
  body: ShippingBody,
  { role, now, shop }: ShippingContext,
  { destination, parcel }: NextShipping,
): Promise<OrderState> {
  if (role !== 'admin') requireBuyersFields(order, body)
  const next = orderStatusAfter(order, body.status ?? order.shipping_status)
  const dispatch = { ...destination, requires_shipping: order.requires_shipping }
  if (next === 'shipped') requireShippableOrder(dispatch)
  const price = await priceAfter(db, order, destination, { role, shop })
  const isRepriced = price !== undefined && price.total !== order.total
  const isEditedMeanwhile = awaitsBuyer(order) && !isSameDestination(order, destination)
  if (next !== undefined || isRepriced || isEditedMeanwhile || !isShippable(dispatch)) {
    requireNoPaymentInProgress(order)
  }
  const change = { ...destination, ...parcel, ...price }
  if (next === 'shipped') return sendAll(db, order, change, now)
  if (next === 'delivered') return deliverAll(db, order, change, now)
  if (isUnchanged(order, change)) return order
  if (order.parcel_count > 0) return changeFirstTracking(db, order, change, now)
  return updatePricedOrder(db, order, change, now)
}

/**
 * Returns the columns of the price for another method or address; undefined for the same ones, and
 * for an order that has shipped, whose address only administrators correct, or that was imported. A paid
 * order must keep its total.
 */
async function priceAfter(
  db: Db,
  order: OrderState,
  destination: Destination,
  { role, shop }: Pick<ShippingContext, 'role' | 'shop'>,
) {
  if (isSameDestination(order, destination)) return undefined
  if (role !== 'admin') requireUnshippedOrder(order)
  if (keepsPrice(order, destination) || order.source === 'import') return undefined
  if (order.status !== 'pending' && order.status !== 'paid') return undefined
  const price = await repriceItems(db, order, destination, shop, 'method')
  requireSamePrice(order, price.total)
  return price
}
