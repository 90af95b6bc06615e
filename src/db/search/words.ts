/** How many letters of a word count; the others of a longer one are not looked at. */
const longest = 24
/** How many words of one query count. */
const maxSearchWords = 32

// Scripts that are written without spaces: every two neighbouring signs are a word of theirs.
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/u
const runs = new RegExp(`${unspaced.source}|(?:(?!${unspaced.source})[\\p{L}\\p{N}\\p{M}])+`, 'gu')

/** Without case and accents, and with wide, narrow and ligated letters as the usual ones. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFC')
    .toLowerCase()

/** The signs of a run in pairs; a sign alone is its own word. */
function pairsOf(run: string): readonly string[] {
  const signs = Array.from(run)
  return signs.length === 1 ? signs : signs.slice(1).map((sign, at) => `${signs[at]}${sign}`)
}

function splitText(text: string): ReadonlySet<string> {
  const words = new Set<string>()
  for (const [run] of plain(text).matchAll(runs)) {
    if (unspaced.test(run)) for (const pair of pairsOf(run)) words.add(pair)
    else
      words.add(
        Array.from(run.slice(0, 2 * longest))
          .slice(0, longest)
          .join(''),
      )
  }
  return words
}

/**
 * The words of a text, each once: letters and digits in a row, lower-cased and without accents, and
 * in scripts without spaces every two neighbouring signs. The last sign of such a run counts alone,
 * too, so that every sign begins a word.
 */
export function wordsIn(text: string): readonly string[] {
  const words = new Set(splitText(text))
  for (const [run] of plain(text).matchAll(runs)) {
    if (unspaced.test(run)) words.add(Array.from(run).at(-1) ?? '')
  }
  return [...words]
}

/** The words that a query asks for; at most 32 count. */
export const wordsAsked = (query: string): readonly string[] =>
  [...splitText(query)].slice(0, maxSearchWords)

/** The words of a product's texts with a space before each, which is what `q` looks in. */
export const searchTextOf = (product: {
  readonly name: string
  readonly description: string
  readonly category: string | null
}): string =>
  wordsIn([product.name, product.description, product.category ?? ''].join('\n'))
    .map((word) => ` ${word}`)
    .join('')

/** All that a word begins with, itself included. */
export function prefixesOf(word: string): readonly string[] {
  const signs = Array.from(word)
  return signs.map((_, at) => signs.slice(0, at + 1).join(''))
}
