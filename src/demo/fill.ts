import { indexOrders } from '#shop/orders/search/index-orders.ts'
import type { Db, Store } from '#store/database.ts'
import { reserveIds } from '#store/query/reserve-ids.ts'
import { dayMs, type Instant, secondMs } from '#values/instant.ts'
import { bulkOrder, bulkProduct, bulkUser } from './bulk.ts'
import { insertOrders } from './insert-orders.ts'
import { type DemoShop, productRow, userRow } from './rows.ts'
import {
  type BulkKind,
  countGenerated,
  insertProducts,
  insertUsers,
  reserveNumbers,
} from './store.ts'

/** What to generate, for which shop, and the current time. */
export interface FillOptions {
  readonly kind: BulkKind
  readonly count: number
  readonly shop: DemoShop
  readonly now: Instant
}

const chunkSize: Readonly<Record<BulkKind, number>> = {
  products: 20_000,
  users: 20_000,
  orders: 5000,
}

/**
 * Adds generated products, users or orders, in transactions of a chunk each; an interrupted run
 * keeps what was reported and the next continues. Reports how many are done. Resolves to how many
 * were added: fewer when orders refer to removed users or products.
 */
export async function addGeneratedData(
  store: Store,
  { kind, count, shop, now }: FillOptions,
  report: (done: number) => void,
): Promise<number> {
  // Else a job would read the added orders again.
  if (kind === 'orders') await indexAllOrders(store)
  let added = 0
  for (let done = 0; done < count; ) {
    const size = Math.min(chunkSize[kind], count - done)
    added += await store.transaction(async (db) => {
      const first = await reserveNumbers(db, kind, size)
      const numbers = Array.from({ length: size }, (_, index) => first + index)
      return await insertBulk[kind](db, numbers, shop, now)
    })
    done += size
    report(done)
  }
  return added
}

async function indexAllOrders({ transaction, db }: Store): Promise<void> {
  while ((await indexOrders(transaction, db)).isFull);
}

type InsertBulk = (
  db: Db,
  numbers: readonly number[],
  shop: DemoShop,
  now: Instant,
) => Promise<number>

const insertBulk: Readonly<Record<BulkKind, InsertBulk>> = {
  products: async (db, numbers, shop, now) => {
    const ids = await reserveIds(db, 'products', numbers.length)
    const rows = numbers.map((n, index) => ({
      ...productRow(bulkProduct(n), shop, createdAt(n, now)),
      id: ids[index] as number,
    }))
    await insertProducts(db, rows, now)
    return rows.length
  },
  users: async (db, numbers, _shop, now) => {
    const rows = numbers.map((n) => userRow(bulkUser(n), createdAt(n, now)))
    await insertUsers(db, rows)
    return rows.length
  },
  orders: async (db, numbers, shop, now) => {
    const extent = {
      products: await countGenerated(db, 'products'),
      users: await countGenerated(db, 'users'),
    }
    const orders = numbers.map((n) => bulkOrder(n, extent))
    return await insertOrders(db, orders, shop, now)
  },
}

/** One second apart, before the oldest order, which is a year old. */
const createdAt = (n: number, now: Instant): Instant =>
  now - 400 * dayMs + ((n * secondMs) % (30 * dayMs))
