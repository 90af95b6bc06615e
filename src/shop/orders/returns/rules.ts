import { hasNoPaymentInProgress, requireNoPaymentInProgress } from '#shop/orders/orders/rules.ts'
import type { OrderState } from '#shop/orders/orders/store.ts'
import { isRefundable } from '#shop/orders/refunds/rules.ts'
import type { Shop } from '#shop/shop.ts'
import { dayMs, type Instant } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import { isOpen } from './claims.ts'
import type { ReturnStatus } from './schema.ts'
import type { StoredReturn } from './table.ts'

/** Returns of an order at most. */
const maxReturns = 50

/** The statuses that staff may give a return in each. */
const transitions: Readonly<Record<ReturnStatus, readonly ReturnStatus[]>> = {
  requested: ['approved', 'rejected'],
  approved: ['received'],
  rejected: [],
  received: [],
  refunded: [],
}

/** True where staff may give a return this status. */
export const mayBecome = ({ status }: Pick<StoredReturn, 'status'>, to: ReturnStatus): boolean =>
  transitions[status].includes(to)

/** Throws 409 for a transition that does not exist. */
export function requireTransition(from: StoredReturn, to: ReturnStatus): void {
  if (!mayBecome(from, to)) throw problem('4091', 'return.transition', { from: from.status, to })
}

/** Until when pieces of an order may be returned; undefined as long as it is not delivered. */
const lastInstant = (
  { delivered_at }: Pick<OrderState, 'delivered_at'>,
  { returnDays = 14 }: Pick<Shop, 'returnDays'>,
): Instant | undefined => (delivered_at === null ? undefined : delivered_at + returnDays * dayMs)

const isInTime = (order: OrderState, shop: Pick<Shop, 'returnDays'>, now: Instant): boolean =>
  now <= (lastInstant(order, shop) ?? now)

/** True for an order whose pieces may be returned, or withdrawn from, as far as its own columns say. */
export const isReturnable = (
  order: OrderState,
  shop: Pick<Shop, 'returnDays'>,
  now: Instant,
): boolean =>
  isRefundable(order.status) &&
  order.source !== 'import' &&
  order.return_count < maxReturns &&
  hasNoPaymentInProgress(order) &&
  isInTime(order, shop, now)

/** Throws 409 unless pieces of the order may be returned now. */
export function requireReturnable(
  order: OrderState,
  shop: Pick<Shop, 'returnDays'>,
  now: Instant,
): void {
  if (order.source === 'import') throw problem('4091', 'refund.imported')
  if (!isRefundable(order.status)) {
    throw problem('4091', 'refund.not_refundable', { status: order.status })
  }
  requireNoPaymentInProgress(order)
  if (!isInTime(order, shop, now)) {
    throw problem('4091', 'return.too_late', { days: shop.returnDays ?? 14 })
  }
  if (order.return_count >= maxReturns) {
    throw problem('4091', 'return.too_many', { limit: maxReturns })
  }
}

/** Throws 409 where a return that has ended is to change whether its pieces go back to the stock. */
export function requireChangeableStock(before: StoredReturn, restock = before.restock): void {
  if (restock !== before.restock && !isOpen(before)) {
    throw problem('4091', 'return.ended', { status: before.status })
  }
}
