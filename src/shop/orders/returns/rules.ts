import { createMessage } from '#i18n/message.ts'
import { hasNoPaymentInProgress, requireNoPaymentInProgress } from '#shop/orders/orders/rules.ts'
import type { OrderState } from '#shop/orders/orders/store.ts'
import { piecesByItem, type SentItem } from '#shop/orders/parcels/quantities.ts'
import type { ItemQuantity } from '#shop/orders/parcels/table.ts'
import { isRefundable } from '#shop/orders/refunds/rules.ts'
import type { Shop } from '#shop/shop.ts'
import { dayMs, type Instant } from '#values/instant.ts'
import { fieldProblem, problem } from '#values/problem.ts'
import { piecesToReturn, type Takings } from './claims.ts'
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

/**
 * Returns the pieces of a new return, each item once. Throws 422 for an item that is not in the order, and 409 where
 * fewer pieces are left to return.
 */
export function piecesOfReturn(
  { items: requested, kind }: Pick<StoredReturn, 'items' | 'kind'>,
  items: readonly SentItem[],
  takings: Takings,
): readonly ItemQuantity[] {
  const known = new Set(items.map(({ id }) => id))
  const issues = requested.flatMap(({ order_item_id }, at) =>
    known.has(order_item_id)
      ? []
      : [{ field: `items[${at}].order_item_id`, message: createMessage('refund.unknown_item') }],
  )
  if (issues.length > 0) throw fieldProblem(issues)
  const left = piecesByItem([{ items: piecesToReturn(items, takings, kind) }])
  return [...piecesByItem([{ items: requested }])].map(([order_item_id, quantity]) => {
    const most = left.get(order_item_id) ?? 0
    if (quantity > most) throw problem('4091', 'return.pieces_left', { left: most })
    return { order_item_id, quantity }
  })
}
