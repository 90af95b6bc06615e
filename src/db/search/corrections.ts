import { type Kysely, sql } from 'kysely'
import { rowsFromJson } from '#db/query/dialect.ts'
import type { Tables } from '#db/tables/tables.ts'

/** In shorter words, one other letter makes another word too often. */
const minLetters = 4
/** More words than these are no typing error; each one costs up to two thousand look-ups. */
const maxCorrectedWords = 3
/** The number of words that may stand for one. */
const maxAlternatives = 4

const alphabets: readonly (readonly [script: RegExp, letters: string])[] = [
  [/[a-z]/, 'abcdefghijklmnopqrstuvwxyzßæøœłđ'],
  [/\p{Script=Cyrillic}/u, 'абвгдежзиклмнопрстуфхцчшщъыьэюяіє'],
  [/\p{Script=Greek}/u, 'αβγδεζηθικλμνξοπρσςτυφχψω'],
]

function lettersFor(word: string): readonly string[] {
  const letters = alphabets.find(([script]) => script.test(word))?.[1] ?? ''
  return [...letters, ...(/\d/.test(word) ? '0123456789' : '')]
}

/**
 * The words from which one typing error makes this word, the likelier errors first: two letters
 * exchanged; a wrong letter or a missing one; a letter too many.
 */
export function wordsWithoutError(word: string): readonly (readonly string[])[] {
  const letters = Array.from(word)
  if (letters.length < minLetters) return []
  const alphabet = lettersFor(word)
  const replace = (at: number, removed: number, text: string): string =>
    letters.toSpliced(at, removed, text).join('')
  const exchanged = letters.slice(1).map((letter, at) => replace(at, 2, `${letter}${letters[at]}`))
  const replaced = letters.flatMap((_, at) => alphabet.map((letter) => replace(at, 1, letter)))
  const added = [...letters, ''].flatMap((_, at) =>
    alphabet.map((letter) => replace(at, 0, letter)),
  )
  const removed = letters.map((_, at) => replace(at, 1, ''))
  const groups = [exchanged, [...replaced, ...added], removed]
  return groups.map((group) => [...new Set(group)].filter((other) => other !== word))
}

/**
 * Replaces the words that no product has by indexed words from which they differ in one typing error:
 * returns the alternatives of each word, in two queries. Undefined if every word is indexed, or if one
 * of the others cannot be corrected.
 */
export async function correctWords(
  db: Kysely<Tables>,
  words: readonly string[],
): Promise<readonly (readonly string[])[] | undefined> {
  const known = await findIndexed(db, words)
  const missing = words.filter((word) => !known.has(word))
  if (missing.length === 0 || missing.length > maxCorrectedWords) return undefined
  const candidates = new Map(missing.map((word) => [word, wordsWithoutError(word)]))
  const indexed = await findIndexed(db, [...new Set([...candidates.values()].flat(2))])
  const corrected = words.map((word) => {
    if (known.has(word)) return [word]
    const groups = (candidates.get(word) ?? []).map((group) =>
      group.filter((candidate) => indexed.has(candidate)),
    )
    return (groups.find((group) => group.length > 0) ?? []).slice(0, maxAlternatives)
  })
  return corrected.some((alternatives) => alternatives.length === 0) ? undefined : corrected
}

/** Returns those of these words that products have. */
async function findIndexed(
  db: Kysely<Tables>,
  words: readonly string[],
): Promise<ReadonlySet<string>> {
  const sought = words.map((word) => ({ word }))
  const rows = await db
    .selectFrom(rowsFromJson(db, sought, { word: 'text' }).as('sought'))
    .select('sought.word')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('product_words')
          .select(sql.lit(1).as('one'))
          .whereRef('product_words.word', '=', 'sought.word')
          // The row of a word stays when its last product is removed.
          .where('product_words.ids', '<>', ''),
      ),
    )
    .execute()
  return new Set(rows.map(({ word }) => word))
}
