import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findPathsByName } from '#shop/catalogue/categories/tree-store.ts'
import { openTemporaryStore, type StoreKind, skipReason } from '#test/support/services/databases.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'
import { DEMO_PARENTS, DEMO_PEOPLE, DEMO_PRODUCTS } from './data.ts'
import { insertDemo } from './insert.ts'
import { scaledPrice } from './rows.ts'

const now = Date.UTC(2026, 5, 1, 12)
/** The products with variants, each before its variants. */
const demoParents = DEMO_PARENTS.flatMap(({ variants, ...parent }) => [parent, ...variants]).map(
  ({ sku = null, price }) => ({ sku, price: price }),
)
const dollars = { currency: 'USD', currencyDigits: 2 }

for (const kind of ['sqlite', 'postgres'] as const satisfies readonly StoreKind[]) {
  describe(`the demo shop on ${kind}`, { skip: skipReason(kind) }, () => {
    test('adds up, is all in the past and waits for pending payments', async (t) => {
      const { store, dispose } = await openTemporaryStore(kind)
      t.after(dispose)
      await store.transaction((db) => insertDemo(db, dollars, now))
      await reconcile(store.db)
      const { db } = store
      const tables = ['users', 'products', 'orders', 'reviews', 'payments'] as const
      for (const table of tables) {
        const rows = await db.selectFrom(table).select(['created_at', 'updated_at']).execute()
        assert.ok(rows.length > 0, `there are ${table}`)
        for (const { created_at, updated_at } of rows) {
          assert.ok(created_at <= updated_at && updated_at <= now, `${table} changed by now`)
        }
      }
      const waiting = db.selectFrom('orders').select('expires_at').where('status', '=', 'pending')
      for (const { expires_at } of await waiting.execute()) assert.ok((expires_at ?? 0) > now)
    })

    test('has all products and customers, of whom nobody can sign in', async (t) => {
      const { store, dispose } = await openTemporaryStore(kind)
      t.after(dispose)
      await store.transaction((db) => insertDemo(db, dollars, now))
      const users = await store.db.selectFrom('users').selectAll().execute()
      assert.equal(users.length, DEMO_PEOPLE.length)
      for (const { password_hash, email, email_key, username_key, role } of users) {
        assert.deepEqual([password_hash, role], [null, 'customer'])
        assert.deepEqual([email_key, username_key], [email?.toLowerCase(), email?.toLowerCase()])
      }
      const products = await store.db.selectFrom('products').selectAll().orderBy('id').execute()
      assert.deepEqual(
        products.map(({ sku, price }) => [sku, price]),
        [...DEMO_PRODUCTS, ...demoParents].map(({ sku, price }) => [sku, price]),
      )
      const paths = await findPathsByName(store.db, ['kitchen', 'books', 'food'])
      assert.deepEqual([...paths.values()].toSorted(), [
        ['food'],
        ['home', 'kitchen'],
        ['leisure', 'books'],
      ])
    })

    test('nobody orders or reviews what is not there yet, nor reviews what was not received', async (t) => {
      const { store, dispose } = await openTemporaryStore(kind)
      t.after(dispose)
      await store.transaction((db) => insertDemo(db, dollars, now))
      const ordered = await store.db
        .selectFrom('order_items')
        .innerJoin('orders', 'orders.id', 'order_items.order_id')
        .innerJoin('users', 'users.id', 'orders.user_id')
        .innerJoin('products', 'products.id', 'order_items.product_id')
        .select([
          'orders.created_at as at',
          'users.created_at as user',
          'products.created_at as of',
        ])
        .execute()
      for (const { at, user, of } of ordered) assert.ok(at > user && at > of)
      const early = await store.db
        .selectFrom('reviews')
        .select('id')
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('purchases')
                .innerJoin('orders', 'orders.id', 'purchases.order_id')
                .select('purchases.id')
                .whereRef('purchases.product_id', '=', 'reviews.product_id')
                .whereRef('purchases.user_id', '=', 'reviews.user_id')
                .whereRef('orders.delivered_at', '<', 'reviews.created_at'),
            ),
          ),
        )
        .execute()
      assert.deepEqual(early, [])
    })

    test('leaves the next ids to whoever comes next', async (t) => {
      const { store, dispose } = await openTemporaryStore(kind)
      t.after(dispose)
      await store.transaction((db) => insertDemo(db, dollars, now))
      const { id } = await store.db
        .insertInto('users')
        .values({ name: 'Next', created_at: now, updated_at: now })
        .returning('id')
        .executeTakeFirstOrThrow()
      assert.equal(id, DEMO_PEOPLE.length + 1)
    })

    test('is not there at all when the transaction fails', async (t) => {
      const { store, dispose } = await openTemporaryStore(kind)
      t.after(dispose)
      const failing = store.transaction(async (db) => {
        await insertDemo(db, dollars, now)
        throw new Error('afterwards')
      })
      await assert.rejects(failing, /afterwards/)
      assert.deepEqual(await store.db.selectFrom('products').select('id').execute(), [])
    })
  })
}

for (const [currency, currencyDigits, price] of [
  ['JPY', 0, 20],
  ['KWD', 3, 19_990],
] as const) {
  test(`prices in ${currency} are of as many major units, and add up`, async (t) => {
    const { store, dispose } = await openTemporaryStore('memory')
    t.after(dispose)
    await store.transaction((db) => insertDemo(db, { currency, currencyDigits }, now))
    await reconcile(store.db)
    const products = await store.db.selectFrom('products').selectAll().orderBy('id').execute()
    assert.equal(scaledPrice(1999, { currency, currencyDigits }), price)
    assert.deepEqual(
      products.map(({ price }) => price),
      [...DEMO_PRODUCTS, ...demoParents].map((one) =>
        scaledPrice(one.price, { currency, currencyDigits }),
      ),
    )
    assert.ok(products.every(({ price }) => price > 0))
  })
}
