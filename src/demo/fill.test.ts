import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Store } from '#store/database.ts'
import { openTemporaryStore, skipReason } from '#test/support/services/databases.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'
import { bulkSku } from './bulk.ts'
import { addGeneratedData } from './fill.ts'
import type { BulkKind } from './store.ts'

const now = Date.UTC(2026, 5, 1, 12)
const shop = { currency: 'USD', currencyDigits: 2 }

const add = (store: Store, kind: BulkKind, count: number): Promise<number> =>
  addGeneratedData(store, { kind, count, shop, now }, () => undefined)

async function skus(store: Store): Promise<readonly (string | null)[]> {
  const rows = await store.db.selectFrom('products').select('sku').orderBy('sku').execute()
  return rows.map(({ sku }) => sku)
}

const firstSkus = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => bulkSku(n)).sort()

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`filling a database on ${kind}`, { skip: skipReason(kind) }, () => {
    test('adds what adds up, and goes on from what is there', async (t) => {
      const { store, dispose } = await openTemporaryStore(kind)
      t.after(dispose)
      for (const time of [1, 2]) {
        assert.equal(await add(store, 'products', 150), 150)
        assert.equal(await add(store, 'users', 40), 40)
        assert.equal(await add(store, 'orders', 100), 100)
        assert.deepEqual(await skus(store), firstSkus(150 * time))
        await reconcile(store.db)
      }
      const orders = await store.db.selectFrom('orders').select('id').execute()
      assert.equal(orders.length, 200)
    })

    test('takes no number twice when two do it at once', async (t) => {
      const { store, dispose } = await openTemporaryStore(kind)
      t.after(dispose)
      await Promise.all([add(store, 'products', 120), add(store, 'products', 80)])
      assert.deepEqual(await skus(store), firstSkus(200))
    })

    test('leaves out of orders what has been removed since', async (t) => {
      const { store, dispose } = await openTemporaryStore(kind)
      t.after(dispose)
      await add(store, 'products', 3)
      await add(store, 'users', 3)
      await store.db
        .updateTable('products')
        .set({ sku: null, sku_key: null })
        .where('id', '=', 1)
        .execute()
      await store.db
        .updateTable('users')
        .set({ email_key: null, username: null, username_key: null })
        .where('id', '=', 1)
        .execute()
      assert.ok((await add(store, 'orders', 60)) < 60)
      await reconcile(store.db)
      const { items } = await store.db
        .selectFrom('order_items')
        .select(({ fn }) => fn.countAll<number>().as('items'))
        .where('product_id', '=', 1)
        .executeTakeFirstOrThrow()
      assert.equal(items, 0)
    })
  })
}
