import type { Kysely } from 'kysely'
import { createQueryBuilders, type RunQuery } from './query/direct-executor.ts'
import { type SqliteDriver, sqliteDialect } from './sqlite/dialect.ts'
import type { Tables } from './tables.ts'
import { type StartStatement, traceRun } from './trace-statement.ts'

/** Reads lists of a large SQLite file on threads, so that long statements do not stop the event loop. */
export interface ListReader {
  /**
   * The query builder whose reads run on the threads, on which owners take turns; undefined while the
   * file is small.
   */
  readonly db: (owner: string) => Kysely<Tables> | undefined
  /** The time for which the threads have been busy, in milliseconds. */
  readonly busyMs: () => number
}

/** The list reader of an SQLite database; undefined in memory. */
export function listReaderOf(
  driver: SqliteDriver,
  start: StartStatement | undefined,
): ListReader | undefined {
  const { threads } = driver
  if (!threads) return undefined
  const { database } = createQueryBuilders<Tables>(sqliteDialect)
  const createDb = (owner: string): Kysely<Tables> => {
    const run: RunQuery = (query) => driver.runOnThread(query, owner)
    return database(start ? traceRun(run, start) : run)
  }
  return {
    db: (owner) => (threads.isNeeded ? createDb(owner) : undefined),
    busyMs: () => threads.busyMs,
  }
}
