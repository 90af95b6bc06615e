import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Dialect, type Kysely, sql } from 'kysely'
import type { ChangeFeed, Changes } from './changes.ts'
import { isBusy } from './errors.ts'
import { makeFolder } from './folder.ts'
import { countPending, migrate } from './migrate.ts'
import { makeDefaultFolderPrivate, makePrivateDatabase } from './private-files.ts'
import { buildersOf, type Run } from './query/direct-executor.ts'
import { insideTransaction } from './query/transaction-scope.ts'
import { openSqliteFeed } from './sqlite/changes.ts'
import { emptyLog } from './sqlite/connection.ts'
import { SqliteDriver, sqliteDialect } from './sqlite/dialect.ts'
import type { Tables } from './tables/tables.ts'

/** The query builder over every table; a transaction is one too. */
export type Db = Kysely<Tables>

/** An open database. */
export interface Store {
  readonly kind: 'sqlite' | 'postgres'
  /** Runs each statement by itself; a write resolves once it is durable. */
  readonly db: Db
  /**
   * Runs the work in one transaction and resolves once its commit is durable; if the work
   * rejects, so does this, and nothing is kept. Serialised on SQLite, READ COMMITTED on
   * PostgreSQL, never run twice. Not to be called, nor `db` used, from inside a transaction.
   */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Runs the migrations that are missing, each once whoever else starts, and names them. */
  migrate(): Promise<readonly string[]>
  /** What is committed, here and by others. */
  readonly changes: Changes
  /** Tells everybody who follows that anything may have changed. */
  invalidateAll(): Promise<void>
  /** Counts the migrations that have not been run. */
  pending(): Promise<number>
  /**
   * Removes what is left of removed rows outside of the tables, as far as the database lets go of
   * it: the log of SQLite. False where that is in use now.
   */
  scrub(): Promise<boolean>
  /** Resolves if the database answers. */
  ping(): Promise<void>
  /** Transactions committed, the groups they were committed in (SQLite), and those waiting. */
  stats(): { commits: number; groups: number; waiting: number }
  /** Waits for what is under way, refusing anything new, and closes the database. */
  close(): Promise<void>
}

/** The connections of one database. */
interface StoreDriver {
  readonly run: Run
  readonly inTransaction: <T>(work: (run: Run) => Promise<T>) => Promise<T>
  readonly stats: ReturnType<Store['stats']>
  readonly destroy: () => Promise<void>
}

const openAttempts = 50
const openPauseMilliseconds = 100

function storeOver(
  kind: Store['kind'],
  dialect: Dialect,
  driver: StoreDriver,
  feed: ChangeFeed,
): Store {
  const builders = buildersOf<Tables>(dialect)
  const db = builders.outside((query) => driver.run(query))
  const transaction: Store['transaction'] = (work) =>
    insideTransaction(
      driver,
      () => driver.inTransaction((run) => work(builders.inside(run))),
      (changes) => feed.publish(changes),
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
    scrub: async () => true,
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

/** Makes the folder and the file, for this user alone. */
function prepareConnection(path: string): void {
  makeFolder(dirname(path))
  makeDefaultFolderPrivate(dirname(path))
  makePrivateDatabase(path)
}

/** Two processes that open a new file at once dispute its switch to write-ahead logging. */
async function openSqlite(path: string): Promise<SqliteDriver> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return new SqliteDriver(path)
    } catch (error) {
      if (attempt === openAttempts || !isBusy(error)) throw error
      await sleep(openPauseMilliseconds)
    }
  }
}

/** Its client is loaded only where it is used. */
async function openPostgres(url: string, statementTimeoutMs: number): Promise<Store> {
  const [{ PostgresDriver, postgresDialect }, { PostgresFeed }] = await Promise.all([
    import('./postgres/dialect.ts'),
    import('./postgres/changes.ts'),
  ])
  const driver = new PostgresDriver(url, statementTimeoutMs)
  return storeOver('postgres', postgresDialect, driver, new PostgresFeed(url))
}

/** How long a statement on PostgreSQL may take; far more than any of a request does. */
const defaultStatementTimeoutMs = 30_000

/**
 * Opens `sqlite::memory:`, `sqlite:PATH` (making the folder of the file) or `postgres://…`;
 * rejects if it cannot be opened or the address is of another kind. PostgreSQL breaks off, as
 * unavailable, a statement that takes longer than `statementTimeoutMs` (0: never).
 */
export async function openStore(
  url: string,
  { statementTimeoutMs = defaultStatementTimeoutMs }: { readonly statementTimeoutMs?: number } = {},
): Promise<Store> {
  if (/^postgres(?:ql)?:\/\//.test(url)) {
    return await opened(await openPostgres(url, statementTimeoutMs))
  }
  if (!url.startsWith('sqlite:')) {
    throw new TypeError('The database is given as sqlite:PATH, sqlite::memory: or postgres://…')
  }
  const path = url.slice('sqlite:'.length)
  if (path === '') throw new TypeError('The SQLite database has no path')
  if (path !== ':memory:') prepareConnection(path)
  const driver = await openSqlite(path)
  const store = storeOver('sqlite', sqliteDialect, driver, openSqliteFeed(driver))
  const scrub = async () => path === ':memory:' || emptyLog(path)
  const migrateInFiles = () => driver.withFiles(store.migrate)
  return await opened({ ...store, scrub, migrate: migrateInFiles })
}

async function opened(store: Store): Promise<Store> {
  try {
    await store.ping()
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}
