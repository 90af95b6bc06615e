import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { QueryResult } from 'kysely'

interface Statement {
  readonly handle: StatementSync
  columns: Columns
}

/** The columns of the rows of a statement; none if it returns no rows. */
interface Columns {
  readonly names: readonly string[]
  /**
   * A row of nulls. Its copies stay fast: V8 turns an object into a slow hash table when some 20 properties
   * are added to it by computed names.
   */
  readonly emptyRow: Readonly<Record<string, unknown>>
}

const maxStatements = 1000
const maxIdleLogBytes = 67_108_864
const insertOrUpdate = /^(?:insert(?=\s+into\b)|update\b(?!\s+or\b))/i
// The busy timeout blocks the event loop, so the writer retries asynchronously instead. A reader
// meets a lock only while a log is being recovered.
const busyTimeoutMs = { reader: 5000, writer: 5 }

// node:sqlite binds every number as REAL, with which `7 / 2` is 3.5 and `'' || 1` is '1.0'; it binds
// a bigint as INTEGER, the type that PostgreSQL infers. A list is bound as JSON text for json_each.
function toSqlValue(value: unknown): SQLInputValue {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (Array.isArray(value)) return JSON.stringify(value)
  return value as SQLInputValue
}

function columnsOf(handle: StatementSync): Columns {
  const names = handle.columns().map(({ name }) => name)
  return { names, emptyRow: Object.fromEntries(names.map((name) => [name, null])) }
}

function rowOf({ names, emptyRow }: Columns, values: readonly unknown[]): Record<string, unknown> {
  const row = { ...emptyRow }
  for (const [at, name] of names.entries()) row[name] = values[at]
  return row
}

/**
 * A synchronous connection to an SQLite database that caches prepared statements. Inserts and updates
 * run as `or fail`, so that SQLite need not copy each page before a statement changes it: a failed
 * one may leave some of its changes, and its whole transaction must be rolled back. A statement that
 * violates a foreign key and another constraint reports the foreign key; triggers must not have a
 * conflict clause.
 */
export class SqliteConnection {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, Statement>()

  constructor(path: string, { readOnly }: { readonly readOnly: boolean }) {
    const timeout = busyTimeoutMs[readOnly ? 'reader' : 'writer']
    this.#database = new DatabaseSync(path, { readOnly, timeout })
    try {
      if (!readOnly) this.#database.exec('pragma journal_mode=wal')
      // Deleted data is overwritten, so that it does not remain in free pages.
      if (!readOnly) this.#database.exec('pragma secure_delete=on')
      if (!readOnly) this.setTemporaryStore('memory')
      // A reader keeps the log growing; once it is done, the file is cut to this size.
      if (!readOnly) this.#database.exec(`pragma journal_size_limit=${maxIdleLogBytes}`)
      // FULL syncs the log at every commit, so that an acknowledged one survives a power cut.
      this.#database.exec('pragma synchronous=full; pragma cache_size=-8000')
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  /** True while a transaction is open; SQLite itself rolls it back after some errors. */
  get inTransaction(): boolean {
    return this.#database.isTransaction
  }

  /** A number that changes when another connection commits. */
  get dataVersion(): number {
    const [version = 0] = this.execute<{ data_version: number }>(
      'pragma data_version',
      [],
    ).rows.map((row) => row.data_version)
    return version
  }

  /** Runs a statement and returns its rows as plain objects. */
  execute<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    const statement = this.#statements.get(sql) ?? this.#prepare(sql)
    const values = parameters.map(toSqlValue)
    if (statement.columns.names.length === 0) {
      const { changes } = statement.handle.run(...values)
      return { rows: [], numAffectedRows: BigInt(changes) }
    }
    const found = statement.handle.all(...values) as unknown as (readonly unknown[])[]
    // SQLite prepares a statement again after a schema change, and its columns may differ.
    if (found[0] !== undefined && found[0].length !== statement.columns.names.length) {
      statement.columns = columnsOf(statement.handle)
    }
    const rows = found.map((values) => rowOf(statement.columns, values)) as Row[]
    return { rows, numAffectedRows: BigInt(rows.length) }
  }

  /**
   * Sets where SQLite keeps temporary data: the original pages of savepoints and the rows it sorts.
   * In memory savepoints cost no disk writes, but a sort may hold a whole table.
   */
  setTemporaryStore(store: 'memory' | 'file'): void {
    this.#database.exec(`pragma temp_store=${store}`)
  }

  /** Returns a copy of the whole database in memory, with what this connection sees. */
  copy(): SqliteConnection {
    const copy = new SqliteConnection(':memory:', { readOnly: true })
    copy.#database.deserialize(this.#database.serialize())
    return copy
  }

  /** Runs a statement without parameters and rows. */
  command(sql: string): void {
    const statement = this.#statements.get(sql) ?? this.#prepare(sql)
    statement.handle.run()
  }

  close(): void {
    this.#statements.clear()
    if (this.#database.isOpen) this.#database.close()
  }

  #prepare(sql: string): Statement {
    const handle = this.#database.prepare(sql.replace(insertOrUpdate, '$& or fail'))
    handle.setReturnArrays(true)
    const statement = { handle, columns: columnsOf(handle) }
    if (this.#statements.size >= maxStatements) this.#evictOldest()
    this.#statements.set(sql, statement)
    return statement
  }

  #evictOldest(): void {
    const [oldest] = this.#statements.keys()
    if (oldest !== undefined) this.#statements.delete(oldest)
  }
}

/**
 * Checkpoints the write-ahead log of a file and truncates it, so that it holds no deleted rows.
 * Returns false where another connection is reading or writing.
 */
export function truncateLog(path: string): boolean {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs.writer })
  try {
    const outcome = database.prepare('pragma wal_checkpoint(truncate)').get()
    return outcome?.['busy'] === 0
  } finally {
    database.close()
  }
}
