import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { dialectOf, rowsFromJson, textIn } from '#db/query/dialect.ts'
import type { Tables } from '#db/tables/tables.ts'
import { type Bits, blockOf, decodeBits, encodeBits, IdSet, setBit } from './id-set.ts'
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

/** The index entry of a category, which no word equals. */
export const categoryEntry = (category: string): string => `=${category}`

/** The index entry of all variants. */
export const variantEntry = '@'

function entriesOf(indexedText: IndexedText | null): ReadonlySet<string> {
  const entries = new Set<string>()
  if (indexedText === null) return entries
  const { search_text, category, variant_of = null } = indexedText
  for (const word of search_text.split(' ')) {
    for (const entry of isEntry(word) ? [word] : prefixesOf(word)) entries.add(entry)
  }
  if (category !== null) entries.add(categoryEntry(category))
  if (variant_of !== null) entries.add(variantEntry)
  return entries
}

/** The ids to add to and remove from an entry. */
interface EntryChange {
  readonly word: string
  readonly block: number
  readonly added: number[]
  readonly removed: number[]
}

/** So many changes of entries are collected before they are written, which bounds memory. */
const maxCollected = 50_000
/** The number of entries that one statement reads or writes at most. */
const maxEntries = 10_000

/** Collects the changes of entries, a product at a time, in parts of about `maxCollected`. */
function* entryChanges(wordChanges: readonly WordChange[]): Generator<readonly EntryChange[]> {
  const changes = new Map<string, EntryChange>()
  const changeOf = (word: string, block: number): EntryChange => {
    const key = `${block} ${word}`
    const known = changes.get(key)
    if (known) return known
    const change = { word, block, added: [], removed: [] }
    changes.set(key, change)
    return change
  }
  for (const { id, before, after } of wordChanges) {
    const [oldWords, newWords] = [entriesOf(before), entriesOf(after)]
    const block = blockOf(id)
    for (const word of oldWords.difference(newWords)) changeOf(word, block).removed.push(id)
    for (const word of newWords.difference(oldWords)) changeOf(word, block).added.push(id)
    if (changes.size < maxCollected) continue
    yield [...changes.values()]
    changes.clear()
  }
  if (changes.size > 0) yield [...changes.values()]
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
  const rows = changes.map(({ word, block, added, removed }) => {
    const bits = decodeBits(idsByEntry.get(`${block} ${word}`) ?? '')
    for (const id of removed) setBit(bits, id, false)
    for (const id of added) setBit(bits, id, true)
    return { word, block, ids: encodeBits(bits) }
  })
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
      .map((ids) => ids.map(decodeBits).reduce(combine((one, other) => one | other)))
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
