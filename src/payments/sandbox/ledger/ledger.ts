import { DatabaseSync } from 'node:sqlite'
import { makePrivateDatabase } from '#db/private-files.ts'
import { type Plan, planOf } from '#src/payments/sandbox/tokens.ts'
import { readyFile } from './lines.ts'

/** A charge as it stands on the wire: `amount_minor` in minor units, `sequence` grows by one with each change. */
export interface Charge {
  readonly key: string
  readonly status: 'succeeded' | 'pending' | 'declined' | 'voided' | 'refunded'
  readonly reference: string
  readonly amount_minor: number
  readonly currency: string
  readonly sequence: number
  readonly reason?: string
}

/** A charge and what the sandbox has yet to do about it. */
export interface Entry {
  readonly charge: Charge
  readonly plan: Plan
  readonly callbackUrl: string
  readonly callbackDue: boolean
}

/** Holds the last entry of every key; with a file, none of them in memory. */
export interface Ledger {
  find(key: string): Entry | undefined
  /** Every entry, in the order in which the keys were first saved. */
  entries(): IteratorObject<Entry>
  /** The keys of the entries whose callback is due, in the same order. */
  due(): readonly string[]
  /** Keeps the entry in place of the key's last one; with a file it is written before this returns, or nothing changes and it throws. */
  save(entry: Entry): void
  /** From here on what is saved is written by `commit` only; throws where another process writes for too long. */
  begin(): void
  /** Writes what was saved since `begin`, or throws and nothing of it is kept. */
  commit(): void
  close(): void
}

/** How long a save waits for another process that writes to the same file. */
const patienceMs = 1000
const pauseMs = 5
/** SQLITE_BUSY. */
const busy = 5
const cacheKilobytes = 512

/**
 * Opens a ledger in memory or, given a file, one that outlives the process; a power cut may take what was saved
 * last. A file belongs to one process at a time.
 */
export function openLedger(file: string | undefined): Ledger {
  if (file !== undefined) {
    makePrivateDatabase(file)
    readyFile(file, rewrite)
  }
  const database = new DatabaseSync(file ?? ':memory:', { timeout: patienceMs })
  try {
    patiently(() =>
      database.exec(`
        pragma journal_mode = wal;
        pragma synchronous = normal;
        pragma cache_size = -${cacheKilobytes};
        create table if not exists entries (
          id integer primary key,
          key text not null unique,
          is_due integer not null,
          entry text not null
        );
        create index if not exists entries_due on entries (id) where is_due;
      `),
    )
    patiently(() => removeTokens(database))
    return ledgerIn(database)
  } catch (error) {
    database.close()
    throw error
  }
}

/** An entry as it was written before, with its token. */
type EntryWithToken = Omit<Entry, 'plan'> & { readonly token: string }

/** An entry without the token that it may have been written with. */
function withoutToken(record: Entry | EntryWithToken): Entry {
  if (!('token' in record)) return record
  const { token, ...rest } = record
  return { ...rest, plan: planOf(rest.charge.key, token) }
}

/** How many entries are read at a time. */
const batch = 1000

/** Removes, once for a file, the tokens that were written before, from free pages and the log too. */
function removeTokens(database: DatabaseSync): void {
  const { user_version: version } = database.prepare('pragma user_version').get() ?? {}
  if (version !== 0) return
  const next = database.prepare('select id, entry from entries where id > ? order by id limit ?')
  const update = database.prepare('update entries set entry = ? where id = ?')
  database.exec('begin immediate')
  try {
    let rows = next.all(0, batch)
    const isEmpty = rows.length === 0
    for (; rows.length > 0; rows = next.all(rows.at(-1)?.['id'] ?? 0, batch)) {
      for (const { id = 0, entry } of rows) {
        update.run(JSON.stringify(withoutToken(read(entry))), id)
      }
    }
    database.exec('pragma user_version = 1; commit')
    if (!isEmpty) database.exec('vacuum; pragma wal_checkpoint(truncate)')
  } finally {
    if (database.isTransaction) database.exec('rollback')
  }
}

/** Does again what another process is in the way of: SQLite itself does not wait where the log is switched on. */
function patiently(work: () => void): void {
  const endMs = performance.now() + patienceMs
  for (;;) {
    try {
      work()
      return
    } catch (error) {
      const isBusy = error instanceof Error && 'errcode' in error && error.errcode === busy
      if (!isBusy || performance.now() > endMs) throw error
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
  }
}

/** Writes a whole ledger, of which the last record of a key is what holds. */
function rewrite(file: string, records: readonly unknown[]): void {
  const ledger = openLedger(file)
  for (const record of records) ledger.save(withoutToken(record as Entry | EntryWithToken))
  // This brings its log into the file, which then is whole by itself.
  ledger.close()
}

function ledgerIn(database: DatabaseSync): Ledger {
  const byKey = database.prepare('select entry from entries where key = ?')
  const all = database.prepare('select entry from entries order by id')
  const allDue = database.prepare('select key from entries where is_due order by id')
  const begin = database.prepare('begin immediate')
  const commit = database.prepare('commit')
  const upsert = database.prepare(`
    insert into entries (key, is_due, entry) values (?, ?, ?)
    on conflict (key) do update set is_due = excluded.is_due, entry = excluded.entry`)
  return {
    find: (key) => {
      const row = byKey.get(key)
      return row && read(row['entry'])
    },
    entries: () => Iterator.from(all.iterate()).map((row) => read(row['entry'])),
    due: () => allDue.all().map((row) => String(row['key'])),
    save: (entry) => {
      upsert.run(entry.charge.key, Number(entry.callbackDue), JSON.stringify(entry))
    },
    begin: () => {
      begin.run()
    },
    commit: () => {
      try {
        commit.run()
      } finally {
        if (database.isTransaction) database.exec('rollback')
      }
    },
    close: () => {
      if (database.isOpen) database.close()
    },
  }
}

const read = (text: unknown): Entry => JSON.parse(String(text)) as Entry
