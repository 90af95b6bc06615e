import { textHash } from '#values/text-hash.ts'

/** The number of hashes remembered, of four bytes each. */
const slotCount = 65_536

/**
 * Creates a filter that returns true for a text it was called with before, in constant memory. A
 * later text with the same slot replaces an earlier one; two texts are confused once in about 2³²
 * times.
 */
export function createAdmissionFilter(): (text: string) => boolean {
  const hashes = new Uint32Array(slotCount)
  return (text) => {
    const hash = textHash(text)
    const slot = hash % slotCount
    const isKnown = hashes[slot] === hash
    hashes[slot] = hash
    return isKnown
  }
}
