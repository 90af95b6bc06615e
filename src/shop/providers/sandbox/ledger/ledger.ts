import { DatabaseSync } from 'node:sqlite'
import type { PlannedOutcome } from '#shop/providers/sandbox/tokens.ts'
import { makePrivateDatabase } from '#store/private-files.ts'

/** A refund in JSON; `amount_minor` is in minor units. */
export interface Refund {
  /** Absent for what was returned without a key. */
  readonly key?: string
  readonly reference: string
  readonly status: 'succeeded'
  readonly amount_minor: number
}

/** A charge in JSON; `amount_minor` is in minor units, `sequence` grows by one with each change. */
export interface Charge {
  readonly key: string
  readonly status: 'succeeded' | 'pending' | 'action_required' | 'declined' | 'voided' | 'refunded'
  readonly reference: string
  readonly amount_minor: number
  readonly currency: string
  readonly sequence: number
  readonly reason?: string
  /** Absent without any. */
  readonly refunds?: readonly Refund[]
}

/** A question to the buyer, at an address that only the buyer knows. */
export interface Challenge {
  readonly secret: string
  /** Where the buyer's browser goes afterwards. */
  readonly returnUrl?: string
}

/** A charge and the work that is still due for it. */
export interface ChargeRecord {
  readonly charge: Charge
  readonly plan: PlannedOutcome
  readonly callbackUrl: string
  readonly callbackDue: boolean
  readonly challenge?: Challenge
}

/** Stores the latest entry of every key, in memory or in a file. */
export interface Ledger {
  find(key: string): ChargeRecord | undefined
  /** Finds the entry of a challenge by its secret. */
  findChallenge(secret: string): ChargeRecord | undefined
  /** All entries, in the order in which their keys were first saved. */
  entries(): IteratorObject<ChargeRecord>
  /** The keys whose callback is due, in the same order. */
  due(): readonly string[]
  /**
   * Replaces the entry of a key. With a file, it is written before this returns; throws without
   * effect otherwise.
   */
  save(entry: ChargeRecord): void
  /** Starts a transaction; throws when another process holds the write lock too long. */
  begin(): void
  /** Commits what was saved since `begin`, or throws and discards it. */
  commit(): void
  close(): void
}

/** How long a write waits for another process, in milliseconds. */
const busyTimeoutMs = 1000
const retryDelayMs = 5
/** SQLITE_BUSY. */
const busy = 5
const cacheKilobytes = 512

/**
 * Opens a ledger in memory or in a file, which one process may use at a time. A power failure may
 * lose the latest writes.
 */
export function openLedger(file: string | undefined): Ledger {
  if (file !== undefined) makePrivateDatabase(file)
  const database = new DatabaseSync(file ?? ':memory:', { timeout: busyTimeoutMs })
  try {
    retryWhileBusy(() =>
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
        create table if not exists challenges (
          secret text primary key,
          key text not null
        ) without rowid;
      `),
    )
    return ledgerIn(database)
  } catch (error) {
    database.close()
    throw error
  }
}

/** Retries while another process holds the lock: SQLite does not wait when switching to WAL. */
function retryWhileBusy(work: () => void): void {
  const endMs = performance.now() + busyTimeoutMs
  for (;;) {
    try {
      work()
      return
    } catch (error) {
      const isBusy = error instanceof Error && 'errcode' in error && error.errcode === busy
      if (!isBusy || performance.now() > endMs) throw error
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryDelayMs)
  }
}

function ledgerIn(database: DatabaseSync): Ledger {
  const byKey = database.prepare('select entry from entries where key = ?')
  const bySecret = database.prepare(
    'select entry from challenges join entries using (key) where secret = ?',
  )
  const insertChallenge = database.prepare(
    'insert into challenges (secret, key) values (?, ?) on conflict do nothing',
  )
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
    findChallenge: (secret) => {
      const row = bySecret.get(secret)
      return row && read(row['entry'])
    },
    entries: () => Iterator.from(all.iterate()).map((row) => read(row['entry'])),
    due: () => allDue.all().map((row) => String(row['key'])),
    save: (entry) => {
      const { charge, challenge, callbackDue } = entry
      upsert.run(charge.key, Number(callbackDue), JSON.stringify(entry))
      if (challenge) insertChallenge.run(challenge.secret, charge.key)
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

const read = (text: unknown): ChargeRecord => JSON.parse(String(text)) as ChargeRecord
