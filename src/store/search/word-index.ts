import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { dialectOf, rowsFromJson } from '#store/query/dialect.ts'
import type { Tables } from '#store/tables.ts'
import { blockOf, decodeBits, emptyBits, encodeBits, type IdSet, setBit } from './id-set.ts'
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

/** The entry of a whole word or a beginning at a rank. */
export const rankedEntry = (key: string, rank: number): string => `${rank}${key}`

/** The entries of a product, each of its words and their beginnings at its best rank. */
function entriesOf(indexedText: IndexedText | null): ReadonlySet<string> {
  const entries = new Set<string>()
  // Without words, a product is not in the index, nor is its category.
  if (indexedText === null || indexedText.search_text === '') return entries
  const { search_text, category, variant_of = null } = indexedText
  if (category !== null) entries.add(categoryEntry(category))
  if (variant_of !== null) entries.add(variantEntry)
  const known = new Set<string>()
  for (const [rank, words] of wordsByRank(search_text).entries()) {
    for (const word of words) {
      if (isEntry(word)) entries.add(word)
      else {
        for (const key of [...prefixesOf(word), ...wholeWords(word)]) {
          if (known.has(key)) continue
          known.add(key)
          entries.add(rankedEntry(key, rank))
        }
      }
    }
  }
  return entries
}

/** The ids to add to and remove from an entry. */
interface IdChange {
  readonly added: number[]
  readonly removed: number[]
}

/** The ids to add to and remove from a stored entry. */
interface EntryChange extends IdChange {
  readonly word: string
  readonly block: number
}

/** The number of entries collected before they are written; bounds memory. */
const maxCollected = 60_000
/** The number of entries that one statement reads or writes at most. */
const maxEntries = 10_000

/** Collects the changes of entries, and yields them in parts of about `maxCollected`. */
function* entryChanges(wordChanges: readonly WordChange[]): Generator<readonly EntryChange[]> {
  const changes = new Map<string, EntryChange>()
  for (const { id, before, after } of wordChanges) {
    const [old, current] = [entriesOf(before), entriesOf(after)]
    const block = blockOf(id)
    for (const word of old.difference(current)) changeOf(changes, word, block).removed.push(id)
    for (const word of current.difference(old)) changeOf(changes, word, block).added.push(id)
    if (changes.size < maxCollected) continue
    yield [...changes.values()]
    changes.clear()
  }
  if (changes.size > 0) yield [...changes.values()]
}

function changeOf(changes: Map<string, EntryChange>, word: string, block: number): EntryChange {
  const key = `${block} ${word}`
  const known = changes.get(key)
  if (known) return known
  const change = { word, block, added: [], removed: [] }
  changes.set(key, change)
  return change
}

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
