import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { runJobs } from '#src/server/jobs.ts'
import type { Db } from '#store/database.ts'
import { eachDatabase, startedAt, type TestCaller, testPassword } from '#test/support/app.ts'
import { type PayingApp, startPayingApp } from '#test/support/callers/paying.ts'
import { dayMs, minuteMs } from '#values/instant.ts'

/** Reads all rows about a user, by table, including those of the given orders. */
async function readRows(db: Db, userId: number, orderIds: readonly number[]) {
  const byOrder = (table: 'order_items' | 'payments' | 'refunds' | 'purchases') =>
    db.selectFrom(table).selectAll().where('order_id', 'in', orderIds).execute()
  return {
    users: await db.selectFrom('users').selectAll().where('id', '=', userId).execute(),
    erasures: await db.selectFrom('erasures').selectAll().where('user_id', '=', userId).execute(),
    orders: await db.selectFrom('orders').selectAll().where('id', 'in', orderIds).execute(),
    order_items: await byOrder('order_items'),
    payments: await byOrder('payments'),
    refunds: await byOrder('refunds'),
    purchases: await byOrder('purchases'),
    reviews: await db.selectFrom('reviews').selectAll().execute(),
    audit_events: await db
      .selectFrom('audit_events')
      .selectAll()
      .where((eb) => eb.or([eb('subject_id', '=', userId), eb('actor_id', '=', userId)]))
      .execute(),
  }
}

/** Lists the times in these rows that are not rounded to a day, with table and column. */
const preciseTimes = (rows: Awaited<ReturnType<typeof readRows>>): readonly string[] =>
  Object.entries(rows).flatMap(([table, found]) =>
    found.flatMap((row) =>
      Object.entries(row)
        .filter(([, value]) => typeof value === 'number' && value > 1e12 && value % dayMs !== 0)
        .map(([column, value]) => `${table}.${column} = ${value}`),
    ),
  )

/** Lists the UUIDs in these rows. */
const uuidsIn = (rows: Awaited<ReturnType<typeof readRows>>): readonly string[] =>
  Object.values(rows)
    .flatMap((found) => found.flatMap((row) => Object.values(row)))
    .flatMap((value) => (typeof value === 'string' ? (value.match(/[\da-f-]{36}/g) ?? []) : []))

/** Creates a customer with orders, payments and a review, each at a different millisecond. */
async function createBuyer(shop: PayingApp, admin: TestCaller) {
  const { id, request } = await shop.signInAs('customer')
  const product = await shop.addProduct({ stock: 50 })
  const send: typeof request = async (...args) => {
    shop.now += 12_347
    const response = await request(...args)
    assert.ok(response.status < 300 || response.status === 422, response.text)
    return response
  }
  const order = async (): Promise<number> => {
    const body = {
      items: [{ product_id: product.id, quantity: 1 }],
      shipping: { method: 'pickup' },
    }
    return (await send('POST', `/users/${id}/orders`, body)).json.id
  }
  const pay = (orderId: number, token: string) =>
    send('POST', `/users/${id}/orders/${orderId}/payment`, { method: 'card', token })
  const orderIds = [await order(), await order(), await order(), await order(), await order()]
  const [paid = 0, shipped = 0, declined = 0, removed = 0] = orderIds
  await pay(paid, 'tok_visa')
  await pay(shipped, 'tok_visa')
  await pay(declined, 'tok_declined')
  await send('DELETE', `/users/${id}/orders/${removed}`)
  shop.now += 7_919
  const shipment = await admin.request('PATCH', `/orders/${shipped}`, { status: 'shipped' })
  assert.equal(shipment.status, 200, shipment.text)
  const refunded = await admin.request('POST', `/orders/${shipped}/refunds`, { amount: 1 })
  assert.equal(refunded.status, 201, refunded.text)
  await send('POST', `/products/${product.id}/reviews`, { rating: 4 })
  const change = { password: 'another password', current_password: testPassword }
  await send('PATCH', `/users/${id}`, change)
  return { id, orderIds, send }
}

eachDatabase((kind) => {
  let shop: PayingApp
  let admin: TestCaller
  before(async () => {
    shop = await startPayingApp(kind, 2_000)
    admin = await shop.signInAs('admin')
  })
  afterEach(() => {
    shop.now = startedAt
  })
  after(() => shop.dispose())
  const jobs = () => runJobs(shop.parts, shop.db, { purgeDeletedRows: shop.store.purgeDeletedRows })

  describe('the remaining data of an erased user', () => {
    test('has times rounded to days and no ID that links one row to another', async () => {
      const { id, orderIds, send } = await createBuyer(shop, admin)
      const [paid = 0, , , , pending = 0] = orderIds
      assert.equal((await admin.request('GET', `/orders/${paid}`)).json.status, 'paid')
      await send('POST', '/user/delete', { reason: 'Bye' })
      assert.notDeepEqual(preciseTimes(await readRows(shop.db, id, orderIds)), [])
      shop.now += 7 * dayMs + 4_321
      assert.equal((await jobs()).erased, 1)
      shop.now += 6 * minuteMs + 777
      await jobs()
      const rows = await readRows(shop.db, id, orderIds)
      assert.deepEqual(preciseTimes(rows), [])
      assert.deepEqual(
        Object.values(rows).map((found) => found.length > 0),
        Object.values(rows).map(() => true),
      )
      const uuids = uuidsIn(rows)
      assert.equal(new Set(uuids).size, uuids.length)
      for (const row of [...rows.orders, ...rows.purchases, ...rows.reviews]) {
        assert.equal(row.user_id, null)
      }
      const [last] = rows.orders.filter((order) => order.id === pending)
      assert.deepEqual([last?.status, last?.expires_at], ['cancelled', null])
    })

    test('is not matched by validators that were read on the same day', async () => {
      const { id, orderIds } = await createBuyer(shop, admin)
      const paths = orderIds.slice(0, 3).map((order) => `/orders/${order}`)
      const copies = await Promise.all(paths.map((path) => admin.request('GET', path)))
      assert.equal((await admin.request('DELETE', `/users/${id}`)).status, 204)
      for (const [index, path] of paths.entries()) {
        const { headers = {} } = copies[index] ?? {}
        const date = { 'if-modified-since': headers['last-modified'] ?? '' }
        assert.equal((await admin.request('GET', path, undefined, date)).status, 200)
        const tag = { 'if-none-match': headers['etag'] ?? '' }
        assert.equal((await admin.request('GET', path, undefined, tag)).status, 200)
      }
    })

    test('can still change: later changes of an order are rounded to days as well', async () => {
      const { id, orderIds } = await createBuyer(shop, admin)
      const [paid = 0] = orderIds
      assert.equal((await admin.request('DELETE', `/users/${id}`)).status, 204)
      shop.now += 33_331
      const refunded = await admin.request('PATCH', `/orders/${paid}`, { status: 'cancelled' })
      assert.equal(refunded.status, 200, refunded.text)
      shop.now += 6 * minuteMs
      await jobs()
      assert.deepEqual(preciseTimes(await readRows(shop.db, id, orderIds)), [])
    })
  })
})
