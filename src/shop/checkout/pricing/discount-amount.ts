import type { Minor } from '#values/money.ts'
import { textKey } from '#values/text-key.ts'
import { allocateByWeights, scaleHalfUp } from './exact.ts'
import { type PercentUnits, wholePercent } from './percent.ts'

/** What a discount is worth: a share of the price, an amount of money, or the cost of shipping. */
export type DiscountValue =
  | { readonly kind: 'percent'; readonly percent: PercentUnits }
  | { readonly kind: 'amount'; readonly amountMinor: Minor }
  | { readonly kind: 'free_shipping' }

/** The lines that a discount applies to; it applies to all when both lists are empty. */
export interface DiscountScope {
  readonly products: readonly number[]
  readonly categories: readonly string[]
}

/** The fields of a line that a discount reads. */
export interface DiscountableLine {
  readonly product_id: number
  /** The parent of a variant. */
  readonly variant_of: number | null
  readonly category: string | null
  readonly line_total: Minor
}

/** True when the discount applies to the line: by its product, the parent of it, or its category. */
export const isDiscounted = (line: DiscountableLine, { products, categories }: DiscountScope) =>
  (products.length === 0 && categories.length === 0) ||
  products.includes(line.product_id) ||
  (line.variant_of !== null && products.includes(line.variant_of)) ||
  (line.category !== null && categories.some(isSameAs(line.category)))

const isSameAs =
  (category: string) =>
  (other: string): boolean =>
    textKey(other) === textKey(category)

/**
 * Returns the discount of each line in minor units. A percentage is rounded half up on the sum of
 * the lines that it applies to; an amount is at most that sum. Either is shared by largest
 * remainders, ties in the order of the lines.
 */
export function discountLines(
  lines: readonly DiscountableLine[],
  value: DiscountValue,
  scope: DiscountScope,
): readonly Minor[] {
  const weights = lines.map((line) => (isDiscounted(line, scope) ? line.line_total : 0))
  const sum = weights.reduce((added, weight) => added + weight, 0)
  return allocateByWeights(discountOf(sum, value), weights)
}

function discountOf(sum: Minor, value: DiscountValue): Minor {
  switch (value.kind) {
    case 'percent':
      return scaleHalfUp(sum, value.percent, wholePercent)
    case 'amount':
      return Math.min(value.amountMinor, sum)
    case 'free_shipping':
      return 0
    default:
      return value satisfies never
  }
}
