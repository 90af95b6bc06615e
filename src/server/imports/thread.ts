import { parentPort, workerData } from 'node:worker_threads'
import type { Claim } from '#shop/imports/end.ts'
import { runImports } from '#shop/imports/run.ts'
import type { Shop } from '#shop/shop.ts'
import { openScratch, openStore } from '#store/database.ts'
import { withRetries } from '#store/stale-write.ts'

/** What the thread that runs imports gets. */
export interface ImportThreadData {
  readonly databaseUrl: string
  readonly directUrl: string | undefined
  readonly shop: Shop
  /** How far the clock of this machine is ahead of that of the database. */
  readonly clockAheadMs: number
}

/** What the thread tells: that the database has changed, or the claim of its import. */
export type ThreadMessage = 'changed' | Claim

const tell = (message: ThreadMessage): void => parentPort?.postMessage(message)

const connections = 2
const { databaseUrl, directUrl, shop, clockAheadMs } = workerData as ImportThreadData
const stopping = new AbortController()
parentPort?.once('message', () => stopping.abort())
// It must not keep the thread alive.
parentPort?.unref()

const store = await openStore(databaseUrl, { connections, directUrl })
// PostgreSQL itself notifies every process.
if (store.kind === 'sqlite') store.changes.subscribe(() => tell('changed'))
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
    clock: () => Date.now() - clockAheadMs,
    onClaim: ({ id, leased_until }) => tell({ id, leased_until }),
    signal: stopping.signal,
  })
} finally {
  await store.close()
}
