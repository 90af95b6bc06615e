import { withoutAccents } from '#values/plain-letters.ts'
import { foldCase, visibleText } from '#values/text-key.ts'

const ascii = /^[\0-\x7f]*$/
// Normalization takes quadratic time on a run of combining marks.
const excessMarks = /(\p{M}{8})\p{M}+/gu
/** Marks that readers leave out: vowels of Arabic and Hebrew, and what encloses a character. */
const optionalMarks =
  /[[\p{Script_Extensions=Arabic}\p{Script_Extensions=Hebrew}]&&\p{M}]|[\u20d0-\u20ff\u0640]/gv
const foreignDigit = /(?![0-9])\p{Nd}/gu
const katakana = /[\u30a1-\u30f6]/g
/** How far a character of Hiragana is before that of Katakana. */
const kanaDistance = 0x60

const otherLetters: Readonly<Record<string, string>> = { ى: 'ي', ی: 'ي', ک: 'ك', ة: 'ه', ə: 'e' }
const others = new RegExp(`[${Object.keys(otherLetters).join('')}]`, 'g')

/** Letters that are also written with a second letter instead of their accent. */
const digraphs: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ø: 'oe',
  å: 'aa',
}
const accented = new RegExp(`[${Object.keys(digraphs).join('')}]`, 'g')

/** The digit from 0 to 9 that a digit of any script is; those of a script follow one another. */
function digitOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String((code - zero) % 10)
}

const foldLetters = (text: string): string =>
  withoutAccents(text.normalize('NFD').replace(optionalMarks, ''))
    .replace(others, (letter) => otherLetters[letter] ?? letter)
    .replace(foreignDigit, digitOf)
    .replace(katakana, (kana) => String.fromCharCode(kana.charCodeAt(0) - kanaDistance))

/**
 * The forms of a text in which it is found, in lower case and without accents, vowel marks, forms of width
 * and format characters: one, and a second where a letter is also written as two (`muller`, `mueller`). Both
 * have the same parts.
 */
export function foldings(text: string): readonly string[] {
  if (ascii.test(text)) return [text.toLowerCase()]
  const lower = foldCase(visibleText(text.replace(excessMarks, '$1'))).normalize('NFC')
  const plain = foldLetters(lower)
  const written = lower.replace(accented, (letter) => digraphs[letter] ?? letter)
  return written === lower ? [plain] : [plain, foldLetters(written)]
}
