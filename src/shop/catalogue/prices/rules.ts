import { dayMs } from '#values/instant.ts'
import type { Minor } from '#values/money.ts'

/** What decides whether a product is on sale. */
interface Prices {
  readonly price: Minor
  readonly compare_at_price: Minor | null
}

/** True while the price to compare with exceeds the price. */
export const isOnSale = ({ price, compare_at_price }: Prices): boolean =>
  compare_at_price !== null && compare_at_price > price

/**
 * True for a change within one reduction: a further one without a rise is part of it (Directive 98/6/EC, Article
 * 6a(5)).
 */
export const continuesReduction = (before: Prices, after: Prices): boolean =>
  isOnSale(before) && isOnSale(after) && after.price <= before.price

/** The time before a reduction of which the lowest price is shown (Directive 98/6/EC, Article 6a(2)). */
export const priorPeriodMs = 30 * dayMs

/** How long a price is kept after it has ended. */
export const priceHistoryMs = 400 * dayMs
