/** A source of numbers from 0 (included) to 1 (excluded). */
export type Random = () => number

/** Scrambles a 32-bit integer so that neighbouring inputs give unrelated fractions in [0, 1). */
function scramble(state: number): number {
  let bits = Math.imul(state ^ (state >>> 15), state | 1)
  bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
  return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
}

/** Returns a mulberry32 generator: the same seed always gives the same sequence. */
export function createRandom(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    return scramble(state)
  }
}

/** Returns a stateless random fraction in [0, 1) for `n` and `salt`. */
export function randomAt(n: number, salt: number): number {
  return scramble((Math.imul(n + 1, 0x6d2b79f5) + Math.imul(salt, 0x9e3779b1)) | 0)
}

/** Returns an integer from `min` to `max`, both included. */
export function integerBetween(min: number, max: number, random: Random): number {
  return min + Math.floor(random() * (max - min + 1))
}

/**
 * Returns the entry at `fraction` in [0, 1) of a non-empty list. Throws a RangeError for an empty
 * one.
 */
export function entryAt<Entry>(entries: readonly Entry[], fraction: number): Entry {
  const entry = entries[Math.floor(fraction * entries.length)]
  if (entry === undefined) throw new RangeError('The list is empty.')
  return entry
}

/** Returns the entry at `index` modulo the length of a non-empty list. */
export function wrappedEntry<Entry>(entries: readonly Entry[], index: number): Entry {
  return entryAt(entries, ((index % entries.length) + 0.5) / entries.length)
}
