const maxEdits = 2
/** A text may differ in one character of every four, so that HOME is not taken for HOST. */
const charactersPerEdit = 4

/** Returns the known text most similar to another, regardless of case; undefined without one. */
export function findSimilar(text: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((each) => ({ each, edits: countEdits(text.toUpperCase(), each.toUpperCase()) }))
    .filter(({ each, edits }) => edits <= Math.min(maxEdits, each.length / charactersPerEdit))
    .sort((left, right) => left.edits - right.edits)
  return ranked[0]?.each
}

/** The number of characters to insert, delete, replace or swap with the next one. */
function countEdits(from: string, to: string): number {
  // A difference in length is a lower bound; it excludes almost every pair.
  if (Math.abs(from.length - to.length) > maxEdits) return Number.POSITIVE_INFINITY
  let beforeLast: readonly number[] = []
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isEqual = from[row - 1] === to[column - 1]
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isEqual ? 0 : 1),
          isSwapped ? (beforeLast[column - 2] ?? Number.POSITIVE_INFINITY) + 1 : from.length + 1,
        ),
      )
    }
    beforeLast = last
    last = current
  }
  return last[to.length] ?? 0
}
