import { median } from './compare.ts'

/** Two series of times that were taken in turn, in microseconds, and how they differ. */
export interface Difference {
  readonly name: string
  readonly rounds: number
  /** The medians of each. */
  readonly known: number
  readonly unknown: number
  /** The median of what the first took more than the second, round by round. */
  readonly difference: number
  /** Where that median lies with a confidence of 95 %. */
  readonly interval: readonly [number, number]
}

/**
 * Compares two series round by round. The interval is that of the sign test, by ranks: it takes
 * nothing for granted of how the times are spread, which is never as a bell.
 */
export function differenceOf(
  name: string,
  known: readonly number[],
  unknown: readonly number[],
): Difference {
  const more = known.map((took, round) => took - (unknown[round] ?? 0)).sort((a, b) => a - b)
  const rounds = more.length
  const reach = (1.96 * Math.sqrt(rounds)) / 2
  const low = Math.max(0, Math.floor(rounds / 2 - reach) - 1)
  const high = Math.min(rounds - 1, Math.ceil(rounds / 2 + reach))
  return {
    name,
    rounds,
    known: median(known),
    unknown: median(unknown),
    difference: median(more),
    interval: [more[low] ?? 0, more[high] ?? 0],
  }
}
