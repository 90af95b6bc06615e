import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { QueryResult } from 'kysely'
import { TransactionLostError } from '#store/errors.ts'
import { withLimitedConcurrency } from '#values/limited-concurrency.ts'
import type { ThreadOutcome, ThreadRead } from './reader-thread.ts'

/** Two at least, so that one long statement does not keep every other list waiting. */
const maxThreads = Math.max(2, Math.min(4, availableParallelism() - 1))
const sizeCheckMs = 10_000

/**
 * In a file of this size, some 20,000 products, a statement that reads a whole table takes about as long
 * as the other requests of an event loop may have to wait.
 */
export const defaultThreadedFromBytes = 16_777_216

interface Waiting {
  readonly resolve: (rows: readonly unknown[]) => void
  readonly reject: (error: Error) => void
}

interface Thread {
  readonly worker: Worker
  /** The statement in progress. */
  current: Waiting | undefined
  busySince: number
}

/**
 * Threads that read an SQLite file, each on a connection of its own, so that long statements do not stop
 * the event loop. They start when they are first needed. A statement sees what was committed before it.
 */
export class ReaderThreads {
  readonly #path: string
  readonly #fromBytes: number
  readonly #threads: Thread[] = []
  readonly #inTurn = withLimitedConcurrency(maxThreads)
  #isLarge = false
  #checkedAtMs = Number.NEGATIVE_INFINITY
  #finishedMs = 0

  constructor(path: string, fromBytes: number) {
    this.#path = path
    this.#fromBytes = fromBytes
  }

  /** True where the file is large enough; looked at every ten seconds. */
  get isNeeded(): boolean {
    const now = performance.now()
    if (!this.#isLarge && now - this.#checkedAtMs >= sizeCheckMs) {
      this.#checkedAtMs = now
      const size = statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0
      this.#isLarge = size >= this.#fromBytes
    }
    return this.#isLarge
  }

  /** The time for which threads have been busy, in milliseconds. */
  get busyMs(): number {
    const now = performance.now()
    const running = this.#threads.filter(({ current }) => current)
    return running.reduce((sum, { busySince }) => sum + now - busySince, this.#finishedMs)
  }

  /**
   * Runs a statement that reads, when a thread is idle and it is the turn of its owner. Rejects as the
   * database does, and with a TransactionLostError where its thread has ended.
   */
  async run<Row>(read: ThreadRead, owner: string): Promise<QueryResult<Row>> {
    const rows = await this.#inTurn(() => this.#runNow(read), owner)
    return { rows: rows as Row[], numAffectedRows: BigInt(rows.length) }
  }

  /** Ends the threads; statements in progress reject. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()))
  }

  #runNow({ sql, parameters }: ThreadRead): Promise<readonly unknown[]> {
    const thread = this.#threads.find(({ current }) => current === undefined) ?? this.#start()
    thread.busySince = performance.now()
    return new Promise((resolve, reject) => {
      thread.current = { resolve, reject }
      thread.worker.postMessage({ sql, parameters } satisfies ThreadRead)
    })
  }

  #start(): Thread {
    const worker = new Worker(new URL('reader-thread.ts', import.meta.url), {
      workerData: this.#path,
    })
    const thread: Thread = { worker, current: undefined, busySince: 0 }
    let failure: unknown
    worker.unref()
    worker.on('message', (outcome: ThreadOutcome) => this.#settle(thread, outcome))
    worker.on('error', (error) => {
      failure = error
    })
    worker.on('exit', () => this.#forget(thread, failure))
    this.#threads.push(thread)
    return thread
  }

  #settle(thread: Thread, outcome: ThreadOutcome): void {
    this.#finishedMs += performance.now() - thread.busySince
    const { resolve, reject } = thread.current as Waiting
    thread.current = undefined
    if ('rows' in outcome) resolve(outcome.rows)
    else reject(Object.assign(new Error(outcome.error.message), outcome.error))
  }

  #forget(thread: Thread, cause: unknown): void {
    this.#threads.splice(this.#threads.indexOf(thread), 1)
    const lost = new TransactionLostError('The thread of the statement has ended', { cause })
    thread.current?.reject(lost)
  }
}
