import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import { StoreClosedError } from '#store/errors.ts'
import { type PostgresClient, PostgresPool } from '#store/postgres-pool.ts'
import { PostgresTransaction } from '#store/postgres-transaction.ts'
import { refuseInsideTransaction } from '#store/transaction-scope.ts'

/** The adapter shared by every PostgreSQL database, by which the dialect of a `Db` is told. */
const postgresAdapter = new PostgresAdapter()

/** The connections to one PostgreSQL database, as Kysely drives them. */
export class PostgresDriver implements Driver {
  readonly #pool: PostgresPool
  readonly #idle: (() => void)[] = []
  #leased = 0
  #commits = 0
  #closing = false

  /** A statement that takes longer than this many milliseconds is broken off; 0 is never. */
  constructor(url: string, statementTimeoutMs: number) {
    this.#pool = new PostgresPool(url, statementTimeoutMs)
  }

  /** Transactions committed and waiting; each has its own commit here, so groups are not counted. */
  get stats(): { commits: number; groups: number; waiting: number } {
    return { commits: this.#commits, groups: 0, waiting: this.#pool.waiting }
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#closing) throw new StoreClosedError('The store is closing')
    this.#leased += 1
    return new Lease(this)
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const lease = connection as Lease
    if (lease.client !== undefined) this.#pool.release(lease.client)
    lease.client = undefined
    this.#leased -= 1
    if (this.#leased === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const lease = connection as Lease
    lease.client = await this.#pool.reserve()
    lease.transaction = new PostgresTransaction(lease.client)
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await transactionOf(connection).commit()
    this.#commits += 1
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await transactionOf(connection).rollback()
  }

  async savepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await transactionOf(connection).control(`savepoint ${quoted(name)}`)
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await transactionOf(connection).control(`rollback to ${quoted(name)}`)
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await transactionOf(connection).control(`release ${quoted(name)}`)
  }

  /** Runs a query of a transaction on its connection, any other on the least busy one. */
  async execute<Row>(
    transaction: PostgresTransaction | undefined,
    query: CompiledQuery,
  ): Promise<QueryResult<Row>> {
    if (transaction !== undefined) return await transaction.execute<Row>(query)
    refuseInsideTransaction(this, 'A statement was run on the store')
    return await this.#pool.leastBusy().query<Row>(query.sql, query.parameters)
  }

  /** Takes no new work, waits for what is under way and closes the connections. */
  async destroy(): Promise<void> {
    this.#closing = true
    if (this.#leased > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
    await this.#pool.close()
  }
}

class Lease implements DatabaseConnection {
  readonly #driver: PostgresDriver
  client: PostgresClient | undefined
  transaction: PostgresTransaction | undefined

  constructor(driver: PostgresDriver) {
    this.#driver = driver
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#driver.execute<Row>(this.transaction, query)
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query)
  }
}

function transactionOf(connection: DatabaseConnection): PostgresTransaction {
  const { transaction } = connection as Lease
  if (transaction === undefined) throw new Error('No transaction is open on this connection')
  return transaction
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Makes the Kysely dialect of a PostgreSQL database driven by the given driver. */
export function postgresDialect(driver: PostgresDriver): Dialect {
  return {
    createAdapter: () => postgresAdapter,
    createDriver: () => driver,
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}
