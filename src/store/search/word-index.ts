import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { dialectOf, rowsFromJson } from '#store/query/dialect.ts'
import type { Tables } from '#store/tables.ts'
import { blockOf, decodeBits, emptyBits, encodeBits, type IdSet, setBit } from './id-set.ts'
import { hasDigit } from './parts.ts'
import { stemsOf } from './stems.ts'
import { isEntry, prefixesOf, wordsByRank } from './words.ts'

type Db = Kysely<Tables>

// An arbitrary number that every process agrees on.
const advisoryLockKey = 7_305_118_265

/** The indexed texts of a product. */
export interface IndexedText {
  /** The value of `products.search_text`. */
  readonly search_text: string
  readonly category: string | null
  /** The parent of a variant. */
  readonly variant_of?: number | null
}

/** The texts of a product before and after a change; null while it is not in the catalogue. */
export interface WordChange {
  readonly id: number
  readonly before: IndexedText | null
  readonly after: IndexedText | null
}

const categoryMark = '='

/** The index entry of a category, which no word equals. */
export const categoryEntry = (category: string): string => `${categoryMark}${category}`

/** The index entry of all variants. */
export const variantEntry = '@'

/** What stands in the index for a whole word: its stems, with a mark that no word has. */
export const wholeWords = (word: string): readonly string[] =>
  stemsOf(word).map((stem) => `${stem}.`)

/**
 * What stands in the index for a word: all its beginnings, and it as a whole. With a digit it is mostly a number
 * that one product has, so that each entry takes a row; these have no beginning that is the whole word.
 */
const keysOf = (word: string): readonly string[] => [
  ...prefixesOf(word).slice(0, hasDigit.test(word) ? -1 : undefined),
  ...wholeWords(word),
]

/** The entry of a whole word or a beginning at a rank. */
export const rankedEntry = (key: string, rank: number): string => `${rank}${key}`

/** The words of a product, each after its rank, and its other entries. */
function wordsOf(indexedText: IndexedText | null): ReadonlySet<string> {
  const words = new Set<string>()
  // Without words, a product is not in the index, nor is its category.
  if (indexedText === null || indexedText.search_text === '') return words
  const { search_text, category, variant_of = null } = indexedText
  if (category !== null) words.add(categoryEntry(category))
  if (variant_of !== null) words.add(variantEntry)
  for (const [rank, ofRank] of wordsByRank(search_text).entries()) {
    for (const word of ofRank) words.add(isEntry(word) ? word : rankedEntry(word, rank))
  }
  return words
}

/** The entries of a word after its rank, all of which begin with both its first characters. */
function entriesOf(ranked: string): readonly string[] {
  if (isEntry(ranked) || ranked.startsWith(categoryMark)) return [ranked]
  const [rank, word] = [ranked.slice(0, 1), ranked.slice(1)]
  return keysOf(word).map((key) => `${rank}${key}`)
}

/** The ids to add to and remove from a word or an entry. */
interface IdChange {
  readonly added: number[]
  readonly removed: number[]
}
type ChangesByWord = Map<string, IdChange>

/** The ids to add to and remove from a stored entry. */
interface EntryChange extends IdChange {
  readonly word: string
  readonly block: number
}

/** The number of words collected before their entries are written; bounds memory. */
const maxCollected = 10_000
/** The number of entries that one statement reads or writes at most. */
const maxEntries = 10_000

/** Collects the changes of words, and yields those of their entries in parts of about `maxCollected` words. */
function* entryChanges(wordChanges: readonly WordChange[]): Generator<readonly EntryChange[]> {
  const blocks = new Map<number, ChangesByWord>()
  let collected = 0
  for (const { id, before, after } of wordChanges) {
    const [oldWords, newWords] = [wordsOf(before), wordsOf(after)]
    const block = blockOf(id)
    const words = blocks.get(block) ?? new Map()
    blocks.set(block, words)
    const sizeBefore = words.size
    const gone = oldWords.difference(newWords)
    for (const word of gone) changeOf(words, word).removed.push(id)
    for (const word of addedWords(oldWords, newWords, gone)) changeOf(words, word).added.push(id)
    collected += words.size - sizeBefore
    if (collected < maxCollected) continue
    yield expandWords(blocks)
    blocks.clear()
    collected = 0
  }
  if (collected > 0) yield expandWords(blocks)
}

const beginningOf = (word: string): string => word.slice(0, 2)

/** The new words, and the old ones whose entries may be those of a word that is gone. */
function addedWords(
  oldWords: ReadonlySet<string>,
  newWords: ReadonlySet<string>,
  gone: ReadonlySet<string>,
): Iterable<string> {
  if (gone.size === 0) return newWords.difference(oldWords)
  const beginnings = new Set(Array.from(gone, beginningOf))
  return [...newWords].filter((word) => !oldWords.has(word) || beginnings.has(beginningOf(word)))
}

function changeOf(changes: ChangesByWord, word: string): IdChange {
  const known = changes.get(word)
  if (known) return known
  const change = { added: [], removed: [] }
  changes.set(word, change)
  return change
}

const expandWords = (blocks: ReadonlyMap<number, ChangesByWord>): readonly EntryChange[] =>
  [...blocks].flatMap(([block, words]) => {
    const entries: ChangesByWord = new Map()
    for (const [word, { added, removed }] of words) {
      for (const entry of entriesOf(word)) {
        const change = changeOf(entries, entry)
        for (const id of added) change.added.push(id)
        for (const id of removed) change.removed.push(id)
      }
    }
    return Array.from(entries, ([word, change]) => ({ word, block, ...change }))
  })

/**
 * Updates the word index with one read and one write for thousands of entries, or no statement if
 * no entry changes. On PostgreSQL it takes a lock until the end of the transaction, so the rows of
 * the products must be written before.
 */
export async function updateWordIndex(db: Db, wordChanges: readonly WordChange[]): Promise<void> {
  let isLocked = dialectOf(db) === 'sqlite'
  for (const changes of entryChanges(wordChanges)) {
    if (!isLocked) await sql`select pg_advisory_xact_lock(${sql.lit(advisoryLockKey)})`.execute(db)
    isLocked = true
    for (let at = 0; at < changes.length; at += maxEntries) {
      await changeEntries(db, changes.slice(at, at + maxEntries))
    }
  }
}

async function changeEntries(db: Db, changes: readonly EntryChange[]): Promise<void> {
  const entries = changes.map(({ word, block }) => ({ word, block }))
  const stored = await db
    .selectFrom(rowsFromJson(db, entries, { word: 'text', block: 'integer' }).as('entry'))
    .innerJoin('product_words', (join) =>
      join
        .onRef('product_words.word', '=', 'entry.word')
        .onRef('product_words.block', '=', 'entry.block'),
    )
    .selectAll('product_words')
    .execute()
  const idsByEntry = new Map(stored.map(({ word, block, ids }) => [`${block} ${word}`, ids]))
  // One for all: thousands of kilobytes would be garbage otherwise.
  const bits = emptyBits()
  const rows = changes.flatMap(({ word, block, added, removed }) => {
    const before = idsByEntry.get(`${block} ${word}`) ?? ''
    decodeBits(before, bits)
    for (const id of removed) setBit(bits, id, false)
    for (const id of added) setBit(bits, id, true)
    const ids = encodeBits(bits)
    return ids === before ? [] : [{ word, block, ids }]
  })
  if (rows.length === 0) return
  const fields = { word: 'text', block: 'integer', ids: 'text' } as const
  await db
    .insertInto('product_words')
    .columns(['word', 'block', 'ids'])
    .expression((eb) =>
      eb
        .selectFrom(rowsFromJson(db, rows, fields).as('changed'))
        .select(['changed.word', 'changed.block', 'changed.ids'])
        // Without a condition, SQLite parses `on conflict` after a table as a join constraint.
        .where(sql.lit(true), '=', sql.lit(true)),
    )
    .onConflict((conflict) =>
      conflict.columns(['word', 'block']).doUpdateSet((eb) => ({ ids: eb.ref('excluded.ids') })),
    )
    .execute()
}

/**
 * True where the id in this column is in the set. SQLite reads the byte with its bit as the code of an ASCII
 * character; a byte of 0 gives null. PostgreSQL reads no bit beyond the last.
 */
export function isInIdSet(db: Db, column: string, found: IdSet): RawBuilder<SqlBool> {
  const id = sql.ref(column)
  if (dialectOf(db) === 'postgres') {
    const bytes = found.bytes()
    const bit = sql`get_bit(${bytes}::bytea, ${id}::integer)`
    return sql<SqlBool>`(case when ${id} < ${8 * bytes.length} then ${bit} else 0 end) > 0`
  }
  const byte = sql`substr(${found.packed()}, ${id} / 7 + 1, 1)`
  return sql<SqlBool>`(unicode(${byte}) >> (${id} % 7)) & 1`
}
