import { textHash } from '#values/text-hash.ts'

/** Half as many are remembered as have come since, more or less; four bytes each. */
const slots = 65_536

/**
 * Tells of each text whether it came before, not long ago. It takes the same memory whatever comes: who comes later
 * takes the place of who came earlier, and one text in some thousand millions is taken for another.
 */
export function openAdmissionFilter(): (text: string) => boolean {
  const places = new Uint32Array(slots)
  return (text) => {
    const hash = textHash(text)
    const place = hash % slots
    const isKnown = places[place] === hash
    places[place] = hash
    return isKnown
  }
}
