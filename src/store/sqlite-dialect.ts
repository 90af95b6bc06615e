import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { DirectDriver } from '#store/direct-executor.ts'
import { StoreClosedError } from '#store/errors.ts'
import { SqliteConnection } from '#store/sqlite-connection.ts'
import { GroupWriter, type Membership } from '#store/sqlite-group.ts'
import { onlyReads } from '#store/statement-kind.ts'
import { refuseInsideTransaction } from '#store/transaction-scope.ts'

/** The adapter shared by every SQLite database, by which the dialect of a `Db` is told. */
export const sqliteAdapter = new SqliteAdapter()

/** The connections of one SQLite database, as Kysely drives them. */
export class SqliteDriver implements DirectDriver {
  readonly #connection: SqliteConnection
  readonly #reader: SqliteConnection | undefined
  readonly #writer: GroupWriter
  readonly #free: Lease[] = []
  readonly #idle: (() => void)[] = []
  #leased = 0
  #closing = false

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
  get foreignVersion(): number {
    return this.#connection.dataVersion
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#enter()
    return this.#free.pop() ?? new Lease(this)
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const lease = connection as Lease
    lease.membership = undefined
    this.#free.push(lease)
    this.#leave()
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const lease = connection as Lease
    lease.membership = await this.#writer.begin()
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#writer.commit(membershipOf(connection))
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    this.#writer.rollback(membershipOf(connection))
  }

  async savepoint(connection: DatabaseConnection, name: string): Promise<void> {
    this.#writer.execute(membershipOf(connection), `savepoint ${quoted(name)}`, [])
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    this.#writer.rollbackTo(membershipOf(connection), quoted(name))
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    this.#writer.execute(membershipOf(connection), `release ${quoted(name)}`, [])
  }

  /** Runs a query that is in no transaction. */
  async run<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    this.#enter()
    try {
      return await this.execute<Row>(undefined, query)
    } finally {
      this.#leave()
    }
  }

  /** Runs a query of a transaction on the writer, any other where it belongs. */
  async execute<Row>(
    membership: Membership | undefined,
    query: CompiledQuery,
  ): Promise<QueryResult<Row>> {
    if (membership !== undefined) {
      return this.#writer.execute<Row>(membership, query.sql, query.parameters)
    }
    refuseInsideTransaction(this, 'A statement was run on the store')
    if (!onlyReads(query)) return await this.#writer.write<Row>(query.sql, query.parameters)
    if (this.#reader === undefined) {
      return await this.#writer.read<Row>(query.sql, query.parameters)
    }
    return this.#reader.execute<Row>(query.sql, query.parameters)
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
    this.#closing = true
    if (this.#leased > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
    this.#reader?.close()
    this.#connection.close()
  }

  #enter(): void {
    if (this.#closing) throw new StoreClosedError('The store is closing')
    this.#leased += 1
  }

  #leave(): void {
    this.#leased -= 1
    if (this.#leased === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }
}

class Lease implements DatabaseConnection {
  readonly #driver: SqliteDriver
  membership: Membership | undefined

  constructor(driver: SqliteDriver) {
    this.#driver = driver
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#driver.execute<Row>(this.membership, query)
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query)
  }
}

function membershipOf(connection: DatabaseConnection): Membership {
  const { membership } = connection as Lease
  if (membership === undefined) throw new Error('No transaction is open on this connection')
  return membership
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Makes the Kysely dialect of an SQLite database driven by the given driver. */
export function sqliteDialect(driver: SqliteDriver): Dialect {
  return {
    createAdapter: () => sqliteAdapter,
    createDriver: () => driver,
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}
