/**
 * What a reader does not see: white space, controls, format characters, fillers and variation selectors
 * (Default_Ignorable_Code_Point of Unicode, and the empty Braille pattern).
 */
const unseen = /[\s\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u
const unseenOnly = new RegExp(`^(?:${unseen.source})*$`, 'u')
// The white space of Unicode: unlike \s it has U+0085, and not U+FEFF, which is a format character.
const removed = /(?:(?!\p{White_Space})[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}])+/gu
const blanks = /[\p{White_Space}\p{Z}\u2800]+/gu

// Normalization takes quadratic time on a run of combining marks; no accepted text is longer.
const maxLength = 2000

/** The number of characters that a reader sees. */
export const seenLength = (text: string): number =>
  Array.from(text).filter((character) => !unseen.test(character)).length

/** True for a text that has nothing to read: it counts as an absent one. */
export const isBlank = (text: string): boolean => unseenOnly.test(text)

/**
 * Lower-cases a text so that all spellings of a letter give one: `ß` and `ẞ` are `ss`, `ς` is `σ`, `ı` and
 * `İ` are `i`, which loses its dot below other marks, too. (Upper case first, since several letters share one upper
 * case.) The result is in NFD.
 */
export const foldCase = (text: string): string =>
  text
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
    .normalize('NFD')
    .replace(/i\p{Mn}+/gu, (letter) => letter.replaceAll('\u0307', ''))

/** A text in NFKC, without format characters. */
export const visibleText = (text: string): string => text.normalize('NFKC').replace(removed, '')

/**
 * The form by which keys are compared: categories, tags, SKUs, codes, options, names of users. In NFKC, without
 * format characters and outer blanks, with one space for inner blanks, case folded.
 */
export function textKey(text: string): string {
  if (text.length > maxLength) return text
  return foldCase(visibleText(text)).normalize('NFKC').replace(blanks, ' ').trim()
}
