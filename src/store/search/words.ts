/** Words are truncated to this number of code points. */
const maxWordLength = 24
const maxQueryWords = 32

// Scripts written without spaces; each pair of adjacent characters counts as a word.
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/u
const runs = new RegExp(`${unspaced.source}|(?:(?!${unspaced.source})[\\p{L}\\p{N}\\p{M}])+`, 'gu')

/** True for a word of a script without spaces: a pair of characters, or the last one of a run. */
export const isUnspaced = (word: string): boolean => unspaced.test(word)

/** Lower-cases a text, removes accents, and replaces compatibility characters (full width, ligatures). */
const normalize = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFC')
    .toLowerCase()

/** The pairs of adjacent characters of a run, or its only character. */
function pairsOf(run: string): readonly string[] {
  const characters = Array.from(run)
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`)
}

function truncate(word: string): string {
  if (word.length <= maxWordLength) return word
  // A code point has at most two code units; the first slice keeps a very long word cheap.
  const start = word.slice(0, 2 * maxWordLength)
  return Array.from(start).slice(0, maxWordLength).join('')
}

const runsOf = (text: string): readonly string[] => normalize(text).match(runs) ?? []

function wordsOfRuns(found: readonly string[]): Set<string> {
  const words = new Set<string>()
  for (const run of found) {
    if (unspaced.test(run)) for (const pair of pairsOf(run)) words.add(pair)
    else words.add(truncate(run))
  }
  return words
}

/**
 * The words of a text to index, each once: runs of letters and digits, lower-cased and without
 * accents, and in scripts without spaces each pair of adjacent characters. The last character of
 * such a run is a word of its own, so that a query of one character finds it anywhere.
 */
export function wordsOfText(text: string): readonly string[] {
  const found = runsOf(text)
  const words = wordsOfRuns(found)
  for (const run of found) {
    if (unspaced.test(run)) words.add(Array.from(run).at(-1) ?? '')
  }
  return [...words]
}

/** The first 32 words of a search query. */
export const wordsOfQuery = (query: string): readonly string[] =>
  [...wordsOfRuns(runsOf(query))].slice(0, maxQueryWords)

/** The first character of an entry that is no word: it has no prefixes, and no word begins so. */
const entryMark = '@'

/** True for an entry of the index that is no word, such as that of an option. */
export const isEntry = (word: string): boolean => word.startsWith(entryMark)

/** What a product is found by besides its texts: more texts, and entries, which begin with `@`. */
export interface MoreToSearch {
  readonly texts: readonly string[]
  readonly entries: readonly string[]
}

/** The indexed words of a product, each after a space: the value of `products.search_text`. */
export const searchTextOf = (
  product: {
    readonly name: string
    readonly description: string
    readonly category: string | null
  },
  { texts, entries }: MoreToSearch = { texts: [], entries: [] },
): string =>
  joinWords([
    ...wordsOfText(
      [product.name, product.description, product.category ?? '', ...texts].join('\n'),
    ),
    ...entries,
  ])

/** The words of several search texts, each once. */
export const mergeSearchTexts = (texts: readonly string[]): string =>
  joinWords(new Set(texts.flatMap((text) => text.split(' ').slice(1))))

const joinWords = (words: Iterable<string>): string =>
  Array.from(words, (word) => ` ${word}`).join('')

/** Every prefix of a word, including the word. */
export function prefixesOf(word: string): readonly string[] {
  let prefix = ''
  return Array.from(word, (character) => {
    prefix += character
    return prefix
  })
}
