/** Returns the sum of the quantities of each item, by the ID that `idOf` returns. */
export function sumQuantities<Line extends { readonly quantity: number }>(
  lines: readonly Line[],
  idOf: (line: Line) => number,
): ReadonlyMap<number, number> {
  const sums = new Map<number, number>()
  for (const line of lines) sums.set(idOf(line), (sums.get(idOf(line)) ?? 0) + line.quantity)
  return sums
}
