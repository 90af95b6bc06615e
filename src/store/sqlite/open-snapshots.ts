import { statSync } from 'node:fs'
import { TransactionLostError } from '#store/errors.ts'
import type { DriverSnapshot } from '#store/query/snapshot.ts'
import { type SqliteConnection, truncateLog } from './connection.ts'

const checkIntervalMs = 100

/**
 * The size of the write-ahead log at which snapshots end. The log may grow by 64 MB until the next
 * check and still is below 256 MB.
 */
export const defaultMaxLogBytes = 192_000_000

interface Open {
  readonly connection: SqliteConnection
  readonly onLost: () => void
}

/**
 * The open snapshots of a database file. While one is open, whatever is written extends the log: SQLite
 * begins it anew only once nobody reads from it. So all of them end when it is too long.
 */
export class OpenSnapshots {
  readonly #path: string
  readonly #maxLogBytes: number
  readonly #open = new Set<Open>()
  #timer: NodeJS.Timeout | undefined

  constructor(path: string, maxLogBytes: number) {
    this.#path = path
    this.#maxLogBytes = maxLogBytes
  }

  /** Throws a TransactionLostError if the log is too long and in use. */
  requireRoom(): void {
    if (this.#isLogTooLong() && !truncateLog(this.#path)) {
      throw new TransactionLostError('The write-ahead log is too long for a snapshot')
    }
  }

  /** Returns a snapshot on a connection; `onLost` is called if it ends before it is closed. */
  add(connection: SqliteConnection, onLost: () => void): DriverSnapshot {
    const open = { connection, onLost }
    this.#open.add(open)
    this.#timer ??= setInterval(() => this.#endIfTooLong(), checkIntervalMs).unref()
    return {
      run: async ({ sql, parameters }) => {
        if (this.#open.has(open)) return connection.execute(sql, parameters)
        throw new TransactionLostError('The snapshot has ended')
      },
      close: async () => this.#end(open),
    }
  }

  #isLogTooLong(): boolean {
    const size = statSync(`${this.#path}-wal`, { throwIfNoEntry: false })?.size ?? 0
    return size > this.#maxLogBytes
  }

  #endIfTooLong(): void {
    if (!this.#isLogTooLong()) return
    for (const open of this.#open) {
      this.#end(open)
      open.onLost()
    }
  }

  #end(open: Open): void {
    if (!this.#open.delete(open)) return
    open.connection.close()
    if (this.#open.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
