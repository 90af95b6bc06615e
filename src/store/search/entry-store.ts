import { type Kysely, sql } from 'kysely'
import { dialectOf, rowsFromJson } from '#store/query/dialect.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import { writeBatch } from '#store/query/write-batch.ts'
import type { Tables } from '#store/tables.ts'
import { decodeBits, emptyBits, encodeBits, setBit } from './id-set.ts'

type Db = Kysely<Tables>

/** The ids to add to and remove from a word or an entry. */
export interface IdChange {
  readonly added: number[]
  readonly removed: number[]
}

/** The ids to add to and remove from a stored entry. */
export interface EntryChange extends IdChange {
  readonly word: string
  readonly block: number
}

type Entry = Pick<EntryChange, 'word' | 'block'>

// An arbitrary number that every process agrees on.
const advisoryLockKey = 7_305_118_265
/** The number of entries that one statement reads or writes at most. */
const maxEntries = 10_000
/** The number of entries whose rows are locked one by one. */
const maxLocked = 2000

const entryFields = { word: 'text', block: 'integer' } as const

/**
 * Writes the entries of a transaction. On PostgreSQL, one that writes few of them, as its last statements, locks their
 * rows in one order; any other one locks out all others until its end, as it may write an entry again.
 */
export class EntryWriter {
  readonly #db: Db
  #isAlone: boolean

  constructor(db: Db) {
    this.#db = db
    this.#isAlone = dialectOf(db) === 'sqlite'
  }

  /** Changes entries in parts, in each of which an entry occurs once. */
  async write(parts: Iterable<readonly EntryChange[]>, isLast: boolean): Promise<void> {
    let waiting: readonly EntryChange[] | undefined
    for (const part of parts) {
      if (waiting) await this.#writeAlone(waiting)
      waiting = part
    }
    if (!waiting) return
    const isFew = isLast && waiting.length <= maxLocked
    if (this.#isAlone || !isFew) return this.#writeAlone(waiting)
    await lockEntries(this.#db, waiting)
    await changeEntries(this.#db, waiting, true)
  }

  async #writeAlone(changes: readonly EntryChange[]): Promise<void> {
    await this.#lockOthersOut()
    for (let at = 0; at < changes.length; at += maxEntries) {
      await changeEntries(this.#db, changes.slice(at, at + maxEntries), false)
    }
  }

  async #lockOthersOut(): Promise<void> {
    if (this.#isAlone) return
    await sql`select pg_advisory_xact_lock(${sql.lit(advisoryLockKey)})`.execute(this.#db)
    this.#isAlone = true
  }
}

/** Inserts the entries that are missing, since only a row can be locked, and keeps those who write many out. */
async function lockEntries(db: Db, changes: readonly EntryChange[]): Promise<void> {
  const added = changes.filter((change) => change.added.length > 0).map(entryOf)
  await sql`
    with others as materialized (select pg_advisory_xact_lock_shared(${sql.lit(advisoryLockKey)}))
    insert into product_words (word, block, ids) select word, block, ''
    from ${rowsFromJson<Entry, Tables>(db, added, entryFields)} as entry
    where (select count(*) from others) = 1 order by word, block on conflict do nothing`.execute(db)
}

const entryOf = ({ word, block }: Entry): Entry => ({ word, block })

interface Entries {
  readonly entries: readonly Entry[]
}

const selectStored = (db: Db, { entries }: Entries) =>
  db
    .selectFrom(rowsFromJson(db, entries, entryFields).as('entry'))
    .innerJoin('product_words', (join) =>
      join
        .onRef('product_words.word', '=', 'entry.word')
        .onRef('product_words.block', '=', 'entry.block'),
    )
    .selectAll('product_words')

const storedEntries = prepareQuery(selectStored)

const lockedEntries = prepareQuery((db: Db, param: Entries) =>
  selectStored(db, param)
    .orderBy('product_words.word')
    .orderBy('product_words.block')
    .forNoKeyUpdate('product_words'),
)

async function changeEntries(
  db: Db,
  changes: readonly EntryChange[],
  locks: boolean,
): Promise<void> {
  const reading = locks ? lockedEntries : storedEntries
  const stored = await reading.all(db, { entries: changes.map(entryOf) })
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
  // The last statement goes with the COMMIT.
  if (locks) await writeBatch(db, [upsert.write({ rows })])
  else await upsert.run(db, { rows })
}

const upsert = prepareQuery((db: Db, param: { rows: readonly (Entry & { ids: string })[] }) =>
  db
    .insertInto('product_words')
    .columns(['word', 'block', 'ids'])
    .expression((eb) =>
      eb
        .selectFrom(rowsFromJson(db, param.rows, { ...entryFields, ids: 'text' }).as('changed'))
        .select(['changed.word', 'changed.block', 'changed.ids'])
        // Without a condition, SQLite parses `on conflict` after a table as a join constraint.
        .where(sql.lit(true), '=', sql.lit(true)),
    )
    .onConflict((conflict) =>
      conflict.columns(['word', 'block']).doUpdateSet((eb) => ({ ids: eb.ref('excluded.ids') })),
    ),
)
