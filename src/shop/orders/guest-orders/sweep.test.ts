import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runJobs } from '#src/server/jobs.ts'
import { eachDatabase, type TestCaller } from '#test/support/app.ts'
import { startGuest, type TestGuest } from '#test/support/callers/guest.ts'
import { type PayingApp, startPayingApp, testShipping } from '#test/support/callers/paying.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'
import { dayMs, minuteMs } from '#values/instant.ts'

eachDatabase((kind) => {
  let shop: PayingApp
  let admin: TestCaller
  before(async () => {
    shop = await startPayingApp(kind)
    admin = await shop.signInAs('admin')
  })
  after(async () => {
    await reconcile(shop.db)
    await shop.dispose()
  })

  const place = async ({ request }: TestGuest, product_id: number): Promise<number> => {
    const items = [{ product_id, quantity: 1 }]
    const { status, json, text } = await request('POST', '/orders', {
      items,
      shipping: testShipping,
    })
    assert.equal(status, 201, text)
    return json.id
  }
  const pay = async ({ id, request }: TestGuest, order: number) => {
    const card = { method: 'card', token: 'tok_visa' }
    const { status, text } = await request('POST', `/users/${id}/orders/${order}/payment`, card)
    assert.equal(status, 201, text)
  }

  test('guests who have paid for none of their orders are erased 30 days after the last one', async () => {
    const { id: product_id } = await shop.addProduct()
    const startedAt = shop.now
    const guests = [await startGuest(shop), await startGuest(shop), await startGuest(shop)] as const
    const [stranger, later, refunded] = guests
    const abandoned = await place(stranger, product_id)
    const returned = await place(refunded, product_id)
    await pay(refunded, returned)
    const cancelled = { status: 'cancelled' }
    const answer = await admin.request('PATCH', `/orders/${returned}`, cancelled)
    assert.equal(answer.status, 200, answer.text)
    shop.now = startedAt + 10 * minuteMs
    await later.request('PATCH', `/orders/${await place(later, product_id)}`, cancelled)
    const areErased = async () => {
      await runJobs(shop.parts, shop.db)
      const ids = guests.map(({ id }) => id)
      const rows = await shop.db.selectFrom('users').selectAll().where('id', 'in', ids).execute()
      return ids.map((id) => rows.find((row) => row.id === id)?.deleted_at !== null)
    }
    try {
      shop.now = startedAt + 30 * dayMs - 1
      assert.deepEqual(await areErased(), [false, false, false])
      shop.now = startedAt + 30 * dayMs + minuteMs
      assert.deepEqual(await areErased(), [true, false, false])
      const [left] = await shop.db
        .selectFrom('orders')
        .selectAll()
        .where('id', '=', abandoned)
        .execute()
      const { user_id, status, recipient, line1, contact_name } = left ?? {}
      assert.deepEqual(
        [user_id, status, recipient, line1, contact_name],
        [null, 'cancelled', null, null, null],
      )
      shop.now = startedAt + 30 * dayMs + 11 * minuteMs
      assert.deepEqual(await areErased(), [true, true, false])
    } finally {
      shop.now = startedAt
    }
  })
})
