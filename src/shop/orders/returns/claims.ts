import { piecesByItem, type SentItem } from '#shop/orders/parcels/quantities.ts'
import type { ItemQuantity } from '#shop/orders/parcels/table.ts'
import type { StoredRefund } from '#shop/orders/refunds/table.ts'
import type { StoredReturn } from './table.ts'

type Refunded = Pick<StoredRefund, 'items' | 'return_id'>
type Returned = Pick<StoredReturn, 'id' | 'items' | 'kind' | 'status'>

/** True for a return that may still lead to a refund. */
export const isOpen = ({ status }: Pick<StoredReturn, 'status'>): boolean =>
  status !== 'rejected' && status !== 'refunded'

/** Returns the open returns whose pieces no refund has taken yet. `refunds` succeeded or are pending. */
const unrefunded = (returns: readonly Returned[], refunds: readonly Refunded[]) => {
  const refunded = new Set(refunds.map(({ return_id }) => return_id))
  return returns.filter((each) => isOpen(each) && !refunded.has(each.id))
}

/** What takes pieces of an order: refunds, and returns that are open. */
export interface PieceClaims {
  /** What takes pieces that were not sent before those that were: refunds without a return, and withdrawals. */
  readonly unsentFirst: readonly { readonly items: readonly ItemQuantity[] }[]
  /** What takes pieces that were sent. */
  readonly sent: readonly { readonly items: readonly ItemQuantity[] }[]
}

/** Returns what takes pieces of an order, each piece once. */
export function claimsOf(refunds: readonly Refunded[], returns: readonly Returned[]): PieceClaims {
  const kinds = new Map(returns.map(({ id, kind }) => [id, kind]))
  const isOfSent = ({ return_id }: Refunded) =>
    return_id !== null && kinds.get(return_id) === 'return'
  const open = Map.groupBy(unrefunded(returns, refunds), ({ kind }) => kind)
  return {
    unsentFirst: [
      ...refunds.filter((refund) => !isOfSent(refund)),
      ...(open.get('withdrawal') ?? []),
    ],
    sent: [...refunds.filter(isOfSent), ...(open.get('return') ?? [])],
  }
}

/** The pieces of an order that may be returned: of a withdrawal, also those that were not sent yet. */
export function piecesToReturn(
  items: readonly SentItem[],
  { unsentFirst, sent: taken }: PieceClaims,
  kind: StoredReturn['kind'],
): readonly ItemQuantity[] {
  const [first, later] = [piecesByItem(unsentFirst), piecesByItem(taken)]
  return items.flatMap(({ id, quantity, sent, requires_shipping }) => {
    if (requires_shipping === 0) return []
    const beforeSent = Math.min(first.get(id) ?? 0, quantity - sent)
    const beyond = (first.get(id) ?? 0) - beforeSent
    const sentLeft = sent - (later.get(id) ?? 0) - beyond
    const left = kind === 'return' ? sentLeft : sentLeft + quantity - sent - beforeSent
    return left > 0 ? [{ order_item_id: id, quantity: left }] : []
  })
}

/** The pieces of items that open returns claim, which no other refund may take. */
export const claimedPieces = (returns: readonly Returned[], refunds: readonly Refunded[]) =>
  piecesByItem(unrefunded(returns, refunds))
