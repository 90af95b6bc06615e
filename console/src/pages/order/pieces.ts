import type { Body } from '../../api/json.ts'

/** The number of pieces by the ID of the order item. */
export type Quantities = Readonly<Record<string, number>>

/** The pieces that are chosen, as the API takes them. */
export const chosenPieces = (quantities: Quantities) =>
  Object.entries(quantities)
    .filter(([, quantity]) => quantity > 0)
    .map(([id, quantity]) => ({ order_item_id: Number(id), quantity }))

/** How many pieces of an item are not refunded yet. */
export function piecesLeft({ id, quantity: ordered }: Body, refunds: readonly Body[]): number {
  const refunded = refunds
    .filter(({ status }) => status !== 'failed')
    .flatMap(({ items }) => items as unknown as readonly Body[])
    .filter(({ order_item_id }) => order_item_id === id)
  return refunded.reduce((left, { quantity }) => left - Number(quantity), Number(ordered))
}

/** How many pieces of an item are neither sent nor refunded: refunds take those first that were not sent. */
export const leftToSend = (item: Body, refunds: readonly Body[]): number =>
  Math.max(0, piecesLeft(item, refunds) - Number(item['shipped_quantity'] ?? 0))
