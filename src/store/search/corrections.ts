import { type Kysely, sql } from 'kysely'
import { rowsFromJson } from '#store/query/dialect.ts'
import type { Tables } from '#store/tables.ts'
import { isUnspaced } from './words.ts'

/**
 * Typing errors of shorter words are not corrected: one changed letter often gives another word.
 */
const minLetters = 4
/** The minimum length of each part of a split word. */
const minPartLetters = 3
/** A syllable of Hangul has two letters or more. */
const minSyllables = 2
/** A query with more unknown words is not corrected; each word costs up to 2,000 look-ups. */
const maxCorrectedWords = 3
/** The number of words that may stand for one. */
const maxAlternatives = 4

const alphabets: readonly (readonly [script: RegExp, letters: string])[] = [
  [/[a-z]/, 'abcdefghijklmnopqrstuvwxyzßæøœłđ'],
  [/\p{Script=Cyrillic}/u, 'абвгдежзиклмнопрстуфхцчшщъыьэюяіє'],
  [/\p{Script=Greek}/u, 'αβγδεζηθικλμνξοπρσςτυφχψω'],
  [/\p{Script=Hebrew}/u, 'אבגדהוזחטיכךלמםנןסעפףצץקרשת'],
  [/\p{Script=Arabic}/u, 'ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىي'],
]

function lettersFor(word: string): readonly string[] {
  const letters = alphabets.find(([script]) => script.test(word))?.[1] ?? ''
  return [...letters, ...(/\d/.test(word) ? '0123456789' : '')]
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

/** How letters are written where the keyboard lacks them. Accents are removed before: ä is a. */
const spellings: readonly (readonly [letter: string, otherwise: string])[] = [
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'oe'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ı', 'i'],
]
const umlauts: readonly (readonly [written: string, letter: string])[] = [
  ['ae', 'a'],
  ['oe', 'o'],
  ['ue', 'u'],
]
/** More spellings of a word are not looked up. */
const maxSpellings = 100

/** The word as others spell it, such as `straße` for `strasse`. */
function spelledOtherwise(word: string): readonly string[] {
  const words = new Set([word])
  const bothWays = spellings.flatMap(([one, other]) => [
    [one, other] as const,
    [other, one] as const,
  ])
  for (const [from, to] of [...bothWays, ...umlauts]) {
    for (const each of [...words]) words.add(each.replaceAll(from, to))
  }
  return [...words].slice(0, maxSpellings)
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

/** Joins neighbouring words that are one word of a product, such as `kaffee maschine`. */
function joinWords(words: readonly string[], known: ReadonlySet<string>): readonly string[] {
  const joined: string[] = []
  for (const word of words) {
    const both = `${joined.at(-1) ?? ''}${word}`
    if (joined.length > 0 && known.has(both)) joined.splice(-1, 1, both)
    else joined.push(word)
  }
  return joined
}

/** The indexed words that may be meant by a word: alternatives, or two words; undefined for none. */
function correctWord(
  word: string,
  indexed: ReadonlySet<string>,
): readonly (readonly string[])[] | undefined {
  for (const group of wordsWithoutError(word)) {
    const alternatives = group.filter((candidate) => indexed.has(candidate))
    if (alternatives.length > 0) return [alternatives.slice(0, maxAlternatives)]
  }
  return splitsOf(word)
    .find((parts) => parts.every((part) => indexed.has(part)))
    ?.map((part) => [part])
}

/**
 * Replaces the words that no product has by indexed words from which they differ in one typing error
 * or a space: returns the alternatives of each word, in two queries. Undefined if every word is indexed,
 * or if one of the others cannot be corrected.
 */
export async function correctWords(
  db: Kysely<Tables>,
  searched: readonly string[],
): Promise<readonly (readonly string[])[] | undefined> {
  const pairs = searched.slice(1).map((word, at) => `${searched[at]}${word}`)
  const known = await findIndexed(db, [...searched, ...pairs])
  const words = joinWords(searched, known)
  const missing = words.filter((word) => !known.has(word))
  if (missing.length === 0) {
    return words.length < searched.length ? words.map((word) => [word]) : undefined
  }
  if (missing.length > maxCorrectedWords) return undefined
  // A single character is in too many products unless another pair narrows them.
  if (missing.some(isUnspaced) && !words.some((word) => known.has(word) && isUnspaced(word))) {
    return undefined
  }
  const candidates = missing.flatMap((word) => [wordsWithoutError(word), splitsOf(word)].flat(2))
  const indexed = await findIndexed(db, [...new Set(candidates)])
  const corrected: (readonly string[])[] = []
  for (const word of words) {
    const alternatives = known.has(word) ? [[word]] : correctWord(word, indexed)
    if (!alternatives) return undefined
    corrected.push(...alternatives)
  }
  return corrected
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
