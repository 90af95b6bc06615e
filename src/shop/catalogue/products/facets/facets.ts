import type { Minor } from '#values/money.ts'
import { textKey } from '#values/text-key.ts'

/** The maximum number of values of a facet. */
export const maxFacetValues = 100

/** A value, and the number of products that have it. */
export interface ValueCount {
  readonly value: string | number
  readonly count: number
}

/** Rounds a price down to its first digit, in minor units: 2999 to 2000. */
export function priceStep(price: Minor): Minor {
  const unit = 10 ** (String(price).length - 1)
  return Math.floor(price / unit) * unit
}

/** True if the range has each range of `priceRange` whole or not at all. */
export const isOfWholeSteps = (min: Minor | undefined, max: Minor | undefined): boolean =>
  (min === undefined || priceStep(min) === min) &&
  (max === undefined || priceStep(max + 1) === max + 1)

/**
 * The range of the prices that are rounded down to a step, with both ends, in minor units: from 2000 to
 * 2999.
 */
export function priceRange(step: Minor): { readonly from: Minor; readonly to: Minor } {
  const width = step === 0 ? 1 : 10 ** (String(step).length - 1)
  return { from: step, to: step + width - 1 }
}

/** Adds up the counts of each value, except null; the most frequent first. */
export function mostFrequent(
  counts: readonly { readonly value: ValueCount['value'] | null; readonly count: number }[],
): readonly ValueCount[] {
  const sums = new Map<ValueCount['value'], number>()
  for (const { value, count } of counts) {
    if (value !== null) sums.set(value, (sums.get(value) ?? 0) + count)
  }
  return Array.from(sums, ([value, count]) => ({ value, count })).sort(byFrequency)
}

const byFrequency = (one: ValueCount, other: ValueCount): number =>
  other.count - one.count || (one.value < other.value ? -1 : 1)

/** Adds up the values that differ only in case, by their most frequent spelling; the most frequent first. */
export function mergeOptionCounts(counts: readonly ValueCount[]): readonly ValueCount[] {
  const sorted = counts.toSorted((one, other) => other.count - one.count)
  const groups = Map.groupBy(sorted, ({ value }) => textKey(String(value)))
  return [...groups.values()]
    .map((group) => ({
      value: group[0]?.value ?? '',
      count: group.reduce((sum, { count }) => sum + count, 0),
    }))
    .sort(byFrequency)
    .slice(0, maxFacetValues)
}
