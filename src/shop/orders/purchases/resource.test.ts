import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  eachDatabase,
  startTestApp,
  type TestApp,
  type TestCaller,
  type TestResponse,
} from '#test/support/app.ts'
import { scopedCaller } from '#test/support/callers/narrow-caller.ts'
import { insertOrder, insertProduct, recordPurchases, rowTimestamp } from '#test/support/rows.ts'
import { deletePurchases } from './store.ts'

type Json = TestResponse['json']

eachDatabase((kind) => {
  describe('purchases', () => {
    let shop: TestApp
    let admin: TestCaller
    let ada: TestCaller
    let ben: TestCaller
    let adasOrder: number
    let products: readonly Awaited<ReturnType<typeof insertProduct>>[]

    const buy = async (userId: number, wanted = products): Promise<number> => {
      const id = await insertOrder(shop.db, userId, wanted)
      const order = { id, user_id: userId }
      await recordPurchases(shop.store, order)
      return id
    }
    const list = async (query: string, as: TestCaller) =>
      (await as.request('GET', `/purchases?${query}`)).json

    before(async () => {
      shop = await startTestApp(kind)
      admin = await shop.signInAs('admin')
      products = [
        await insertProduct(shop.db, { name: 'Tea', price: 450 }),
        await insertProduct(shop.db, { name: 'Cup', price: 1200 }),
      ]
      ada = await shop.signInAs('customer')
      ben = await shop.signInAs('customer')
      adasOrder = await buy(ada.id)
      await buy(ben.id, products.slice(0, 1))
    })
    after(() => shop.dispose())

    test('have one entry for each line of a paid order, at the price paid', async () => {
      const { data } = await list(`order_id=${adasOrder}`, ada)
      const [first] = data
      assert.ok(first)
      assert.equal(data.length, 2)
      const { _links, ...fields } = first
      const paid = new Date(rowTimestamp).toISOString()
      assert.deepEqual(fields, {
        id: first.id,
        user_id: ada.id,
        product_id: products[0]?.id,
        order_id: adasOrder,
        quantity: 1,
        unit_price: 4.5,
        purchased_at: paid,
        created_at: paid,
        updated_at: paid,
      })
      assert.deepEqual(_links, {
        self: { href: `/purchases/${first.id}` },
        product: { href: `/products/${products[0]?.id}` },
        order: { href: `/orders/${adasOrder}` },
      })
    })

    test('are recorded once, even when recorded again', async () => {
      const order = { id: adasOrder, user_id: ada.id }
      await recordPurchases(shop.store, order)
      assert.equal((await list('', ada)).pagination.total_items, 2)
    })

    test('are deleted only for the refunded order', async () => {
      const order = await buy(ada.id)
      assert.equal((await list('', ada)).pagination.total_items, 4)
      assert.equal(await shop.store.transaction((db) => deletePurchases(db, order)), 2)
      assert.equal((await list('', ada)).pagination.total_items, 2)
    })

    test('are listed to their buyer and, for all users, to administrators', async () => {
      const buyersFor = async (as: TestCaller, query = '') =>
        (await list(query, as)).data.map((row: Json) => row.user_id)
      const [a, b] = [ada.id, ben.id]
      assert.deepEqual(await buyersFor(ada), [a, a])
      assert.deepEqual(await buyersFor(ben, `user_id=${b}`), [b])
      assert.deepEqual(await buyersFor(admin), [a, a, b])
      assert.deepEqual(await buyersFor(admin, `user_id=${b}`), [b])
      assert.deepEqual(await buyersFor(admin, `product_id=${products[1]?.id}`), [a])
      assert.deepEqual(await buyersFor(ben, `order_id=${adasOrder}`), [])
      assert.equal((await list(`user_id=${a}`, ben)).error_code, '4031')
    })

    test('are hidden from anonymous callers, other users and credentials without the scope', async () => {
      const [one] = (await list('', ada)).data
      const narrow = await scopedCaller(shop, ada, ['orders:read'])
      for (const path of ['/purchases', `/purchases/${one?.id}`]) {
        assert.equal((await shop.request('GET', path)).json.error_code, '4011')
        assert.equal((await narrow('GET', path)).json.error_code, '4033')
      }
      const path = `/purchases/${one?.id}`
      assert.equal((await ben.request('GET', path)).json.error_code, '4031')
      for (const as of [ada, admin]) {
        const { status, headers, json } = await as.request('GET', path)
        assert.equal(status, 200)
        assert.equal(headers['cache-control'], 'private, no-cache')
        assert.deepEqual(json, one)
      }
    })

    test('that do not exist answer 404', async () => {
      for (const path of ['/purchases/999999', '/purchases/x']) {
        assert.equal((await ada.request('GET', path)).json.error_code, '4041')
      }
    })

    test('have a new ETag once the buyer is erased, and are then visible to administrators only', async () => {
      const eve = await shop.signInAs('customer')
      const order = await buy(eve.id, products.slice(0, 1))
      const [one] = (await list(`order_id=${order}`, admin)).data
      const path = `/purchases/${one?.id}`
      const before = await admin.request('GET', path)
      await shop.db
        .updateTable('purchases')
        .set({ user_id: null })
        .where('order_id', '=', order)
        .execute()
      const after = await admin.request('GET', path)
      assert.equal(after.json.user_id, null)
      assert.notEqual(after.headers['etag'], before.headers['etag'])
      assert.equal((await eve.request('GET', path)).json.error_code, '4031')
    })

    test('sort by time of purchase', async () => {
      const ids = async (query: string) => (await list(query, ada)).data.map((row: Json) => row.id)
      const all = await ids('')
      assert.deepEqual(await ids('sort=purchased_at&order=desc'), all.toReversed())
      assert.equal((await list('sort=price', ada)).error_code, '4003')
    })

    const costs = [
      ['/purchases', 2],
      ['/purchases?limit=1', 2],
      ['/purchases/1', 1],
    ] as const
    for (const [path, statements] of costs) {
      test(`take ${statements} statements for GET ${path}, besides authentication`, async () => {
        shop.takeCount()
        assert.equal((await admin.request('GET', path)).status, 200)
        assert.equal(shop.takeCount(), 1 + statements)
      })
    }
  })
})
