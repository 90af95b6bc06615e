import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { QueryResult } from 'kysely'

interface Statement {
  readonly handle: StatementSync
  /** The names of the columns of its rows; none for a statement that returns no rows. */
  columns: readonly string[]
}

const statementLimit = 1000
const changing = /^(?:insert(?=\s+into\b)|update\b(?!\s+or\b))/i
// Waiting for the lock of another process stops this whole one, so a writer waits asynchronously
// instead; a reader meets a lock only while a log is being recovered.
const busyTimeoutMilliseconds = { reader: 5000, writer: 5 }

// node:sqlite binds every number as REAL, under which `7 / 2` is 3.5 and `'' || 1` is '1.0';
// a bigint is bound as INTEGER, which is what PostgreSQL makes of the same value. A list travels
// as one JSON text, which json_each reads.
function bindable(value: unknown): SQLInputValue {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (Array.isArray(value)) return JSON.stringify(value)
  return value as SQLInputValue
}

const columnsOf = (handle: StatementSync): readonly string[] =>
  handle.columns().map(({ name }) => name)

function rowOf(columns: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [at, column] of columns.entries()) row[column] = values[at]
  return row
}

/**
 * One synchronous connection to an SQLite database, with its statements kept prepared. One that fails
 * may leave a part of what it did: whoever runs it is to undo the whole transaction. So SQLite need
 * not keep a copy of each page that a statement changes. Of several rows of which one breaks a foreign
 * key, and another something else, the foreign key is told; triggers may not have `or …` of their own.
 */
export class SqliteConnection {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, Statement>()

  constructor(path: string, { readOnly }: { readonly readOnly: boolean }) {
    const timeout = busyTimeoutMilliseconds[readOnly ? 'reader' : 'writer']
    this.#database = new DatabaseSync(path, { readOnly, timeout })
    try {
      if (!readOnly) this.#database.exec('pragma journal_mode=wal')
      // What is removed is overwritten, so that no free page of the file still tells it.
      if (!readOnly) this.#database.exec('pragma secure_delete=on')
      if (!readOnly) this.usesFiles(false)
      // FULL syncs the log at every commit: what has been acknowledged survives a power cut.
      this.#database.exec('pragma synchronous=full; pragma cache_size=-8000')
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  /** Whether a transaction is open, which SQLite itself may have ended after a grave error. */
  get inTransaction(): boolean {
    return this.#database.isTransaction
  }

  /** A number that changes when another connection has committed. */
  get dataVersion(): number {
    const [version = 0] = this.execute<{ data_version: number }>(
      'pragma data_version',
      [],
    ).rows.map((row) => row.data_version)
    return version
  }

  /** Runs a statement to its end and returns its rows as plain objects. */
  execute<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    const statement = this.#statements.get(sql) ?? this.#prepare(sql)
    const values = parameters.map(bindable)
    if (statement.columns.length === 0) {
      const { changes } = statement.handle.run(...values)
      return { rows: [], numAffectedRows: BigInt(changes) }
    }
    const found = statement.handle.all(...values) as unknown as (readonly unknown[])[]
    // SQLite prepares anew by itself after a change of the schema, so the columns may differ.
    if (found[0] !== undefined && found[0].length !== statement.columns.length) {
      statement.columns = columnsOf(statement.handle)
    }
    const rows = found.map((values) => rowOf(statement.columns, values)) as Row[]
    return { rows, numAffectedRows: BigInt(rows.length) }
  }

  /**
   * Whether what a statement needs besides the database goes to a file as it grows: from 64 KiB on what each page
   * was before a savepoint, if there are any. In memory it sorts whatever there is, which may be a whole table.
   */
  usesFiles(isAllowed: boolean): void {
    this.#database.exec(`pragma temp_store=${isAllowed ? 'file' : 'memory'}`)
  }

  /** Runs a statement that takes nothing and gives nothing. */
  command(sql: string): void {
    const statement = this.#statements.get(sql) ?? this.#prepare(sql)
    statement.handle.run()
  }

  close(): void {
    this.#statements.clear()
    if (this.#database.isOpen) this.#database.close()
  }

  #prepare(sql: string): Statement {
    const handle = this.#database.prepare(sql.replace(changing, '$& or fail'))
    handle.setReturnArrays(true)
    const statement = { handle, columns: columnsOf(handle) }
    if (this.#statements.size >= statementLimit) this.#forgetOldest()
    this.#statements.set(sql, statement)
    return statement
  }

  #forgetOldest(): void {
    const [oldest] = this.#statements.keys()
    if (oldest !== undefined) this.#statements.delete(oldest)
  }
}

/**
 * Brings the log of a file into it and empties the log, which else would keep what has been removed
 * since; false where somebody reads or writes at this moment.
 */
export function emptyLog(path: string): boolean {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMilliseconds.writer })
  try {
    const outcome = database.prepare('pragma wal_checkpoint(truncate)').get()
    return outcome?.['busy'] === 0
  } finally {
    database.close()
  }
}
