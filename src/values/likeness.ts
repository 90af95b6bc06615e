/** Returns how much two texts have in common, from 0 to 1: the share of the pairs of adjacent characters. */
export function likenessOf(one: string, other: string): number {
  const [pairs, others] = [pairsOf(one), pairsOf(other)]
  return (2 * pairs.intersection(others).size) / (pairs.size + others.size)
}

/** The pairs of adjacent characters of a text, also at its ends. */
function pairsOf(text: string): ReadonlySet<string> {
  const padded = ` ${text} `
  return new Set(Array.from(padded, (_, at) => padded.slice(at, at + 2)))
}
