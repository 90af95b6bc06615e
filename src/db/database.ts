import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Dialect, type Kysely, sql } from 'kysely'
import type { ChangeFeed, Changes } from './changes.ts'
import { isBusy } from './errors.ts'
import { makeFolder } from './folder.ts'
import { countPending, migrate } from './migrate.ts'
import { makeDefaultFolderPrivate, makePrivateDatabase } from './private-files.ts'
import { createQueryBuilders, type RunQuery } from './query/direct-executor.ts'
import { withTransactionScope } from './query/transaction-scope.ts'
import { openSqliteFeed } from './sqlite/changes.ts'
import { truncateLog } from './sqlite/connection.ts'
import { SqliteDriver, sqliteDialect } from './sqlite/dialect.ts'
import type { Tables } from './tables/tables.ts'

/** The query builder over every table, outside or inside a transaction. */
export type Db = Kysely<Tables>

/** An open database. */
export interface Store {
  readonly kind: 'sqlite' | 'postgres'
  /** Runs each statement in a transaction of its own; a write resolves once it is durable. */
  readonly db: Db
  /**
   * Runs the work once in a transaction and resolves once its commit is durable; if the work
   * rejects, the transaction is rolled back and this rejects alike. Serializable on SQLite, READ
   * COMMITTED on PostgreSQL. Throws a StoreMisuseError inside a transaction, as `db` does.
   */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Runs the pending migrations and returns their names; safe in several processes at once. */
  migrate(): Promise<readonly string[]>
  /** What is committed, by this process and by others. */
  readonly changes: Changes
  /** Notifies every subscriber of `changes` that anything may have changed. */
  invalidateAll(): Promise<void>
  /** Counts the pending migrations. */
  pending(): Promise<number>
  /**
   * Removes deleted rows from the write-ahead log of SQLite; nothing on PostgreSQL. Resolves to
   * false where the log is in use.
   */
  purgeDeletedRows(): Promise<boolean>
  /** Resolves if the database answers. */
  ping(): Promise<void>
  /** The numbers of committed transactions, of group commits (SQLite) and of waiting transactions. */
  stats(): { commits: number; groups: number; waiting: number }
  /** Refuses new work, waits for the work in progress and closes the database. */
  close(): Promise<void>
}

/** The connections of one database. */
interface StoreDriver {
  readonly run: RunQuery
  readonly inTransaction: <T>(work: (run: RunQuery) => Promise<T>) => Promise<T>
  readonly stats: ReturnType<Store['stats']>
  readonly destroy: () => Promise<void>
}

const maxOpenAttempts = 50
const openRetryMs = 100

function createStore(
  kind: Store['kind'],
  dialect: Dialect,
  driver: StoreDriver,
  feed: ChangeFeed,
): Store {
  const builders = createQueryBuilders<Tables>(dialect)
  const db = builders.database((query) => driver.run(query))
  const transaction: Store['transaction'] = (work) =>
    withTransactionScope(
      driver,
      () => driver.inTransaction((run) => work(builders.transaction(run))),
      (cacheTags) => feed.publish(cacheTags),
    )
  let closed: Promise<void> | undefined
  return {
    kind,
    db,
    transaction,
    changes: feed,
    invalidateAll: async () => feed.publish('anything'),
    migrate: () => migrate(transaction),
    pending: () => countPending(db),
    purgeDeletedRows: async () => true,
    ping: async () => {
      await sql`select 1`.execute(db)
    },
    stats: () => driver.stats,
    close: () => {
      closed ??= Promise.all([driver.destroy(), feed.close()]).then(() => undefined)
      return closed
    },
  }
}

function createPrivateFile(path: string): void {
  makeFolder(dirname(path))
  makeDefaultFolderPrivate(dirname(path))
  makePrivateDatabase(path)
}

/** Tries again while another process that opened the same new file switches it to write-ahead logging. */
async function openSqliteDriver(path: string): Promise<SqliteDriver> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return new SqliteDriver(path)
    } catch (error) {
      if (attempt === maxOpenAttempts || !isBusy(error)) throw error
      await sleep(openRetryMs)
    }
  }
}

async function openPostgres(url: string, statementTimeoutMs: number): Promise<Store> {
  // Loaded on demand, since a process on SQLite does not need the client.
  const [{ PostgresDriver, postgresDialect }, { PostgresFeed }] = await Promise.all([
    import('./postgres/dialect.ts'),
    import('./postgres/changes.ts'),
  ])
  const driver = new PostgresDriver(url, statementTimeoutMs)
  return createStore('postgres', postgresDialect, driver, new PostgresFeed(url))
}

const defaultStatementTimeoutMs = 30_000

/**
 * Opens `sqlite::memory:`, `sqlite:PATH` (creating the folder and the file) or `postgres://…`.
 * PostgreSQL cancels a statement after `statementTimeoutMs` (0: never), which `isUnavailable`
 * recognises. Throws a TypeError for any other address, and the error of the database if it does
 * not answer.
 */
export async function openStore(
  url: string,
  { statementTimeoutMs = defaultStatementTimeoutMs }: { readonly statementTimeoutMs?: number } = {},
): Promise<Store> {
  if (/^postgres(?:ql)?:\/\//.test(url)) {
    return await requireReachable(await openPostgres(url, statementTimeoutMs))
  }
  if (!url.startsWith('sqlite:')) {
    throw new TypeError('The database must be sqlite:PATH, sqlite::memory: or postgres://…')
  }
  const path = url.slice('sqlite:'.length)
  if (path === '') throw new TypeError('The SQLite database has no path')
  if (path !== ':memory:') createPrivateFile(path)
  const driver = await openSqliteDriver(path)
  const store = createStore('sqlite', sqliteDialect, driver, openSqliteFeed(driver))
  return await requireReachable({
    ...store,
    purgeDeletedRows: async () => path === ':memory:' || truncateLog(path),
    migrate: () => driver.withTemporaryFiles(store.migrate),
  })
}

/** Returns a store that answers; closes it otherwise. */
async function requireReachable(store: Store): Promise<Store> {
  try {
    await store.ping()
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}
