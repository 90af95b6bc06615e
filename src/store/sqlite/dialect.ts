import {
  type CompiledQuery,
  type Dialect,
  type QueryResult,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { InFlightWork } from '#store/in-flight.ts'
import { sqliteAdapter } from '#store/query/dialect.ts'
import { noDriver, type RunQuery } from '#store/query/direct-executor.ts'
import type { DriverSnapshot } from '#store/query/snapshot.ts'
import { onlyReads } from '#store/query/statement-kind.ts'
import { assertOutsideTransaction } from '#store/query/transaction-scope.ts'
import { SqliteConnection } from './connection.ts'
import { GroupWriter } from './group-commit.ts'
import { OpenSnapshots } from './open-snapshots.ts'
import { ReaderThreads } from './reader-threads.ts'

/** A database without a name, in a temporary file that goes with its only connection. */
export const temporaryPath = ''

/** True for a database that has only one connection. */
const isPrivate = (path: string): boolean => path === ':memory:' || path === temporaryPath

/** The connections of one SQLite database. */
export class SqliteDriver {
  readonly #path: string
  readonly #connection: SqliteConnection
  readonly #reader: SqliteConnection | undefined
  readonly #writer: GroupWriter
  readonly #inFlight = new InFlightWork()
  readonly #snapshots: OpenSnapshots
  /** Reads that may be long run on these; undefined for a private database. */
  readonly threads: ReaderThreads | undefined

  /**
   * Opens the file with a reader and a writer, or a private database with one connection for both. Snapshots
   * end when the log has more than `maxLogBytes`; reader threads serve a file of `threadedFromBytes`.
   */
  constructor(path: string, maxLogBytes: number, threadedFromBytes: number) {
    this.#path = path
    this.#connection = new SqliteConnection(path, { readOnly: false })
    this.#reader = isPrivate(path) ? undefined : new SqliteConnection(path, { readOnly: true })
    this.#writer = new GroupWriter(this.#connection)
    this.#snapshots = new OpenSnapshots(path, maxLogBytes)
    this.threads = isPrivate(path) ? undefined : new ReaderThreads(path, threadedFromBytes)
  }

  get stats(): GroupWriter['stats'] {
    return this.#writer.stats
  }

  /** A number that changes when another process commits. */
  get dataVersion(): number {
    return this.#connection.dataVersion
  }

  /** Runs a query in a transaction of its own, on the reader if it only reads. */
  async run<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    assertOutsideTransaction(this, 'A statement was run on the store')
    const { sql, parameters } = query
    const reads = onlyReads(query)
    if (reads && this.#reader !== undefined) {
      this.#inFlight.assertOpen()
      return this.#reader.execute<Row>(sql, parameters)
    }
    return await this.#inFlight.run(() =>
      reads
        ? this.#writer.read((connection) => connection.execute<Row>(sql, parameters))
        : this.#writer.write<Row>(query),
    )
  }

  /** Runs a query as `run` does, on a thread if it only reads; owners take turns. */
  async runOnThread<Row>(query: CompiledQuery, owner: string): Promise<QueryResult<Row>> {
    const { threads } = this
    if (!threads || !onlyReads(query)) return await this.run<Row>(query)
    assertOutsideTransaction(this, 'A statement was run on the store')
    return await this.#inFlight.run(() => threads.run<Row>(query, owner))
  }

  /**
   * Runs the work in a transaction, which is committed if it resolves and rolled back if it rejects. Later
   * statements reject.
   */
  inTransaction<T>(work: (run: RunQuery) => Promise<T>): Promise<T> {
    const writer = this.#writer
    return this.#inFlight.run(() =>
      writer.transact((transaction) =>
        work(async (query) => writer.execute(transaction, query, { reads: onlyReads(query) })),
      ),
    )
  }

  /**
   * Runs work that sorts whole tables, such as creating indexes, with temporary data in files. No
   * transaction may be open.
   */
  async withTemporaryFiles<T>(work: () => Promise<T>): Promise<T> {
    this.#connection.setTemporaryStore('file')
    try {
      return await work()
    } finally {
      this.#connection.setTemporaryStore('memory')
    }
  }

  /**
   * Opens a connection that sees what is committed now until it is closed, or until the log is too
   * long: then its statements throw a TransactionLostError, and `onLost` is called.
   */
  async openSnapshot(onLost: () => void): Promise<DriverSnapshot> {
    const connection = await this.#inFlight.run(() => this.#openReader())
    return this.#snapshots.add(connection, onLost)
  }

  async #openReader(): Promise<SqliteConnection> {
    if (this.#reader === undefined) return await this.#writer.read((writer) => writer.copy())
    this.#snapshots.requireRoom()
    const connection = new SqliteConnection(this.#path, { readOnly: true })
    connection.command('begin')
    // The snapshot is that of the first read.
    connection.execute('select 1 from sqlite_schema limit 1', [])
    return connection
  }

  /** Refuses new work, waits for the work in progress and closes the files. */
  async destroy(): Promise<void> {
    await this.#inFlight.close()
    await this.threads?.close()
    this.#reader?.close()
    this.#connection.close()
  }
}

/** The Kysely dialect of SQLite, without a driver. */
export const sqliteDialect: Dialect = {
  createAdapter: () => sqliteAdapter,
  createDriver: () => noDriver,
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
}
