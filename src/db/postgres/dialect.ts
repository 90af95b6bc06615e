import {
  type CompiledQuery,
  type Dialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import { InFlightWork } from '#db/in-flight.ts'
import { noDriver, type Run } from '#db/query/direct-executor.ts'
import { assertOutsideTransaction } from '#db/query/transaction-scope.ts'
import { PostgresPool } from './pool.ts'
import { PostgresTransaction } from './transaction.ts'

/** The adapter shared by every PostgreSQL database, by which the dialect of a `Db` is told. */
const postgresAdapter = new PostgresAdapter()

/** The connections to one PostgreSQL database. */
export class PostgresDriver {
  readonly #pool: PostgresPool
  readonly #inFlight = new InFlightWork()
  #commits = 0

  /** A statement that takes longer than this many milliseconds is broken off; 0 is never. */
  constructor(url: string, statementTimeoutMs: number) {
    this.#pool = new PostgresPool(url, statementTimeoutMs)
  }

  /** Transactions committed and waiting; each has its own commit here, so groups are not counted. */
  get stats(): { commits: number; groups: number; waiting: number } {
    return { commits: this.#commits, groups: 0, waiting: this.#pool.waiting }
  }

  /** Runs a query that is in no transaction on the least busy connection. */
  async run<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    assertOutsideTransaction(this, 'A statement was run on the store')
    return await this.#inFlight.do(() =>
      this.#pool.leastBusy().query<Row>(query.sql, query.parameters),
    )
  }

  /**
   * Does the work in a transaction with a connection for itself, which is committed once it
   * resolves and undone where it rejects; statements that come after are refused.
   */
  inTransaction<T>(work: (run: Run) => Promise<T>): Promise<T> {
    return this.#inFlight.do(async () => {
      const client = await this.#pool.reserve()
      const transaction = new PostgresTransaction(client)
      try {
        const result = await work(inTurn((query) => transaction.execute(query)))
        await transaction.commit()
        this.#commits += 1
        return result
      } catch (error) {
        await transaction.rollback()
        throw error
      } finally {
        this.#pool.release(client)
      }
    })
  }

  /** Takes no new work, waits for what is under way and closes the connections. */
  async destroy(): Promise<void> {
    await this.#inFlight.close()
    await this.#pool.close()
  }
}

/** Keeps the statements of a transaction from overtaking one another. */
function inTurn(run: Run): Run {
  let last: Promise<unknown> = Promise.resolve()
  return (query) => {
    const next = last.then(() => run<never>(query))
    last = next.catch(() => undefined)
    return next
  }
}

/** How Kysely writes for PostgreSQL. */
export const postgresDialect: Dialect = {
  createAdapter: () => postgresAdapter,
  createDriver: () => noDriver,
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
}
