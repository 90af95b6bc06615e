import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { type Claim, endForMemory } from '#shop/imports/end.ts'
import type { FetchImage } from '#shop/imports/images/fetch-image.ts'
import { createImageImports } from '#shop/imports/images/run.ts'
import { type OperationRow, operations } from '#shop/imports/table.ts'
import type { Shop } from '#shop/shop.ts'
import type { FileParts } from '#src/files/scale.ts'
import { tableDeclarations } from '#src/server/tables.ts'
import { type Db, openScratch, type Store } from '#store/database.ts'
import { withRetries } from '#store/stale-write.ts'
import type { Instant } from '#values/instant.ts'
import type { ImportThreadData, ThreadMessage } from './thread.ts'

/** What running imports depends on. */
interface RunnerOptions {
  readonly store: Store
  readonly databaseUrl: string
  /** The address for notifications where `databaseUrl` is that of a pooler. */
  readonly directUrl?: string | undefined
  readonly shop: Shop
  readonly clock: () => Instant
  readonly log: { readonly error: (facts: object, message: string) => void }
}

/** What fetching images depends on besides. */
export interface ImageParts extends FileParts {
  readonly fetchImage: FetchImage
}

/** Runs the imports of a process: the rows of one at a time, and beside them the images of some. */
export interface ImportRunner {
  /** Starts the waiting imports. */
  readonly wake: () => void
  /** Starts the waiting imports, if there are any; called by the jobs. */
  readonly run: (db: Db) => Promise<{ counts: Record<string, number>; isFull: boolean }>
  /** Stops after the current batch; another process, or the next start, continues. */
  readonly stop: () => Promise<void>
}

/** The limit of the old generation of the thread's heap. It needs 30 MB; with more, V8 keeps more garbage. */
const maxOldSpaceMegabytes = 48

/**
 * Runs imports in a thread of their own, which begins with the first one and ends with the last one: on
 * SQLite every statement blocks its thread. A database in memory has only one connection, so its imports
 * run in this thread.
 */
export function createImportRunner(options: RunnerOptions & ImageParts): ImportRunner {
  const stopping = new AbortController()
  const images = createImageRunner(options, stopping.signal)
  let running: Promise<void> | undefined
  const isInMemory = options.databaseUrl === 'sqlite::memory:'
  const begin = isInMemory ? runHere : runInThread
  const wake = (): void => {
    if (stopping.signal.aborted) return
    running ??= begin(options, stopping.signal)
      .catch((error) => options.log.error({ err: error }, 'imports failed'))
      .finally(() => {
        running = undefined
        images.wake()
      })
  }
  return {
    wake,
    run: async (db) => {
      const isDue = (phase: OperationRow['phase']) =>
        operations.hasDue(db, options.clock(), { phase })
      if (running === undefined && (await isDue('rows'))) wake()
      if (await isDue('images')) images.wake()
      return { counts: {}, isFull: false }
    },
    stop: async () => {
      stopping.abort()
      await running
      await images.stop()
    },
  }
}

/** The imports whose images are fetched at the same time, so that a large one keeps no small one waiting. */
const maxImageImports = 4

/** Fetches the images of imports in this thread: it waits for others most of the time. */
function createImageRunner(
  { store, clock, shop, log, storage, scaler, fetchImage }: RunnerOptions & ImageParts,
  signal: AbortSignal,
) {
  const run = createImageImports({
    ...{ db: store.db, transaction: withRetries(store) },
    ...{ clock, shop, storage, scaler, fetchImage, signal },
  })
  const running = new Set<Promise<void>>()
  const wake = (): void => {
    if (signal.aborted || running.size >= maxImageImports) return
    const round = run()
      .catch((error) => log.error({ err: error }, 'images of imports failed'))
      .finally(() => running.delete(round))
    running.add(round)
  }
  return {
    wake,
    stop: async () => {
      await Promise.all(running)
    },
  }
}

async function runInThread(
  { store, databaseUrl, directUrl, shop, clock }: RunnerOptions,
  signal: AbortSignal,
): Promise<void> {
  const worker = startImportThread({
    databaseUrl,
    directUrl,
    shop,
    clockAheadMs: Date.now() - clock(),
  })
  let claim: Claim | undefined
  worker.on('message', (message: ThreadMessage) => {
    if (message === 'changed') void store.invalidateAll()
    else claim = message
  })
  const stop = (): void => worker.postMessage('stop')
  signal.addEventListener('abort', stop)
  try {
    await once(worker, 'exit')
  } catch (error) {
    if (claim && isOutOfMemory(error)) {
      await endForMemory({ db: store.db, transaction: withRetries(store), clock }, claim)
    }
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'

/** Starts the thread that runs imports, with a small heap. */
export function startImportThread(workerData: ImportThreadData): Worker {
  // The flags of the start script are those of every thread, and override the resourceLimits of a Worker.
  // This thread has read them already.
  setFlagsFromString(`--max-old-space-size=${maxOldSpaceMegabytes}`)
  return new Worker(new URL('thread.ts', import.meta.url), { workerData })
}

async function runHere({ store, shop, clock }: RunnerOptions, signal: AbortSignal): Promise<void> {
  const { runImports } = await import('#shop/imports/run.ts')
  await runImports({
    db: store.db,
    transaction: withRetries(store),
    openScratch: () => openScratch(tableDeclarations),
    shop,
    clock,
    signal,
  })
}
