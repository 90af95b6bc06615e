import type { Body } from '../../api/json.ts'
import { chosenPieces, type Quantities } from './pieces.ts'

/** What is entered to refund an order. */
export interface Refund {
  readonly kind: 'pieces' | 'amount'
  readonly quantities: Quantities
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

/** True if the cost of the shipping is part of a refund already. */
export const isShippingRefunded = (refunds: readonly Body[]): boolean =>
  refunds.some(({ shipping, status }) => shipping === true && status !== 'failed')

/** True if there is something to refund. */
export const isComplete = (refund: Refund): boolean =>
  refund.kind === 'amount'
    ? refund.amount !== ''
    : chosenPieces(refund.quantities).length > 0 || refund.isShippingToo

/** The body of the request. */
export function bodyOf(refund: Refund): Body {
  const reason = refund.reason === '' ? {} : { reason: refund.reason }
  if (refund.kind === 'amount') return { amount: Number(refund.amount), ...reason }
  const items = chosenPieces(refund.quantities)
  return {
    ...(items.length > 0 ? { items, restock: refund.isRestocked } : {}),
    ...(refund.isShippingToo ? { shipping: true } : {}),
    ...reason,
  }
}
