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

/** Returns the fraction in [0, 1) that belongs to `n` and `salt`, without keeping any state. */
export function randomAt(n: number, salt: number): number {
  return scramble((Math.imul(n + 1, 0x6d2b79f5) + Math.imul(salt, 0x9e3779b1)) | 0)
}

/** Returns an integer from `lowest` to `highest`, both included. */
export function integerBetween(lowest: number, highest: number, random: Random): number {
  return lowest + Math.floor(random() * (highest - lowest + 1))
}

/** Returns the entry of a non-empty list that `fraction` in [0, 1) points at. */
export function entryAt<Entry>(entries: readonly Entry[], fraction: number): Entry {
  const entry = entries[Math.floor(fraction * entries.length)]
  if (entry === undefined) throw new RangeError('There is nothing to pick from an empty list.')
  return entry
}

/** Returns the entry a non-negative `index` reaches when it goes round a non-empty list. */
export function entryAround<Entry>(entries: readonly Entry[], index: number): Entry {
  return entryAt(entries, ((index % entries.length) + 0.5) / entries.length)
}
