/** Computes `amount * numerator / denominator` exactly, rounded half up; all are integers ≥ 0. */
export const scaleHalfUp = (amount: number, numerator: number, denominator: number): number =>
  Number(
    (2n * BigInt(amount) * BigInt(numerator) + BigInt(denominator)) / (2n * BigInt(denominator)),
  )

/** Computes `amount * numerator / denominator` exactly, rounded down; all are integers ≥ 0. */
export const scaleDown = (amount: number, numerator: number, denominator: number): number =>
  Number((BigInt(amount) * BigInt(numerator)) / BigInt(denominator))

/**
 * Divides `total` in proportion to `weights` by the method of largest remainders: the parts add up
 * to `total` exactly, and none differs from its exact share by 1 or more. Of equal remainders, the
 * earlier weight gets the unit. All parts are 0 when the weights add up to 0.
 */
export function allocateByWeights(total: number, weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((added, weight) => added + weight, 0)
  if (sum === 0) return weights.map(() => 0)
  const parts = weights.map((weight, index) => {
    const part = scaleDown(total, weight, sum)
    const remainder = BigInt(total) * BigInt(weight) - BigInt(part) * BigInt(sum)
    return { index, part, remainder }
  })
  const units = total - parts.reduce((added, { part }) => added + part, 0)
  const first = parts
    .toSorted((a, b) => Number(b.remainder - a.remainder) || a.index - b.index)
    .slice(0, units)
  const increased = new Set(first.map(({ index }) => index))
  return parts.map(({ index, part }) => part + (increased.has(index) ? 1 : 0))
}
