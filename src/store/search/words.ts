import { foldings } from './fold.ts'
import { isSmall, joinedWords, type Part, pairsOf, partsOf, symbolsOf, truncate } from './parts.ts'

/** What a product is found by: its texts, those that count most first, and entries, which begin with `@`. */
export interface SearchedTexts {
  readonly name: string
  /** Short texts, such as the category. */
  readonly details: readonly string[]
  readonly description: string
  readonly entries: readonly string[]
}

/** How many ranks of words there are: in the name, in details, in the description. */
export const rankCount = 3

/** The first character of an entry that is no word: it has no prefixes, and no word begins so. */
const entryMark = '@'

/** True for an entry of the index that is no word, such as that of an option. */
export const isEntry = (word: string): boolean => word.startsWith(entryMark)

const endOfRun = (run: string): string => Array.from(run).at(-1) ?? ''

/** The words of a part; the last character of a run is one, so that a query of one character finds it anywhere. */
const wordsOfPart = ({ text, isUnspaced }: Part): readonly string[] =>
  isUnspaced ? [...pairsOf(text), endOfRun(text)] : [truncate(text)]

/**
 * The words of a text to index, each once: runs of letters and digits, folded, and in scripts without spaces each
 * pair of adjacent characters; what neighbouring parts are together; and symbols. Prose has no small words.
 */
export function wordsOfText(text: string, isProse = false): readonly string[] {
  const words = new Set<string>()
  for (const folded of foldings(text)) {
    const parts = partsOf(folded)
    for (const part of parts) {
      if (isProse && isSmall(part)) continue
      for (const word of wordsOfPart(part)) words.add(word)
    }
    for (const word of joinedWords(parts, isProse)) words.add(word)
    for (const symbol of symbolsOf(folded)) words.add(symbol)
  }
  return [...words]
}

/**
 * The indexed words of a product, each after a space: the value of `products.search_text`. A line for each rank,
 * and entries on the first; empty for a product that is not indexed.
 */
export function searchTextOf({ name, details, description, entries }: SearchedTexts): string {
  return textOfRanks([
    [...wordsOfText(name), ...entries],
    wordsOfText(details.join('\n')),
    wordsOfText(description, true),
  ])
}

/** Each word once, at its best rank. */
function textOfRanks(ranks: readonly Iterable<string>[]): string {
  const known = new Set<string>()
  const lines = ranks.map((words) => {
    const line = Array.from(new Set(words).difference(known), (word) => ` ${word}`).join('')
    for (const word of words) known.add(word)
    return line
  })
  return lines.join('\n')
}

/** The words of a search text by rank. */
export const wordsByRank = (searchText: string): readonly (readonly string[])[] =>
  searchText.split('\n').map((line) => line.split(' ').filter((word) => word !== ''))

/** The words of several search texts, each once. */
export function mergeSearchTexts(texts: readonly string[]): string {
  const all = texts.map(wordsByRank)
  return textOfRanks(
    Array.from({ length: rankCount }, (_, rank) => all.flatMap((ranks) => ranks[rank] ?? [])),
  )
}

/** Every prefix of a word, including the word. */
export function prefixesOf(word: string): readonly string[] {
  let prefix = ''
  return Array.from(word, (character) => {
    prefix += character
    return prefix
  })
}
