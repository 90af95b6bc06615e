/** Pieces of a product that every network may hold in unpaid orders, however few there are. */
export const minPiecesHeld = 5

/** The number of orders that may be cancelled for one other. */
export const maxYieldingOrders = 100

/** The pieces of a product that the unpaid orders of a network hold, where these are too many. */
export interface Holder {
  readonly product_id: number
  readonly network: string
  readonly pieces: number
  /** What is in stock and what all unpaid orders hold. */
  readonly pieces_together: number
}

/** What is known of an order that may be cancelled. */
interface YieldingState {
  readonly revision: number
  readonly discount_id: number | null
  /** 1 where a payment that waits for its buyer must be cancelled before the order, else 0. */
  readonly awaits_buyer: number
}

/** A line of an unpaid order that may be cancelled. */
export interface UnpaidLine extends YieldingState {
  readonly order_id: number
  readonly network: string
  readonly product_id: number
  readonly pieces: number
}

/** An order to be cancelled, as it was read. */
export interface YieldingOrder extends YieldingState {
  readonly id: number
}

/** The pieces of a product that the unpaid orders of a network may hold without yielding. */
const piecesAllowed = ({ pieces_together }: Holder, share: number): number =>
  Math.max(minPiecesHeld, share * pieces_together)

/**
 * Chooses the orders to cancel so that the missing pieces become free, by product: the newest first of
 * those whose network holds more than its share of what is missing, and those whose payment must be ended
 * last. `lines` are theirs, the newest first. Returns undefined where the pieces cannot become free.
 */
export function chooseYieldingOrders(
  missingPieces: ReadonlyMap<number, number>,
  holders: readonly Holder[],
  lines: readonly UnpaidLine[],
  share: number,
): readonly YieldingOrder[] | undefined {
  const missing = new Map(missingPieces)
  const nameOf = ({
    product_id,
    network,
  }: {
    readonly product_id: number
    readonly network: string
  }) => `${product_id} ${network}`
  const excess = new Map(
    holders.map((holder) => [nameOf(holder), holder.pieces - piecesAllowed(holder, share)]),
  )
  const waitingLast = lines.toSorted((one, other) => one.awaits_buyer - other.awaits_buyer)
  const byOrder = [...Map.groupBy(waitingLast, ({ order_id }) => order_id)]
  const chosen = new Map<number, YieldingOrder>()
  for (const productId of missing.keys()) {
    for (const [id, own] of byOrder) {
      if ((missing.get(productId) ?? 0) <= 0) break
      const line = own.find(({ product_id }) => product_id === productId)
      if (!line || chosen.has(id) || (excess.get(nameOf(line)) ?? 0) <= 0) continue
      const { revision, discount_id, awaits_buyer } = line
      chosen.set(id, { id, revision, discount_id, awaits_buyer })
      for (const each of own) {
        missing.set(each.product_id, (missing.get(each.product_id) ?? 0) - each.pieces)
        excess.set(nameOf(each), (excess.get(nameOf(each)) ?? 0) - each.pieces)
      }
    }
  }
  const isEnough = [...missing.values()].every((pieces) => pieces <= 0)
  return isEnough && chosen.size <= maxYieldingOrders ? [...chosen.values()] : undefined
}
