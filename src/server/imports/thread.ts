import { parentPort, workerData } from 'node:worker_threads'
import { runImports } from '#shop/imports/run.ts'
import type { Shop } from '#shop/shop.ts'
import { openScratch, openStore } from '#store/database.ts'
import { withRetries } from '#store/stale-write.ts'

/** What the thread that runs imports gets. */
export interface ImportThreadData {
  readonly databaseUrl: string
  readonly directUrl: string | undefined
  readonly shop: Shop
}

const connections = 2
const { databaseUrl, directUrl, shop } = workerData as ImportThreadData
const stopping = new AbortController()
parentPort?.once('message', () => stopping.abort())
// It must not keep the thread alive.
parentPort?.unref()

const store = await openStore(databaseUrl, { connections, directUrl })
// PostgreSQL itself notifies every process.
if (store.kind === 'sqlite') store.changes.subscribe(() => parentPort?.postMessage('changed'))
try {
  await runImports({
    db: store.db,
    transaction: withRetries(store),
    openScratch: async () => {
      // Loaded on demand, since few imports are dry runs.
      const { tableDeclarations } = await import('#src/server/tables.ts')
      return openScratch(tableDeclarations)
    },
    shop,
    clock: Date.now,
    signal: stopping.signal,
  })
} finally {
  await store.close()
}
