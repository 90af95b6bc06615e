import {
  type CompiledQuery,
  type Dialect,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { InFlightWork } from '#db/in-flight.ts'
import { noDriver, type Run } from '#db/query/direct-executor.ts'
import { onlyReads } from '#db/query/statement-kind.ts'
import { assertOutsideTransaction } from '#db/query/transaction-scope.ts'
import { SqliteConnection } from './connection.ts'
import { GroupWriter } from './group-commit.ts'

/** The adapter shared by every SQLite database, by which the dialect of a `Db` is told. */
export const sqliteAdapter = new SqliteAdapter()

/** The connections of one SQLite database. */
export class SqliteDriver {
  readonly #connection: SqliteConnection
  readonly #reader: SqliteConnection | undefined
  readonly #writer: GroupWriter
  readonly #inFlight = new InFlightWork()

  /** Opens the file, or a database in memory, which has but one connection to live in. */
  constructor(path: string) {
    this.#connection = new SqliteConnection(path, { readOnly: false })
    this.#reader = path === ':memory:' ? undefined : new SqliteConnection(path, { readOnly: true })
    this.#writer = new GroupWriter(this.#connection)
  }

  get stats(): GroupWriter['stats'] {
    return this.#writer.stats
  }

  /** A number that changes with every commit of another process. */
  get dataVersion(): number {
    return this.#connection.dataVersion
  }

  /** Runs a query that is in no transaction where it belongs. */
  async run<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    assertOutsideTransaction(this, 'A statement was run on the store')
    const { sql, parameters } = query
    const reads = onlyReads(query)
    if (reads && this.#reader !== undefined) {
      this.#inFlight.assertOpen()
      return this.#reader.execute<Row>(sql, parameters)
    }
    return await this.#inFlight.do(() =>
      reads ? this.#writer.read<Row>(sql, parameters) : this.#writer.write<Row>(query),
    )
  }

  /**
   * Does the work in a transaction, which is committed once it resolves and undone where it
   * rejects; statements that come after are refused.
   */
  inTransaction<T>(work: (run: Run) => Promise<T>): Promise<T> {
    const writer = this.#writer
    return this.#inFlight.do(() =>
      writer.transact((groupTransaction) =>
        work(async (query) => writer.execute(groupTransaction, query, { reads: onlyReads(query) })),
      ),
    )
  }

  /** Does what sorts whole tables, such as making indexes, at a time when no transaction is open. */
  async withFiles<T>(work: () => Promise<T>): Promise<T> {
    this.#connection.usesFiles(true)
    try {
      return await work()
    } finally {
      this.#connection.usesFiles(false)
    }
  }

  /** Takes no new work, waits for what is under way and closes the files. */
  async destroy(): Promise<void> {
    await this.#inFlight.close()
    this.#reader?.close()
    this.#connection.close()
  }
}

/** How Kysely writes for SQLite. */
export const sqliteDialect: Dialect = {
  createAdapter: () => sqliteAdapter,
  createDriver: () => noDriver,
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
}
