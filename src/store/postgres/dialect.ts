import {
  type CompiledQuery,
  type Dialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import { TransactionLostError } from '#store/errors.ts'
import { InFlightWork } from '#store/in-flight.ts'
import { noDriver, type RunQuery } from '#store/query/direct-executor.ts'
import type { DriverSnapshot } from '#store/query/snapshot.ts'
import { assertOutsideTransaction, currentTransaction } from '#store/query/transaction-scope.ts'
import type { PostgresFeed } from './changes.ts'
import type { PostgresClient } from './client.ts'
import { CommitLostError, resolveCommit } from './commit-outcome.ts'
import type { PostgresPool } from './pool.ts'
import { type Announcement, PostgresTransaction } from './transaction.ts'

// One adapter for all databases, since `prepareQuery` caches queries by adapter.
const postgresAdapter = new PostgresAdapter()

/** Follows the command that begins a transaction. */
const asSnapshot = 'set transaction isolation level repeatable read, read only'

/** The connections to one PostgreSQL database. */
export class PostgresDriver {
  readonly #pool: PostgresPool
  readonly #feed: Pick<PostgresFeed, 'announcement'>
  readonly #inFlight = new InFlightWork()
  #commits = 0

  constructor(pool: PostgresPool, feed: Pick<PostgresFeed, 'announcement'>) {
    this.#pool = pool
    this.#feed = feed
  }

  get isPooled(): boolean {
    return this.#pool.isPooled
  }

  /** Each transaction has a commit of its own, so `groups` is 0. */
  get stats() {
    return { commits: this.#commits, groups: 0, waiting: this.#pool.waiting, ...this.#pool.use }
  }

  /** Runs a query in a transaction of its own on the least busy connection. */
  async run<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    assertOutsideTransaction(this, 'A statement was run on the store')
    return await this.#inFlight.run(() => this.#pool.query<Row>(query.sql, query.parameters))
  }

  /**
   * Runs the work in a transaction on a connection of its own, which is committed if it resolves and
   * rolled back if it rejects. Later statements reject.
   */
  inTransaction<T>(work: (run: RunQuery) => Promise<T>): Promise<T> {
    return this.#inFlight.run(async () => {
      const { client, release } = await this.#pool.reserve()
      const transaction = new PostgresTransaction(client)
      let result: T
      let lost: CommitLostError | undefined
      try {
        result = await work(inOrder(transaction))
        const scope = currentTransaction()
        const announcement = scope?.cacheTags && this.#announcementOf(scope.cacheTags)
        const outcome = await commit(transaction, announcement)
        if (outcome instanceof CommitLostError) lost = outcome
        else if (scope) scope.isAnnounced = outcome
      } finally {
        await transaction.rollback()
        release()
      }
      if (lost) await resolveCommit((sql, parameters) => this.#pool.query(sql, parameters), lost)
      this.#commits += 1
      return result
    })
  }

  /** Returns what is sent along with COMMIT; a pooler may give the connection to another client in between. */
  #announcementOf(cacheTags: ReadonlySet<string>): Announcement | undefined {
    return this.isPooled ? undefined : this.#feed.announcement(cacheTags)
  }

  /** Opens a connection of its own that sees what is committed now until it is closed. */
  async openSnapshot(): Promise<DriverSnapshot> {
    const client = await this.#inFlight.run(() => this.#beginSnapshot())
    const { generation } = client
    return {
      run: async ({ sql, parameters }) => {
        if (client.generation !== generation) {
          throw new TransactionLostError('The connection of the snapshot was lost')
        }
        return await client.execute(sql, parameters)
      },
      close: () => client.close(),
    }
  }

  async #beginSnapshot(): Promise<PostgresClient> {
    const client = this.#pool.openSeparate()
    try {
      await client.command(`${client.begin};${asSnapshot}`)
      // The snapshot is that of the first statement.
      await client.command('select 1')
      return client
    } catch (error) {
      await client.close()
      throw error
    }
  }

  /** Refuses new work, waits for the work in progress and closes the connections. */
  async destroy(): Promise<void> {
    await this.#inFlight.close()
    await this.#pool.close()
  }
}

/** Commits a transaction; returns whether it is announced, or the error of a COMMIT whose outcome is not known. */
async function commit(
  transaction: PostgresTransaction,
  announcement: Announcement | undefined,
): Promise<boolean | CommitLostError> {
  try {
    return await transaction.commit(announcement)
  } catch (error) {
    if (error instanceof CommitLostError) return error
    throw error
  }
}

/** Sends each query after the one before, without waiting for the result of that one. */
function inOrder(transaction: PostgresTransaction): RunQuery {
  let last: Promise<unknown> = Promise.resolve()
  return (query) => {
    const sent = last.then(() => transaction.send<never>(query))
    last = sent.catch(() => undefined)
    return sent.then(({ result }) => result)
  }
}

/** The Kysely dialect of PostgreSQL, without a driver. */
export const postgresDialect: Dialect = {
  createAdapter: () => postgresAdapter,
  createDriver: () => noDriver,
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
}
