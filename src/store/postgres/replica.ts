import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery, type QueryResult } from 'kysely'
import { isUnavailable } from '#store/errors.ts'
import type { RunQuery } from '#store/query/direct-executor.ts'
import { withinTimeout } from '#store/within-timeout.ts'
import { PostgresPool } from './pool.ts'

/** PostgreSQL cancels a statement before the client gives the replica up. */
const statementTimeoutMs = 2000
const answerTimeoutMs = 3000
const checkTimeoutMs = 250
/** How long requests wait for the replica to catch up, and between two looks. */
const catchUpMs = 50
const pollMs = 5
/** How long nothing is asked of a replica that does not answer or lags. */
const pauseMs = 1000
const timeoutCode = '57014'

/**
 * A read replica by streaming replication. It may lag, so it is used only once it has replayed
 * everything that the primary had committed when a request began.
 */
export class PostgresReplica {
  readonly #primary: RunQuery
  readonly #pool: PostgresPool
  #pausedUntilMs = 0
  #running: Promise<unknown> = Promise.resolve()
  #next: Promise<boolean> | undefined

  constructor(primary: RunQuery, url: string, connections?: number) {
    this.#primary = primary
    this.#pool = new PostgresPool(url, { statementTimeoutMs, connections })
  }

  /**
   * Resolves to true if the replica has everything that was committed before this call, by any
   * process; never rejects.
   */
  async isCurrent(): Promise<boolean> {
    if (this.#isPaused()) return false
    // The running check may have asked the primary before this call; the next one serves all who wait.
    this.#next ??= this.#running.then(() => {
      this.#next = undefined
      const check = this.#check()
      this.#running = check
      return check
    })
    return await this.#next
  }

  /** Runs a query on the replica, or on the primary if it fails there. */
  async run<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      const { sql, parameters } = query
      const result = this.#pool.query<Row>(sql, parameters)
      return await withinTimeout(result, answerTimeoutMs)
    } catch (error) {
      const { code } = error as { readonly code?: unknown }
      const isLost = code === undefined || (code !== timeoutCode && isUnavailable(error))
      if (isLost) this.#disconnect()
      return await this.#primary<Row>(query)
    }
  }

  /** Closes the connections. */
  close(): Promise<void> {
    return this.#pool.close()
  }

  #isPaused(): boolean {
    return performance.now() < this.#pausedUntilMs
  }

  #pause(): void {
    this.#pausedUntilMs = performance.now() + pauseMs
  }

  /** Ends every query in progress, which then runs on the primary. */
  #disconnect(): void {
    if (!this.#isPaused()) this.#pool.discard()
    this.#pause()
  }

  async #check(): Promise<boolean> {
    if (this.#isPaused()) return false
    try {
      const isCurrent = await withinTimeout(this.#catchUp(), checkTimeoutMs)
      if (!isCurrent) this.#pause()
      return isCurrent
    } catch {
      this.#disconnect()
      return false
    }
  }

  async #catchUp(): Promise<boolean> {
    const { rows } = await this.#primary<{ readonly lsn: string }>(flushedPosition)
    const deadline = performance.now() + catchUpMs
    for (;;) {
      const found = await this.#pool
        .leastBusy()
        .query<{ readonly is_current: 0 | 1 | null }>(hasReplayed, [rows[0]?.lsn])
      if (found.rows[0]?.is_current === 1) return true
      if (performance.now() > deadline) return false
      await sleep(pollMs)
    }
  }
}

// A commit is acknowledged once it is flushed.
const flushedPosition = CompiledQuery.raw('select pg_current_wal_flush_lsn()::text as lsn')

const hasReplayed =
  'select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::text::pg_lsn as is_current'
