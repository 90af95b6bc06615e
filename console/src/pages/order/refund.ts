import type { Body } from '../../api/json.ts'

/** What is entered to refund an order. */
export interface Refund {
  readonly kind: 'pieces' | 'amount'
  /** The number of pieces by the ID of the order item. */
  readonly quantities: Readonly<Record<string, number>>
  readonly isShippingToo: boolean
  readonly isRestocked: boolean
  readonly amount: string
  readonly reason: string
}

/** What a form begins with. */
export const noRefund: Refund = {
  kind: 'pieces',
  quantities: {},
  isShippingToo: false,
  isRestocked: true,
  amount: '',
  reason: '',
}

/** What of an order is not refunded yet, in major units. */
export const leftToRefund = ({ total, refunded_total: refunded }: Body): number =>
  // No currency of a shop has more digits; the difference of two floats has.
  Number((Number(total) - Number(refunded ?? 0)).toFixed(3))

/** How many pieces of an item are not refunded yet. */
export function piecesLeft({ id, quantity: ordered }: Body, refunds: readonly Body[]): number {
  const refunded = refunds
    .filter(({ status }) => status !== 'failed')
    .flatMap(({ items }) => items as unknown as readonly Body[])
    .filter(({ order_item_id }) => order_item_id === id)
  return refunded.reduce((left, { quantity }) => left - Number(quantity), Number(ordered))
}

/** True if the cost of the shipping is part of a refund already. */
export const isShippingRefunded = (refunds: readonly Body[]): boolean =>
  refunds.some(({ shipping, status }) => shipping === true && status !== 'failed')

const piecesOf = ({ quantities }: Refund) =>
  Object.entries(quantities).filter(([, quantity]) => quantity > 0)

/** True if there is something to refund. */
export const isComplete = (refund: Refund): boolean =>
  refund.kind === 'amount'
    ? refund.amount !== ''
    : piecesOf(refund).length > 0 || refund.isShippingToo

/** The body of the request. */
export function bodyOf(refund: Refund): Body {
  const reason = refund.reason === '' ? {} : { reason: refund.reason }
  if (refund.kind === 'amount') return { amount: Number(refund.amount), ...reason }
  const items = piecesOf(refund).map(([id, quantity]) => ({ order_item_id: Number(id), quantity }))
  return {
    ...(items.length > 0 ? { items, restock: refund.isRestocked } : {}),
    ...(refund.isShippingToo ? { shipping: true } : {}),
    ...reason,
  }
}
