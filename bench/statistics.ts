/**
 * The value below which `part` of the numbers lie; of two in the middle, the lower; NaN of none.
 */
export function quantile(numbers: readonly number[], part: number): number {
  const sorted = Float64Array.from(numbers).sort()
  return sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN
}

/** The median; of two in the middle, the lower. */
export const median = (numbers: readonly number[]): number => quantile(numbers, 0.5)

/** The median of the last quarter of some samples less that of the third quarter. */
export function growthInSecondHalf(samples: readonly number[]): number {
  const second = samples.slice(Math.floor(samples.length / 2))
  const middle = Math.floor(second.length / 2)
  return median(second.slice(middle)) - median(second.slice(0, middle))
}

/** How two series that were measured in turn differ. */
export interface Difference {
  /** The median of the differences, round by round. */
  readonly median: number
  /** Where that median lies with a confidence of 95 %. */
  readonly interval: readonly [number, number]
}

/**
 * Compares two series round by round. The interval is that of the sign test, by ranks, which assumes
 * nothing about the distribution of the times.
 */
export function differenceOf(series: readonly number[], other: readonly number[]): Difference {
  const sorted = series.map((value, round) => value - (other[round] ?? 0)).sort((a, b) => a - b)
  const rounds = sorted.length
  const reach = (1.96 * Math.sqrt(rounds)) / 2
  const low = Math.max(0, Math.floor(rounds / 2 - reach) - 1)
  const high = Math.min(rounds - 1, Math.ceil(rounds / 2 + reach))
  return { median: median(sorted), interval: [sorted[low] ?? 0, sorted[high] ?? 0] }
}
