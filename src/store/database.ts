import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Dialect, type Kysely, sql } from 'kysely'
import type { ChangeFeed, Changes } from './changes.ts'
import type { TableDeclaration } from './declaration.ts'
import { isBusy } from './errors.ts'
import { makeFolder } from './folder.ts'
import { type ListReader, listReaderOf } from './list-reader.ts'
import { countPending, migrate } from './migrate.ts'
import { makeDefaultFolderPrivate, makePrivateDatabase } from './private-files.ts'
import { createQueryBuilders, type RunQuery } from './query/direct-executor.ts'
import { cacheSingleRows, type DriverSnapshot } from './query/snapshot.ts'
import { withLastWrites, withTransactionScope } from './query/transaction-scope.ts'
import { createSqliteFeed } from './sqlite/changes.ts'
import { truncateLog } from './sqlite/connection.ts'
import { SqliteDriver, sqliteDialect, temporaryPath } from './sqlite/dialect.ts'
import { defaultMaxLogBytes } from './sqlite/open-snapshots.ts'
import { defaultThreadedFromBytes } from './sqlite/reader-threads.ts'
import { retryWhileLocked } from './sqlite/retry-while-locked.ts'
import type { Tables } from './tables.ts'
import { type InTransaction, type StartStatement, traceStatements } from './trace-statement.ts'

/** The query builder over every table, outside or inside a transaction. */
export type Db = Kysely<Tables>

/** A read-only view of one state of the database; `close` frees its connection. */
export interface Snapshot {
  readonly db: Db
  readonly close: () => Promise<void>
}

/** A database that repeats the changes of another one and may lag behind it. */
export interface ReadReplica {
  /** Runs reads on the replica, and on the primary where the replica fails. */
  readonly db: Db
  /** True if the replica has everything that was committed before this call; never rejects. */
  readonly isCurrent: () => Promise<boolean>
}

/** An open database. */
export interface Store {
  readonly kind: 'sqlite' | 'postgres'
  /** True where a connection pooler answers in place of PostgreSQL. */
  readonly isPooled: boolean
  /** The replica for reads; undefined without one. */
  readonly replica?: ReadReplica
  /** Undefined on PostgreSQL and in memory. */
  readonly listReader?: ListReader | undefined
  /** Runs each statement in a transaction of its own; a write resolves once it is durable. */
  readonly db: Db
  /**
   * Runs the work once in a transaction and resolves once its commit is durable; if the work
   * rejects, the transaction is rolled back and this rejects alike. Serializable on SQLite, READ
   * COMMITTED on PostgreSQL. Throws a StoreMisuseError inside a transaction, as `db` does.
   */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>
  /**
   * Opens a read-only view of what is committed now, on a connection of its own. While it is open,
   * PostgreSQL keeps old rows and SQLite cannot shorten its log: where that grows too long, the view ends
   * and `onLost` is called.
   */
  openSnapshot(onLost: () => void): Promise<Snapshot>
  /**
   * Creates the tables, or runs the pending migrations, and returns the names of what it ran; safe in
   * several processes at once.
   */
  migrate(tables: readonly TableDeclaration[]): Promise<readonly string[]>
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
  /**
   * The numbers of committed transactions, of group commits (SQLite) and of waiting transactions; on
   * PostgreSQL also of `connections` in the pool and of `busy` ones.
   */
  stats(): {
    commits: number
    groups: number
    waiting: number
    connections?: number
    busy?: number
  }
  /** Refuses new work, waits for the work in progress and closes the database. */
  close(): Promise<void>
}

/** The connections of one database. */
interface StoreDriver {
  readonly isPooled?: boolean
  readonly run: RunQuery
  readonly inTransaction: InTransaction
  readonly openSnapshot: (onLost: () => void) => Promise<DriverSnapshot>
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
  { startStatement, isScratch = false }: StoreOptions & { readonly isScratch?: boolean },
): Store {
  const builders = createQueryBuilders<Tables>(dialect)
  const runner = startStatement ? traceStatements(driver, startStatement) : driver
  const db = builders.database((query) => runner.run(query))
  const publish = (cacheTags: readonly string[], isAnnounced?: boolean) =>
    feed.publish(cacheTags, isAnnounced)
  const transaction: Store['transaction'] = (work) =>
    withTransactionScope(
      driver,
      () => runner.inTransaction((run) => withLastWrites(() => work(builders.transaction(run)))),
      isScratch ? undefined : publish,
    )
  let closed: Promise<void> | undefined
  return {
    kind,
    isPooled: driver.isPooled ?? false,
    db,
    transaction,
    openSnapshot: async (onLost) => {
      const { run, close } = await driver.openSnapshot(onLost)
      return { db: builders.database(cacheSingleRows(run)), close }
    },
    changes: feed,
    invalidateAll: async () => feed.publish('anything'),
    migrate: (tables) => migrate(transaction, tables),
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

/** Waits while another process switches the same new file to write-ahead logging. */
async function openSqliteDriver(path: string, options: StoreOptions): Promise<SqliteDriver> {
  const { maxLogBytes = defaultMaxLogBytes } = options
  const { threadedFromBytes = defaultThreadedFromBytes } = options
  for (let attempt = 1; ; attempt += 1) {
    try {
      return new SqliteDriver(path, maxLogBytes, threadedFromBytes)
    } catch (error) {
      if (attempt === maxOpenAttempts || !isBusy(error)) throw error
      await sleep(openRetryMs)
    }
  }
}

const defaultStatementTimeoutMs = 30_000

async function openPostgres(url: string, options: StoreOptions): Promise<Store> {
  const { statementTimeoutMs = defaultStatementTimeoutMs, connections } = options
  const { directUrl = url } = options
  // Loaded on demand, since a process on SQLite does not need the client.
  const [{ PostgresDriver, postgresDialect }, { openPool }, { PostgresFeed }] = await Promise.all([
    import('./postgres/dialect.ts'),
    import('./postgres/pool.ts'),
    import('./postgres/changes.ts'),
  ])
  const isPooled = directUrl !== url
  const pool = await openPool(url, { statementTimeoutMs, connections, isPooled })
  const feed = new PostgresFeed(directUrl, (text, parameters) => pool.query(text, parameters))
  const driver = new PostgresDriver(pool, feed)
  const store = createStore('postgres', postgresDialect, driver, feed, options)
  return options.replicaUrl === undefined
    ? store
    : await withReplica(store, driver, postgresDialect, options)
}

async function withReplica(
  store: Store,
  driver: StoreDriver,
  dialect: Dialect,
  { replicaUrl = '', connections }: StoreOptions,
): Promise<Store> {
  const { PostgresReplica } = await import('./postgres/replica.ts')
  const replica = new PostgresReplica((query) => driver.run(query), replicaUrl, connections)
  const { database } = createQueryBuilders<Tables>(dialect)
  return {
    ...store,
    replica: {
      db: database((query) => replica.run(query)),
      isCurrent: () => replica.isCurrent(),
    },
    close: async () => {
      await Promise.all([store.close(), replica.close()])
    },
  }
}

/** Options of a database. */
interface StoreOptions {
  /** On PostgreSQL, a statement is cancelled after this time, which `isUnavailable` recognises; 0: never. */
  readonly statementTimeoutMs?: number
  /** The size of the write-ahead log of SQLite at which snapshots end, in bytes. */
  readonly maxLogBytes?: number
  /** The size of an SQLite file from which threads read its lists, in bytes. */
  readonly threadedFromBytes?: number
  /** How many connections to PostgreSQL the statements of this process may use: at least 2. */
  readonly connections?: number
  /** The address of the server itself where the URL is that of a pooler in transaction mode. */
  readonly directUrl?: string | undefined
  /** The address of a read replica of the server. */
  readonly replicaUrl?: string | undefined
  /** Traces the statements; they are not traced by default. */
  readonly startStatement?: StartStatement | undefined
}

/**
 * Opens `sqlite::memory:`, `sqlite:PATH` (creating the folder and the file) or `postgres://…`.
 * Throws a TypeError for any other address, the error of the database if it does not answer, and an
 * Error for a PostgreSQL database that is not in UTF-8.
 */
export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  if (/^postgres(?:ql)?:\/\//.test(url)) {
    return await requireReachable(await openPostgres(url, options))
  }
  if (!url.startsWith('sqlite:')) {
    throw new TypeError('The database must be sqlite:PATH, sqlite::memory: or postgres://…')
  }
  const path = url.slice('sqlite:'.length)
  if (path === '') throw new TypeError('The SQLite database has no path')
  if (path !== ':memory:') createPrivateFile(path)
  const driver = await openSqliteDriver(path, options)
  const store = createStore('sqlite', sqliteDialect, driver, createSqliteFeed(driver), options)
  return await requireReachable({
    ...store,
    listReader: listReaderOf(driver, options.startStatement),
    purgeDeletedRows: async () => path === ':memory:' || truncateLog(path),
    // The migrations of another process may take longer than the busy timeout.
    migrate: (tables) =>
      driver.withTemporaryFiles(() => retryWhileLocked(() => store.migrate(tables))),
  })
}

/**
 * Opens an empty database with these tables, on which work is tried: nobody learns of its transactions, and it
 * goes when it is closed. What does not fit into a few megabytes of memory is in a temporary file.
 */
export async function openScratch(tables: readonly TableDeclaration[]): Promise<Store> {
  const driver = new SqliteDriver(temporaryPath, defaultMaxLogBytes, defaultThreadedFromBytes)
  const feed = createSqliteFeed(driver)
  const store = createStore('sqlite', sqliteDialect, driver, feed, { isScratch: true })
  await store.migrate(tables)
  return store
}

/** Throws for a database that cannot store every text. */
async function requireUnicode({ kind, db }: Store): Promise<void> {
  // Databases of SQLite are created here, in UTF-8.
  if (kind === 'sqlite') return
  const { rows } = await sql<{ encoding: string }>`
    select current_setting('server_encoding') as encoding`.execute(db)
  const encoding = rows[0]?.encoding
  if (encoding === 'UTF8') return
  throw new Error(`its encoding is ${encoding}, not UTF8: create it with ENCODING 'UTF8'`)
}

/** Returns a store that answers; closes it otherwise. */
async function requireReachable(store: Store): Promise<Store> {
  try {
    await store.ping()
    await requireUnicode(store)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}
