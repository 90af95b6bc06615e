import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { dialectOf, rowsFromJson, textIn } from '#db/query/dialect.ts'
import type { Tables } from '#db/tables/tables.ts'
import { type Bits, blockOf, decodeBits, encodeBits, IdSet, noBits, setBit } from './id-set.ts'
import { prefixesOf } from './words.ts'

type Db = Kysely<Tables>

// Any number, as long as every process takes the same.
const advisoryLock = 7_305_118_265

/** What can be looked for in a product: its words, and, as a whole, its category. */
export interface IndexedText {
  /** The words with a space before each, as `products.search_text` has them. */
  readonly search_text: string
  readonly category: string | null
}

/** What a product said before and says now; null where it is not in the catalogue. */
export interface WordChange {
  readonly id: number
  readonly before: IndexedText | null
  readonly after: IndexedText | null
}

/** What the products of a category are found by. */
export const categoryEntry = (category: string): string => `=${category}`

function entriesOf(indexedText: IndexedText | null): ReadonlySet<string> {
  const entries = new Set<string>()
  if (indexedText === null) return entries
  for (const word of indexedText.search_text.split(' ')) {
    for (const prefix of prefixesOf(word)) entries.add(prefix)
  }
  if (indexedText.category !== null) entries.add(categoryEntry(indexedText.category))
  return entries
}

interface Entry {
  readonly word: string
  readonly block: number
}

/** What is to become of one entry in one block: ids to put in, ids to take out. */
interface Change extends Entry {
  readonly put: Bits
  readonly taken: Bits
}

function changesOf(wordChanges: readonly WordChange[]): readonly Change[] {
  const changes = new Map<string, Change>()
  const mark = (word: string, id: number, isIn: boolean): void => {
    const block = blockOf(id)
    const key = `${block} ${word}`
    const change = changes.get(key) ?? { word, block, put: noBits(), taken: noBits() }
    changes.set(key, change)
    setBit(isIn ? change.put : change.taken, id, true)
  }
  for (const { id, before, after } of wordChanges) {
    const [gone, come] = [entriesOf(before), entriesOf(after)]
    for (const word of gone.difference(come)) mark(word, id, false)
    for (const word of come.difference(gone)) mark(word, id, true)
  }
  return [...changes.values()]
}

/**
 * Keeps by which words products are found, in two statements where any changed and none else, and
 * one more on PostgreSQL: there, one transaction at a time changes words. So the rows of the
 * products have to be written first.
 */
export async function indexWords(db: Db, wordChanges: readonly WordChange[]): Promise<void> {
  const changes = changesOf(wordChanges)
  if (changes.length === 0) return
  if (dialectOf(db) === 'postgres') {
    await sql`select pg_advisory_xact_lock(${sql.lit(advisoryLock)})`.execute(db)
  }
  const entries = changes.map(({ word, block }) => ({ word, block }))
  const kept = await db
    .selectFrom(rowsFromJson(db, entries, { word: 'text', block: 'integer' }).as('wanted'))
    .innerJoin('product_words', (join) =>
      join
        .onRef('product_words.word', '=', 'wanted.word')
        .onRef('product_words.block', '=', 'wanted.block'),
    )
    .selectAll('product_words')
    .execute()
  const known = new Map(kept.map(({ word, block, ids }) => [`${block} ${word}`, ids]))
  const rows = changes.map(({ word, block, put, taken }) => {
    const bits = decodeBits(known.get(`${block} ${word}`) ?? '')
    return { word, block, ids: encodeBits(bits.map(changed(put, taken))) }
  })
  const fields = { word: 'text', block: 'integer', ids: 'text' } as const
  await db
    .insertInto('product_words')
    .columns(['word', 'block', 'ids'])
    .expression((eb) =>
      eb
        .selectFrom(rowsFromJson(db, rows, fields).as('changed'))
        .select(['changed.word', 'changed.block', 'changed.ids'])
        // SQLite takes `on conflict` after a table for a join.
        .where(sql.lit(true), '=', sql.lit(true)),
    )
    .onConflict((conflict) =>
      conflict.columns(['word', 'block']).doUpdateSet((eb) => ({ ids: eb.ref('excluded.ids') })),
    )
    .execute()
}

const changed =
  (put: Bits, taken: Bits) =>
  (word: number, at: number): number =>
    (word | (put[at] ?? 0)) & ~(taken[at] ?? 0)

/** The products that are found by all of these entries, in one query. */
export async function findByEntries(db: Db, entries: readonly string[]): Promise<IdSet> {
  const wanted = [...new Set(entries)]
  const rows = await db
    .selectFrom('product_words')
    .where(textIn(db, 'product_words.word', wanted))
    .select(['product_words.block', 'product_words.ids'])
    .execute()
  const blocks = new Map<number, Bits>()
  for (const [block, found] of Map.groupBy(rows, (row) => row.block)) {
    if (found.length < wanted.length) continue
    const bits = found.map(({ ids }) => decodeBits(ids))
    blocks.set(
      block,
      bits.reduce((one, other) => one.map((word, at) => word & (other[at] ?? 0))),
    )
  }
  return new IdSet(blocks)
}

/**
 * Whether the id in this column is one of those found; on SQLite alone. The byte that has its bit is read as the code of a
 * letter; of 0, which is none, the answer is null.
 */
export function isFound(column: string, found: IdSet): RawBuilder<SqlBool> {
  const id = sql.ref(column)
  const byte = sql`substr(${found.packed()}, ${id} / 7 + 1, 1)`
  return sql<SqlBool>`(unicode(${byte}) >> (${id} % 7)) & 1`
}
