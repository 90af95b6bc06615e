import { isSmallWord } from './small-words.ts'

/** The maximum number of neighbouring parts that are one word, such as those of `WH-1000-XM4`. */
export const maxJoinedParts = 4
/** Words are truncated to this number of code points. */
const maxWordLength = 24
/** Two words that are no longer may be one, such as `wi fi`. */
const maxShortLength = 3

// Scripts written without spaces; each pair of adjacent characters counts as a word. The mark of a long
// vowel (U+30FC) belongs to no script.
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]+/u
const runs = new RegExp(`${unspaced.source}|(?:(?!${unspaced.source})[\\p{L}\\p{N}\\p{M}])+`, 'gu')
const ascii = /^[\0-\x7f]*$/
const asciiRuns = /[a-z0-9]+/g
/** What can be searched for beside letters and digits, if a search has none of these. */
const symbols = /[\p{S}%&#*§¶†‡•]/gu

const glue = /^[^\s()[\]{}"<>|]$/u
const blanks = /^[^\S\n]+$/u
const apostrophe = /^['’]$/
export const hasDigit = /\d/
const hangul = /^\p{Script=Hangul}+$/u

/** A run of letters and digits of a folded text. */
export interface Part {
  readonly text: string
  readonly isUnspaced: boolean
  /** What is between it and the part before: one character, blanks, or more than that. */
  readonly gap: 'glued' | 'near' | 'apart'
  /** True if an apostrophe follows it, or is before it. */
  readonly isElided: boolean
}

/** True for a word of a script without spaces: a pair of characters, or the last one of a run. */
export const isUnspaced = (word: string): boolean => unspaced.test(word)

function gapOf(between: string): Part['gap'] {
  if (between === ' ') return 'near'
  if (glue.test(between)) return 'glued'
  return blanks.test(between) ? 'near' : 'apart'
}

/** The parts of a folded text. */
export function partsOf(text: string): readonly Part[] {
  // Other scripts take ten times as long.
  const isAscii = ascii.test(text)
  const parts: { -readonly [Key in keyof Part]: Part[Key] }[] = []
  let end = 0
  for (const { 0: run, index } of text.matchAll(isAscii ? asciiRuns : runs)) {
    const between = text.slice(end, index)
    const isElided = apostrophe.test(between)
    const last = parts.at(-1)
    if (last && isElided) last.isElided = true
    const gap = last ? gapOf(between) : 'apart'
    parts.push({ text: run, isUnspaced: !isAscii && isUnspaced(run), gap, isElided })
    end = index + run.length
  }
  return parts
}

/** True for a small word, and for what an apostrophe leaves of one. */
export const isSmall = ({ text, isElided }: Part): boolean => isSmallWord(text, isElided)

/** The symbols of a folded text, each once. */
export const symbolsOf = (text: string): readonly string[] => [
  ...new Set(text.match(symbols)?.filter((symbol) => symbol !== '|')),
]

/** The pairs of adjacent characters of a run, or its only character. */
export function pairsOf(run: string): readonly string[] {
  const characters = Array.from(run)
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`)
}

export function truncate(word: string): string {
  if (word.length <= maxWordLength) return word
  // A code point has at most two code units; the first slice keeps a very long word cheap.
  const start = word.slice(0, 2 * maxWordLength)
  return Array.from(start).slice(0, maxWordLength).join('')
}

/** Some parts as one word. */
export const joinParts = (parts: readonly Part[]): string =>
  truncate(parts.map(({ text }) => text).join(''))

/** True for two words that others write as one, such as `28 cm`, `iPhone 15`; in Korean any. */
const isOneWord = ({ text: word }: Part, { text: next }: Part): boolean =>
  hasDigit.test(word) || hasDigit.test(next) || (hangul.test(word) && hangul.test(next))

/** True for two short words of a short text, all of which may be meant as one, such as `wi fi`. */
const areShort = ({ text: word }: Part, { text: next }: Part): boolean =>
  word.length === 1 || next.length === 1 || Math.max(word.length, next.length) <= maxShortLength

/**
 * The words that neighbouring parts are together. From each part on, up to four without a blank between them
 * (`wh1000xm4` and `1000xm4`), so that every beginning of it finds them; over a blank a word and a number and,
 * unless the text is prose, short words. In scripts without spaces, the pair over a blank.
 */
export function joinedWords(parts: readonly Part[], isProse: boolean): readonly string[] {
  return parts.flatMap((part, at) => {
    const next = parts[at + 1]
    if (!next || next.gap === 'apart' || next.isUnspaced !== part.isUnspaced) return []
    if (part.isUnspaced) {
      return [`${Array.from(part.text).at(-1) ?? ''}${Array.from(next.text)[0] ?? ''}`]
    }
    if (next.gap === 'near') {
      const isOne = isProse
        ? isOneWord(part, next) && !isSmall(part) && !isSmall(next)
        : isOneWord(part, next) || areShort(part, next)
      return isOne ? [joinParts([part, next])] : []
    }
    const candidates = parts.slice(at + 1, at + maxJoinedParts)
    const end = candidates.findIndex((each) => each.gap !== 'glued' || each.isUnspaced)
    return [joinParts([part, ...candidates.slice(0, end === -1 ? undefined : end)])]
  })
}
