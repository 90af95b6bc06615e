import { foldings } from './fold.ts'
import { partsOf } from './parts.ts'

const maxTokens = 8
/** Longer words are found by their first characters. */
const maxLength = 64
const before = /^[^\p{L}\p{N}]+/u
const after = /[^\p{L}\p{N}]+$/u
/** The last code point, after which no text of a word goes on. */
const last = '\u{10ffff}'

const cut = (word: string): string =>
  Array.from(word.slice(0, 2 * maxLength))
    .slice(0, maxLength)
    .join('')

/** What stands between the blanks of a folded text, without marks around it. */
const tokensOf = (folded: string): readonly string[] =>
  // Cut first: looking for the end takes quadratic time on a run of marks.
  folded.split(/\s+/).map((token) => cut(token.replace(before, '')).replace(after, ''))

/** The words of texts by whose beginnings a row is found: what is between blanks, and the parts of that. */
export const wordsToBeginWith = (texts: readonly (string | null)[]): readonly string[] => {
  const folded = texts.flatMap((text) => foldings(text ?? ''))
  const parts = folded.flatMap((text) => partsOf(text).map((part) => cut(part.text)))
  return [...new Set([...folded.flatMap(tokensOf), ...parts])].filter((word) => word !== '')
}

/** A range of words, without its end. */
export interface WordRange {
  readonly from: string
  readonly before: string
}

/** For each of the first eight words of a search, the ranges of the words that begin so, in any spelling. */
export function rangesOfQuery(query: string): readonly (readonly WordRange[])[] {
  const spelled = foldings(query).map(tokensOf)
  const [tokens = []] = spelled
  const ranges = tokens.map((_, at) =>
    [...new Set(spelled.map((words) => words[at] ?? ''))]
      .filter((word) => word !== '')
      .map((from) => ({ from, before: `${from}${last}` })),
  )
  return ranges.filter(({ length }) => length > 0).slice(0, maxTokens)
}

/** IDs from the first to the last. */
export interface IdRange {
  readonly first: number
  readonly last: number
}

/** The ranges of the IDs that begin with these digits; none for another word. */
export function idRangesOf(word: string): readonly IdRange[] {
  if (!/^[1-9]\d{0,14}$/.test(word)) return []
  const ranges: IdRange[] = []
  for (let [first, size] = [Number(word), 1]; first + size <= Number.MAX_SAFE_INTEGER; ) {
    ranges.push({ first, last: first + size - 1 })
    first *= 10
    size *= 10
  }
  return ranges
}
