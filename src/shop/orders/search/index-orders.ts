import { readEvents, subjectId } from '#shop/events/events-store.ts'
import { findDeletedThrough, publishEvents } from '#shop/events/feed-store.ts'
import { expandTypes } from '#shop/events/types.ts'
import type { Db } from '#store/database.ts'
import type { RunTransaction } from '#store/stale-write.ts'
import * as store from './words-store.ts'

/** The orders of one transaction at most, with up to 100 lines each: SQLite blocks the event loop meanwhile. */
const batchSize = 10
const types = expandTypes(['order.*'])

/** What a round has done. */
interface IndexedOrders {
  readonly orders: number
  /** True while more wait. */
  readonly isFull: boolean
}

/**
 * Makes a search find the orders of the next events and, once these are done, the next older orders, the newest first.
 * Any process may do so at any time; after a crash the next one goes on.
 */
export async function indexOrders(transaction: RunTransaction, db: Db): Promise<IndexedOrders> {
  const upTo = await publishEvents(db)
  const known = await store.findProgress(db)
  if (known && known.events >= upTo && known.below === 0) return { orders: 0, isFull: false }
  return transaction((transactionDb) => indexBatch(transactionDb, upTo))
}

async function indexBatch(transactionDb: Db, upTo: number): Promise<IndexedOrders> {
  const { events: after, below } = await lockPlace(transactionDb, upTo)
  const range = { after, upTo, limit: batchSize, types }
  const events = after < upTo ? await readEvents(transactionDb, range) : []
  const limit = batchSize - events.length
  const older =
    below > 0 && limit > 0 ? await store.findIdsBelow(transactionDb, { below, limit }) : []
  const ids = [...new Set([...events.map(subjectId), ...older])]
  await store.replaceWords(transactionDb, ids)
  const last = limit > 0 ? undefined : events.at(-1)?.sequence
  const next = older.length < limit ? 0 : (older.at(-1) ?? below)
  await store.saveProgress(transactionDb, { events: last ?? Math.max(after, upTo), below: next })
  return { orders: ids.length, isFull: last !== undefined || next > 0 }
}

/** Locks the progress. It begins anew, with all orders, where events after it were deleted. */
async function lockPlace(transactionDb: Db, upTo: number): Promise<store.Progress> {
  const progress = await store.lockProgress(transactionDb)
  const isLost = progress.events < (await findDeletedThrough(transactionDb))
  return isLost ? { events: upTo, below: Number.MAX_SAFE_INTEGER } : progress
}

/** Removes the words that orders have lost by the erasure of their buyer in the open transaction. */
export async function forgetErasedWords(transactionDb: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  // Waits for a batch that has read the orders before.
  await store.lockProgress(transactionDb)
  await store.replaceWords(transactionDb, ids)
}
