import { withoutAccents } from './plain-letters.ts'
import { textKey } from './text-key.ts'

declare const isSortKey: unique symbol

/** The form of a text by which lists are sorted, in the order of its bytes. */
export type SortKey = string & { readonly [isSortKey]: true }

const number = /\d+/g
/** An index entry of PostgreSQL has at most 2,704 bytes. */
const maxCharacters = 150

/** A number whose text sorts by its value: how many digits it has, then the digits. */
function sortableNumber(digits: string): string {
  const value = digits.replace(/^0+(?=\d)/, '')
  return `${String(Math.min(value.length, 99)).padStart(2, '0')}${value}`
}

/**
 * The form of a name by whose bytes names are sorted: case and accents are ignored, and digits count by
 * value, so that `Zebra 2` comes before `Zebra 10`.
 */
export function sortKey(text: string): SortKey {
  const sorted = withoutAccents(textKey(text)).replace(number, sortableNumber)
  return Array.from(sorted).slice(0, maxCharacters).join('') as SortKey
}
