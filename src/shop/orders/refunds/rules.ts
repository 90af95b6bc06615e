import { createMessage } from '#i18n/message.ts'
import { scaleDown } from '#shop/checkout/pricing/exact.ts'
import type { OrderStatus } from '#shop/orders/orders/schema.ts'
import { isUnsent, requireKnownItems } from '#shop/orders/parcels/quantities.ts'
import type { ItemQuantity } from '#shop/orders/parcels/table.ts'
import type { Minor } from '#values/money.ts'
import { fieldProblem, problem } from '#values/problem.ts'
import { sumQuantities } from '#values/quantities.ts'
import type { RefundBody } from './schema.ts'
import type { RefundedItem } from './table.ts'

/** An item of an order with the prices that were frozen. */
export interface PaidItem {
  readonly id: number
  readonly quantity: number
  /** The pieces that are in parcels. */
  readonly sent: number
  readonly line_total: Minor
  readonly discount: Minor
  readonly tax: Minor
}

/** An order with its items, as it was paid. */
export interface PaidOrder {
  readonly status: OrderStatus
  readonly parcel_count: number
  readonly shipping_cost: Minor
  readonly shipping_tax: Minor
  /** 1 if the prices include the tax, else 0. */
  readonly prices_include_tax: number
  readonly items: readonly PaidItem[]
}

/** What a refund takes from its order. */
export interface RefundedParts {
  readonly items: readonly RefundedItem[]
  readonly shipping: boolean
}

/** A refund that can be stored. */
export interface PricedRefund extends RefundedParts {
  readonly amountMinor: Minor
  readonly restock: boolean
}

/** Throws 409 unless the order is paid, shipped or delivered. */
export function requireRefundableOrder({ status }: { readonly status: OrderStatus }): void {
  if (!isRefundable(status)) throw problem('4091', 'refund.not_refundable', { status })
}

/** True for the statuses of orders that can be refunded. */
export const isRefundable = (status: OrderStatus): boolean =>
  status === 'paid' || status === 'shipped' || status === 'delivered'

/** The status of an order of which all was refunded. */
export const statusWhenRefunded = (
  order: Parameters<typeof isUnsent>[0],
): 'cancelled' | 'refunded' => (isUnsent(order) ? 'cancelled' : 'refunded')

/** What was paid for an item: after the discount, with its tax. */
export const paidForItem = (
  { line_total, discount, tax }: PaidItem,
  { prices_include_tax }: Pick<PaidOrder, 'prices_include_tax'>,
): Minor => line_total - discount + (prices_include_tax === 1 ? 0 : tax)

/** What was paid for shipping, with its tax. */
const paidForShipping = ({
  shipping_cost,
  shipping_tax,
  prices_include_tax,
}: Omit<PaidOrder, 'items' | 'status'>): Minor =>
  shipping_cost + (prices_include_tax === 1 ? 0 : shipping_tax)

/** Throws 422 for a body whose fields contradict each other. */
export function requireConsistentBody({ amount, items, shipping, restock }: RefundBody): void {
  if (amount === undefined) {
    // Without any of them, all that is left is refunded, shipping too.
    if (shipping === false && !items) {
      throw fieldProblem([{ field: 'shipping', message: createMessage('refund.not_alone') }])
    }
    if (restock === undefined || items || !shipping) return
    throw conflict('restock', 'shipping')
  }
  if (items) throw conflict('amount', 'items')
  if (shipping) throw conflict('amount', 'shipping')
  if (restock !== undefined) throw conflict('restock', 'amount')
  if (amount === 0) {
    throw fieldProblem([{ field: 'amount', message: createMessage('refund.no_amount') }])
  }
}

const conflict = (field: string, other: string) =>
  fieldProblem([{ field, message: createMessage('field.conflict', { other }) }])

/**
 * Returns what a refund takes. `earlier` are the refunds that succeeded or are pending, `leftMinor` is
 * what they leave of the payment. Throws 409 when less is left, and 422 for an item that is not in the
 * order.
 */
export function priceRefund(
  body: RefundBody,
  order: PaidOrder,
  earlier: readonly RefundedParts[],
  leftMinor: Minor,
): PricedRefund {
  const priced = price(body, order, earlier, leftMinor)
  const isNothing = priced.amountMinor === 0 && priced.items.length === 0
  if (isNothing) throw problem('4091', 'refund.nothing_left')
  if (priced.amountMinor > leftMinor) throw problem('4091', 'refund.more_than_left')
  return priced
}

function price(
  { amount, items, shipping = false, restock }: RefundBody,
  order: PaidOrder,
  earlier: readonly RefundedParts[],
  leftMinor: Minor,
): PricedRefund {
  if (amount !== undefined) {
    return { amountMinor: amount, items: [], shipping: false, restock: false }
  }
  if (items || shipping) {
    const priced = priceItems(items ?? [], order, earlier)
    const shippingMinor = shipping ? takeShipping(order, earlier) : 0
    const amountMinor = sumOf(priced) + shippingMinor
    return { amountMinor, items: priced, shipping, restock: restock ?? priced.length > 0 }
  }
  // Goods that were sent come back only when somebody says so; what is not named and not sent goes back with the order.
  const isPartlySent = order.status === 'paid' && !isUnsent(order)
  const named = restock === undefined && isPartlySent ? [] : quantitiesLeft(order, earlier)
  return {
    amountMinor: leftMinor,
    items: leftMinor === 0 ? [] : priceItems(named, order, earlier),
    shipping: !earlier.some((refund) => refund.shipping) && paidForShipping(order) > 0,
    restock: restock ?? isUnsent(order),
  }
}

/**
 * Prices pieces of items: the k-th of n pieces of an item costs floor(k·T/n) − floor((k−1)·T/n), T
 * being what was paid for the item, so that all pieces together cost T.
 */
function priceItems(
  requested: readonly ItemQuantity[],
  order: PaidOrder,
  earlier: readonly RefundedParts[],
): readonly RefundedItem[] {
  const byId = new Map(order.items.map((item) => [item.id, item]))
  requireKnownItems(requested, order.items)
  return mergeQuantities(requested).map(({ order_item_id, quantity }) => {
    const item = byId.get(order_item_id)
    const taken = takenOf(order_item_id, earlier)
    const count = taken.quantity + quantity
    if (!item || count > item.quantity) {
      const sold = item?.quantity ?? 0
      throw problem('4091', 'refund.pieces_returned', {
        left: Math.max(0, sold - taken.quantity),
        quantity: sold,
      })
    }
    const upTo = scaleDown(paidForItem(item, order), count, item.quantity)
    // Not less than 0: a refund that failed may have left its cheaper pieces behind.
    return { order_item_id, quantity, amount: Math.max(0, upTo - taken.amountMinor) }
  })
}

function mergeQuantities(requested: readonly ItemQuantity[]): readonly ItemQuantity[] {
  const quantities = sumQuantities(requested, ({ order_item_id }) => order_item_id)
  return [...quantities].map(([order_item_id, quantity]) => ({ order_item_id, quantity }))
}

function takenOf(itemId: number, refunds: readonly RefundedParts[]) {
  const parts = refunds.flatMap(({ items }) =>
    items.filter(({ order_item_id }) => order_item_id === itemId),
  )
  return {
    quantity: parts.reduce((sum, { quantity }) => sum + quantity, 0),
    amountMinor: sumOf(parts),
  }
}

/** Returns the quantities of an order that no refund has taken. */
export const quantitiesLeft = (
  { items }: Pick<PaidOrder, 'items'>,
  refunds: readonly RefundedParts[],
): readonly ItemQuantity[] =>
  items.flatMap(({ id, quantity }) => {
    const left = quantity - takenOf(id, refunds).quantity
    return left > 0 ? [{ order_item_id: id, quantity: left }] : []
  })

/** Returns the quantities that are in no parcel and that no refund has taken: refunds take these first. */
const unsentPiecesLeft = (
  order: Pick<PaidOrder, 'items'>,
  refunds: readonly RefundedParts[],
): readonly ItemQuantity[] => {
  const sent = new Map(order.items.map((item) => [item.id, item.sent]))
  return quantitiesLeft(order, refunds).flatMap(({ order_item_id, quantity }) => {
    const unsent = quantity - (sent.get(order_item_id) ?? 0)
    return unsent > 0 ? [{ order_item_id, quantity: unsent }] : []
  })
}

function takeShipping(order: PaidOrder, earlier: readonly RefundedParts[]): Minor {
  if (earlier.some(({ shipping }) => shipping)) throw problem('4091', 'refund.shipping_refunded')
  return paidForShipping(order)
}

const sumOf = (items: readonly RefundedItem[]): Minor =>
  items.reduce((sum, { amount }) => sum + amount, 0)

/** A refund and whether it puts its pieces back to the stock. */
export type RestockableRefund = RefundedParts & { readonly restock: boolean }

/**
 * Returns the quantities that go back to the stock when refunds succeed: their own, and, when all of an
 * order that was not sent as a whole is refunded, those that are in no parcel and that no refund names.
 */
export function quantitiesToRestock(
  order: Pick<PaidOrder, 'status' | 'items'>,
  {
    earlier,
    succeeding,
    isFull,
  }: {
    readonly earlier: readonly RefundedParts[]
    readonly succeeding: readonly RestockableRefund[]
    readonly isFull: boolean
  },
): readonly ItemQuantity[] {
  const own = succeeding.flatMap(({ restock, items }) => (restock ? items : []))
  const others =
    isFull && order.status === 'paid' ? unsentPiecesLeft(order, [...earlier, ...succeeding]) : []
  return mergeQuantities([...own, ...others])
}
