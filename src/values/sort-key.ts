import { textKey } from './text-key.ts'

declare const isSortKey: unique symbol

/** The form of a text by which lists are sorted, in the order of its bytes. */
export type SortKey = string & { readonly [isSortKey]: true }

/** Letters that have no decomposition, as they are sorted. */
const plainLetters: Readonly<Record<string, string>> = {
  æ: 'ae',
  ð: 'd',
  đ: 'd',
  ħ: 'h',
  ł: 'l',
  ø: 'o',
  œ: 'oe',
  þ: 'th',
  ŧ: 't',
}
const special = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g')
const accents = /[\u0300-\u036f]+/g
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
  const letters = textKey(text)
    .normalize('NFD')
    .replace(accents, '')
    .replace(special, (letter) => plainLetters[letter] ?? letter)
  const sorted = letters.normalize('NFC').replace(number, sortableNumber)
  return Array.from(sorted).slice(0, maxCharacters).join('') as SortKey
}
