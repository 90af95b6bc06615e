import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Db, Store } from '#db/database.ts'
import { withRetries } from '#db/stale-write.ts'
import type { Shop } from '#resources/dependencies.ts'
import { hasWaiting } from '#resources/imports/claim-store.ts'
import type { ImportThreadData } from './thread.ts'

/** What running imports depends on. */
interface RunnerOptions {
  readonly store: Store
  readonly databaseUrl: string
  /** The address for notifications where `databaseUrl` is that of a pooler. */
  readonly directUrl?: string | undefined
  readonly shop: Shop
  readonly log: { readonly error: (facts: object, message: string) => void }
}

/** Runs the imports of a process, one at a time. */
export interface ImportRunner {
  /** Starts the waiting imports. */
  readonly wake: () => void
  /** Starts the waiting imports, if there are any; called by the jobs. */
  readonly run: (db: Db) => Promise<{ counts: Record<string, number>; isFull: boolean }>
  /** Stops after the current batch; another process, or the next start, continues. */
  readonly stop: () => Promise<void>
}

// A batch needs far less; V8 would let garbage grow with the memory of the machine.
const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 96 }

/**
 * Runs imports in a thread of their own, which begins with the first one and ends with the last one: on
 * SQLite every statement blocks its thread. A database in memory has only one connection, so its imports
 * run in this thread.
 */
export function openImportRunner(options: RunnerOptions): ImportRunner {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  const isInMemory = options.databaseUrl === 'sqlite::memory:'
  const begin = isInMemory ? runHere : runInThread
  const wake = (): void => {
    if (stopping.signal.aborted) return
    running ??= begin(options, stopping.signal)
      .catch((error) => options.log.error({ err: error }, 'imports failed'))
      .finally(() => {
        running = undefined
      })
  }
  return {
    wake,
    run: async (db) => {
      if (running === undefined && (await hasWaiting(db, Date.now()))) wake()
      return { counts: {}, isFull: false }
    },
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

async function runInThread(
  { store, databaseUrl, directUrl, shop }: RunnerOptions,
  signal: AbortSignal,
): Promise<void> {
  const data: ImportThreadData = { databaseUrl, directUrl, shop }
  const worker = new Worker(new URL('thread.ts', import.meta.url), {
    workerData: data,
    resourceLimits,
  })
  worker.on('message', () => void store.invalidateAll())
  const stop = (): void => worker.postMessage('stop')
  signal.addEventListener('abort', stop)
  try {
    await once(worker, 'exit')
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

async function runHere({ store, shop }: RunnerOptions, signal: AbortSignal): Promise<void> {
  const { runImports } = await import('#resources/imports/run.ts')
  const transaction = withRetries(store)
  await runImports({ db: store.db, transaction, shop, clock: Date.now, signal })
}
