import { type Kysely, type SqlBool, sql } from 'kysely'
import { rowsFromJson } from '#store/query/dialect.ts'
import type { Tables } from '#store/tables.ts'
import { hasDigit, isUnspaced } from './parts.ts'
import type { QueryWords, Span } from './query-words.ts'
import { isOfShownTexts, wholeWords } from './word-index.ts'
import { rankCount } from './words.ts'

/**
 * Typing errors of shorter words are not corrected: one changed letter often gives another word.
 */
const minLetters = 4
/** The minimum length of each part of a split word. */
const minPartLetters = 3
/** A syllable of Hangul has two letters or more. */
const minSyllables = 2
/** A query with more unknown words is not corrected; each word costs up to 2,000 look-ups in each rank. */
const maxCorrectedWords = 3
/** The number of words that may stand for one, of each kind of error. */
const maxAlternatives = 4

const alphabets: readonly (readonly [script: RegExp, letters: string])[] = [
  [/[a-z]/, 'abcdefghijklmnopqrstuvwxyz'],
  [/\p{Script=Cyrillic}/u, 'абвгдежзиклмнопрстуфхцчшщъыьэюяіє'],
  [/\p{Script=Greek}/u, 'αβγδεζηθικλμνξοπρστυφχψω'],
  [/\p{Script=Hebrew}/u, 'אבגדהוזחטיכךלמםנןסעפףצץקרשת'],
  [/\p{Script=Arabic}/u, 'ءابتثجحخدذرزسشصضطظعغفقكلمنهويپچژگ'],
]

function lettersFor(word: string): readonly string[] {
  const letters = alphabets.find(([script]) => script.test(word))?.[1] ?? ''
  return [...letters, ...(hasDigit.test(word) ? '0123456789' : '')]
}

const hangul = { first: 0xac00, last: 0xd7a3, leads: 19, vowels: 21, tails: 28 } as const

const isHangul = (word: string): boolean => /^[\uac00-\ud7a3]+$/.test(word)

/** The Hangul syllables with one other letter than this one; none for another character. */
function syllablesLike(character: string): readonly string[] {
  if (!isHangul(character)) return []
  const { first, leads, vowels, tails } = hangul
  const index = (character.codePointAt(0) ?? first) - first
  const [lead, vowel] = [Math.floor(index / tails / vowels), Math.floor(index / tails) % vowels]
  const tail = index % tails
  const compose = (...[l, v, t]: readonly [number, number, number]): string =>
    String.fromCodePoint(first + (l * vowels + v) * tails + t)
  return [
    ...Array.from({ length: leads }, (_, other) => compose(other, vowel, tail)),
    ...Array.from({ length: vowels }, (_, other) => compose(lead, other, tail)),
    ...Array.from({ length: tails }, (_, other) => compose(lead, vowel, other)),
  ]
}

/** How letters with an accent are written where the keyboard lacks them, and that without it. */
const umlauts: readonly (readonly [written: string, letter: string])[] = [
  ['ae', 'a'],
  ['oe', 'o'],
  ['ue', 'u'],
]

/** The word as others spell it, such as `muller` for `mueller`. */
function spelledOtherwise(word: string): readonly string[] {
  const words = new Set([word])
  for (const [from, to] of umlauts) {
    for (const each of [...words]) words.add(each.replaceAll(from, to))
  }
  return [...words]
}

/**
 * The words that may be meant by this word, the likelier ones first: the same word spelled otherwise;
 * two letters exchanged; a wrong letter or a missing one; a letter too many. Of a pair of characters of
 * a script without spaces, one may be wrong.
 */
export function wordsWithoutError(word: string): readonly (readonly string[])[] {
  const letters = Array.from(word)
  if (isUnspaced(word)) return letters.length === 2 ? [letters] : []
  const groups = [spelledOtherwise(word), ...wordsWithoutTypingError(word, letters)]
  return groups.map((group) => [...new Set(group)].filter((other) => other !== word))
}

function wordsWithoutTypingError(
  word: string,
  letters: readonly string[],
): readonly (readonly string[])[] {
  if (letters.length < (isHangul(word) ? minSyllables : minLetters)) return []
  const alphabet = lettersFor(word)
  const replace = (at: number, removed: number, text: string): string =>
    letters.toSpliced(at, removed, text).join('')
  const exchanged = letters.slice(1).map((letter, at) => replace(at, 2, `${letter}${letters[at]}`))
  const replaced = letters.flatMap((old, at) =>
    [...alphabet, ...syllablesLike(old)].map((letter) => replace(at, 1, letter)),
  )
  const added = [...letters, ''].flatMap((_, at) =>
    alphabet.map((letter) => replace(at, 0, letter)),
  )
  const removed = letters.map((_, at) => replace(at, 1, ''))
  return [exchanged, [...replaced, ...added], removed]
}

/** The two words that each neighbouring pair of letters of a word may be the end and the beginning of. */
function splitsOf(word: string): readonly (readonly [string, string])[] {
  const letters = Array.from(word)
  if (isUnspaced(word)) return []
  return letters.slice(2 * minPartLetters - 1).map((_, at) => {
    const end = at + minPartLetters
    return [letters.slice(0, end).join(''), letters.slice(end).join('')] as const
  })
}

/** The spans of the words that may be meant by the word at a place, the likelier with less penalty. */
function correctionsOf(at: number, word: string, indexed: ReadonlySet<string>): readonly Span[] {
  const place = { from: at, to: at + 1 }
  const groups = wordsWithoutError(word).map((group) =>
    group
      .filter((candidate) => indexed.has(candidate))
      .slice(0, maxAlternatives)
      .map((candidate) => [candidate]),
  )
  const splits = splitsOf(word)
    .filter((parts) => parts.every((part) => indexed.has(part)))
    .slice(0, maxAlternatives)
  return [...groups, splits].flatMap((group, penalty) =>
    group.map((words) => ({ ...place, words, penalty: penalty + 1 })),
  )
}

/** The places of a search for which there is a word, or its plural or singular, in some product. */
async function placesWithWords(
  db: Kysely<Tables>,
  spans: readonly Span[],
  withHidden: boolean,
): Promise<ReadonlySet<number>> {
  const typed = spans.flatMap(({ words }) => words)
  const known = await findIndexed(db, typed, allKeys, withHidden)
  const found = spans.filter(({ words }) => words.every((word) => known.has(word)))
  return new Set(
    found.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at)),
  )
}

/**
 * Adds to a search that has found nothing the indexed words from which its unknown words differ in one typing error
 * or a space, in two queries; a word that products have stays as it is. Undefined if nothing can be corrected.
 */
export async function correctWords(
  db: Kysely<Tables>,
  { typed, spans, optional }: QueryWords,
  { withHidden }: { readonly withHidden: boolean },
): Promise<QueryWords | undefined> {
  const covered = await placesWithWords(db, spans, withHidden)
  const missing = typed.flatMap((word, at) =>
    covered.has(at) || optional.has(at) ? [] : [[at, word] as const],
  )
  if (missing.length === 0 || missing.length > maxCorrectedWords) return undefined
  // A single character is in too many products unless another pair narrows them.
  const hasUnspaced = (isCovered: boolean): boolean =>
    typed.some((word, at) => isUnspaced(word) && covered.has(at) === isCovered)
  if (hasUnspaced(false) && !hasUnspaced(true)) return undefined
  const candidates = missing.flatMap(([, word]) =>
    [wordsWithoutError(word), splitsOf(word)].flat(2),
  )
  const indexed = await findIndexed(db, candidates, leastKeys, withHidden)
  const corrections = missing.map(([at, word]) => correctionsOf(at, word, indexed))
  if (corrections.some(({ length }) => length === 0)) return undefined
  return { typed, spans: [...spans, ...corrections.flat()], optional }
}

/** The keys of which the index has one where a product has a word, one that begins so, or its plural. */
const allKeys = (word: string): readonly string[] => [word, ...wholeWords(word)]

/** As `allKeys`, without plurals: thousands of words are looked up. */
const leastKeys = (word: string): readonly string[] =>
  hasDigit.test(word) ? allKeys(word) : [word]

/** Returns those of these words of which the index has a key. */
async function findIndexed(
  db: Kysely<Tables>,
  words: readonly string[],
  keysOf: (word: string) => readonly string[],
  withHidden: boolean,
): Promise<ReadonlySet<string>> {
  const keys = new Map(words.map((word) => [word, keysOf(word)]))
  const sought = Array.from(new Set([...keys.values()].flat()), (word) => ({ word }))
  const ranks = Array.from({ length: rankCount }, (_, rank) => sql`${sql.lit(String(rank))}`)
  const rows = await db
    .selectFrom(rowsFromJson(db, sought, { word: 'text' }).as('sought'))
    .select('sought.word')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('product_words')
          .select(sql.lit(1).as('one'))
          .where(
            sql<SqlBool>`product_words.word in (${sql.join(ranks.map((rank) => sql`${rank} || sought.word`))})`,
          )
          // The row of a word stays when its last product is removed.
          .where('product_words.ids', '<>', '')
          .$if(!withHidden, (shown) => shown.where(isOfShownTexts)),
      ),
    )
    .execute()
  const found = new Set(rows.map(({ word }) => word))
  return new Set(words.filter((word) => keys.get(word)?.some((key) => found.has(key))))
}
