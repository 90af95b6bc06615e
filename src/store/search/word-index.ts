import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { dialectOf, rowsFromJson, textIn } from '#store/query/dialect.ts'
import type { Tables } from '#store/tables.ts'
import { type Bits, blockOf, decodeBits, emptyBits, encodeBits, IdSet, setBit } from './id-set.ts'
import { isEntry, prefixesOf } from './words.ts'

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

/** The words of a product, and its other entries, which have no prefixes. */
function wordsOf(indexedText: IndexedText | null): ReadonlySet<string> {
  if (indexedText === null) return new Set()
  const { search_text, category, variant_of = null } = indexedText
  const words = new Set(search_text.split(' '))
  if (category !== null) words.add(categoryEntry(category))
  if (variant_of !== null) words.add(variantEntry)
  return words
}

const entriesOf = (word: string): readonly string[] =>
  isEntry(word) || word.startsWith(categoryMark) ? [word] : prefixesOf(word)

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

/** The new words, and the old ones whose prefixes may be those of a word that is gone. */
function addedWords(
  oldWords: ReadonlySet<string>,
  newWords: ReadonlySet<string>,
  gone: ReadonlySet<string>,
): Iterable<string> {
  if (gone.size === 0) return newWords.difference(oldWords)
  const initials = new Set(Array.from(gone, (word) => word[0]))
  return [...newWords].filter((word) => !oldWords.has(word) || initials.has(word[0]))
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

/** What products are searched for: one entry of each list, and not the excluded one. */
export interface EntrySearch {
  readonly all: readonly (readonly string[])[]
  readonly excluded?: string | undefined
}

/** The ids of the products that have such entries, with one query. */
export async function findByEntries(db: Db, { all, excluded = '' }: EntrySearch): Promise<IdSet> {
  const words = [...new Set([...all.flat(), ...(excluded === '' ? [] : [excluded])])]
  const rows = await db
    .selectFrom('product_words')
    .where(textIn(db, 'product_words.word', words))
    .select(['product_words.word', 'product_words.block', 'product_words.ids'])
    .execute()
  const blocks = new Map<number, Bits>()
  for (const [block, found] of Map.groupBy(rows, (row) => row.block)) {
    const idsOf = new Map(found.map(({ word, ids }) => [word, ids]))
    const lists = all.map((entries) => entries.flatMap((entry) => idsOf.get(entry) ?? []))
    if (lists.some((ids) => ids.length === 0)) continue
    const bits = lists
      .map((ids) =>
        ids.map((each) => decodeBits(each)).reduce(combine((one, other) => one | other)),
      )
      .reduce(combine((one, other) => one & other))
    const without = idsOf.get(excluded)
    const minus = combine((one, other) => one & ~other)
    blocks.set(block, without === undefined ? bits : minus(bits, decodeBits(without)))
  }
  return new IdSet(blocks)
}

const combine =
  (join: (one: number, other: number) => number) =>
  (bits: Bits, others: Bits): Bits =>
    bits.map((word, at) => join(word, others[at] ?? 0))

/**
 * True where the id in this column is in the set; SQLite only. The byte with its bit is read as the
 * code of an ASCII character; a byte of 0 gives null.
 */
export function isInIdSet(column: string, found: IdSet): RawBuilder<SqlBool> {
  const id = sql.ref(column)
  const byte = sql`substr(${found.packed()}, ${id} / 7 + 1, 1)`
  return sql<SqlBool>`(unicode(${byte}) >> (${id} % 7)) & 1`
}
