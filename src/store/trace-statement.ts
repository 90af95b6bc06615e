import type { RunQuery } from './query/direct-executor.ts'

/** Called when a statement begins; returns what is called at its end, or undefined if it is not traced. */
export type StartStatement = (sql: string) => ((error?: unknown) => void) | undefined

/** Runs work in a transaction, which is committed if the work resolves and rolled back if it rejects. */
export type InTransaction = <T>(work: (run: RunQuery) => Promise<T>) => Promise<T>

/** What runs statements: outside transactions and inside. */
interface Runner {
  readonly run: RunQuery
  readonly inTransaction: InTransaction
}

/** Returns what runs statements and traces each. */
export const traceRun =
  (run: RunQuery, start: StartStatement): RunQuery =>
  async (query) => {
    const end = start(query.sql)
    return await endAfter(run(query), end)
  }

/**
 * Returns a runner that traces each statement and each COMMIT, which on SQLite waits for the disk and on
 * PostgreSQL takes the last writes along.
 */
export function traceStatements(driver: Runner, start: StartStatement): Runner {
  return {
    run: traceRun((query) => driver.run(query), start),
    inTransaction: async (work) => {
      let end: ReturnType<StartStatement>
      const result = driver.inTransaction(async (run) => {
        const done = await work(traceRun(run, start))
        end = start('commit')
        return done
      })
      return await endAfter(result, (error) => end?.(error))
    },
  }
}

async function endAfter<T>(work: Promise<T>, end: ReturnType<StartStatement>): Promise<T> {
  try {
    const result = await work
    end?.()
    return result
  } catch (error) {
    end?.(error)
    throw error
  }
}
