import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eachDatabase, type TestCaller } from '#test/support/app.ts'
import { scopedCaller } from '#test/support/callers/narrow-caller.ts'
import { type PayingApp, startPayingApp, testShipping } from '#test/support/callers/paying.ts'
import { eventReader } from '#test/support/events/event-feed.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'
import { dayMs } from '#values/instant.ts'

const stock = 10

eachDatabase((kind) => {
  describe('returns', () => {
    let shop: PayingApp
    let buyer: TestCaller
    let admin: TestCaller
    const stocks = new Map<number, number>()
    before(async () => {
      shop = await startPayingApp(kind)
      buyer = await shop.signInAs('customer')
      admin = await shop.signInAs('admin')
    })
    after(async () => {
      try {
        await reconcile(shop.db, stocks)
      } finally {
        await shop.dispose()
      }
    })

    /** A paid order of three pieces for 10.00 each, of which some are sent. */
    const buy = async (sent = 3) => {
      const { id: product } = await shop.addProduct({ stock, price: 10 })
      stocks.set(product, stock)
      const placed = await buyer.request('POST', '/orders', {
        items: [{ product_id: product, quantity: 3 }],
        shipping: testShipping,
      })
      assert.equal(placed.status, 201, placed.text)
      const id: number = placed.json.id
      const paid = await buyer.request('POST', `/users/${buyer.id}/orders/${id}/payment`, {
        method: 'card',
        token: 'tok_visa',
      })
      assert.equal(paid.status, 201, paid.text)
      const item: number = (await admin.request('GET', `/orders/${id}/items`)).json.data[0].id
      if (sent > 0) {
        const parcel = { items: [{ order_item_id: item, quantity: sent }] }
        assert.equal((await admin.request('POST', `/orders/${id}/parcels`, parcel)).status, 201)
      }
      return { id, item, product }
    }
    type Bought = Awaited<ReturnType<typeof buy>>
    const ask = (order: Bought, quantity: number, more: object = {}, caller = buyer) =>
      caller.request('POST', `/orders/${order.id}/returns`, {
        items: [{ order_item_id: order.item, quantity }],
        kind: 'return',
        ...more,
      })
    const asked = async (order: Bought, quantity: number, more: object = {}): Promise<number> => {
      const { status, json, text } = await ask(order, quantity, more)
      assert.equal(status, 201, text)
      return json.id
    }
    const patch = ({ id }: Bought, each: number, body: object, caller = admin) =>
      caller.request('PATCH', `/orders/${id}/returns/${each}`, body)
    const move = async (order: Bought, each: number, ...statuses: readonly string[]) => {
      for (const status of statuses) {
        const { status: code, text } = await patch(order, each, { status })
        assert.equal(code, 200, text)
      }
    }
    const read = async ({ id }: Bought) => (await buyer.request('GET', `/orders/${id}`)).json
    const refund = ({ id, item }: Bought, quantity: number) =>
      admin.request('POST', `/orders/${id}/refunds`, {
        items: [{ order_item_id: item, quantity }],
      })
    const stockOf = async ({ product }: Bought) =>
      (await shop.request('GET', `/products/${product}`)).json.stock

    test('go from the request to the refund of their pieces', async () => {
      const order = await buy()
      assert.ok('return' in (await read(order))._links)
      const created = await ask(order, 2, { reason: 'Too small' })
      assert.equal(created.status, 201, created.text)
      const { id } = created.json
      assert.deepEqual(
        [created.json.status, created.json.kind, created.json.reason, created.json.items],
        ['requested', 'return', 'Too small', [{ order_item_id: order.item, quantity: 2 }]],
      )
      await move(order, id, 'approved')
      const done = await patch(order, id, { status: 'received', restock: true, refund: true })
      assert.deepEqual([done.status, done.json.status], [200, 'refunded'], done.text)
      const { status, refunded_total } = await read(order)
      assert.deepEqual([status, refunded_total, await stockOf(order)], ['shipped', 20, stock - 1])
      const [made] = (await admin.request('GET', `/orders/${order.id}/refunds`)).json.data
      assert.deepEqual(made.items, [{ order_item_id: order.item, quantity: 2 }])
    })

    test('are refunded later, with the stock as it was said at the receipt', async () => {
      const order = await buy()
      const id = await asked(order, 1)
      await move(order, id, 'approved')
      await patch(order, id, { status: 'received', restock: false, reply: 'A scratch.' })
      assert.equal((await read(order)).refunded_total, 0)
      const done = await patch(order, id, { refund: true })
      assert.deepEqual([done.json.status, done.json.reply], ['refunded', 'A scratch.'])
      assert.deepEqual([(await read(order)).refunded_total, await stockOf(order)], [10, stock - 3])
      for (const body of [{ refund: true }, { restock: true }]) {
        assert.equal((await patch(order, id, body)).json.error_code, '4091')
      }
    })

    test('take only steps that exist', async () => {
      const order = await buy()
      const id = await asked(order, 1)
      for (const status of ['received', 'refunded', 'requested']) {
        const { status: code } = await patch(order, id, { status })
        assert.equal(code, status === 'requested' ? 200 : 409, status)
      }
      assert.equal((await patch(order, id, { refund: true })).json.error_code, '4091')
      await move(order, id, 'rejected')
      for (const status of ['approved', 'received', 'refunded']) {
        assert.equal((await patch(order, id, { status })).json.error_code, '4091', status)
      }
    })

    test('take no piece twice, nor one that is refunded or not sent', async () => {
      const order = await buy(2)
      const code = async (quantity: number) => (await ask(order, quantity)).json.error_code
      assert.equal(await code(3), '4091')
      const id = await asked(order, 1)
      assert.equal(await code(2), '4091')
      // The piece that was not sent may be refunded, and one that was; the third is returned.
      assert.equal((await refund(order, 3)).json.error_code, '4091')
      assert.equal((await refund(order, 2)).status, 201)
      assert.equal(await code(1), '4091')
      await move(order, id, 'rejected')
      const again = await asked(order, 1)
      await move(order, again, 'approved')
      await patch(order, again, { status: 'received', refund: true })
      assert.equal((await read(order)).refunded_total, 30)
    })

    test('of two that are asked for at once, only one has the last pieces', async () => {
      const order = await buy()
      const both = await Promise.all([ask(order, 2), ask(order, 2)])
      assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409])
    })

    test('are possible from the sending until some days after the delivery', async () => {
      const unsent = await buy(0)
      assert.ok(!('return' in (await read(unsent))._links))
      assert.equal((await ask(unsent, 1)).json.error_code, '4091')
      const order = await buy()
      await admin.request('PATCH', `/orders/${order.id}`, { status: 'delivered' })
      const deliver = (delivered_at: number) =>
        shop.db.updateTable('orders').set({ delivered_at }).where('id', '=', order.id).execute()
      await deliver(shop.now - 14 * dayMs)
      await asked(order, 1)
      await deliver(shop.now - 14 * dayMs - 1)
      assert.equal((await ask(order, 1)).json.error_code, '4091')
      assert.ok(!('return' in (await read(order))._links))
    })

    test('withdraw from what was not sent yet, which then is not to be sent', async () => {
      const order = await buy(1)
      const id = await asked(order, 2, { kind: 'withdrawal' })
      assert.equal((await read(order)).status, 'shipped')
      const parcel = await admin.request('POST', `/orders/${order.id}/parcels`, {})
      assert.equal(parcel.json.error_code, '4091')
      await move(order, id, 'rejected')
      assert.equal((await read(order)).status, 'paid')
      const second = await asked(order, 3, { kind: 'withdrawal' })
      await move(order, second, 'approved')
      const done = await patch(order, second, { status: 'received', refund: true })
      assert.equal(done.json.status, 'refunded', done.text)
      assert.deepEqual([(await read(order)).refunded_total, await stockOf(order)], [30, stock])
    })

    test('end with an order of which all is refunded', async () => {
      const order = await buy()
      const id = await asked(order, 1)
      assert.equal((await admin.request('POST', `/orders/${order.id}/refunds`, {})).status, 201)
      const { json } = await buyer.request('GET', `/orders/${order.id}/returns/${id}`)
      assert.equal(json.status, 'refunded')
    })

    test('are asked for by the buyer and decided by the shop', async () => {
      const order = await buy()
      const stranger = await shop.signInAs('customer')
      assert.equal((await ask(order, 1, {}, stranger)).status, 403)
      const id = await asked(order, 1)
      assert.equal((await patch(order, id, { status: 'approved' }, buyer)).status, 403)
      const at = `/orders/${order.id}/returns/${id}`
      assert.equal((await stranger.request('GET', at)).status, 403)
      const linksOf = async (caller: TestCaller) =>
        Object.keys((await caller.request('GET', at)).json._links).sort()
      assert.deepEqual(await linksOf(buyer), ['order', 'self'])
      assert.deepEqual(await linksOf(admin), ['approve', 'order', 'reject', 'self', 'update'])
      await move(order, id, 'approved')
      assert.deepEqual(await linksOf(admin), ['order', 'receive', 'self', 'update'])
      // Money needs a scope of its own.
      const clerk = {
        ...admin,
        request: await scopedCaller(shop, admin, ['orders:read', 'returns:write']),
      }
      const body = { status: 'received', refund: true }
      assert.equal((await patch(order, id, body, clerk)).json.error_code, '4033')
      assert.equal((await patch(order, id, { status: 'received' }, clerk)).status, 200)
      assert.deepEqual(await linksOf(clerk), ['order', 'self', 'update'])
      assert.deepEqual(await linksOf(admin), ['order', 'refund', 'self', 'update'])
    })

    test('are declared by the public form, which answers strangers as it does buyers', async () => {
      const order = await buy(1)
      const { number, contact } = (await admin.request('GET', `/orders/${order.id}`)).json
      const email = `Form-${order.id}@Example.com`
      await shop.db
        .updateTable('orders')
        .set({ contact_email: email })
        .where('id', '=', order.id)
        .execute()
      assert.ok(contact)
      const declare = async (body: object) => {
        const given = { order_number: number, email: email.toLowerCase(), name: 'A. Buyer' }
        const { status, json } = await shop.request('POST', '/withdrawals', { ...given, ...body })
        return [status, json.status]
      }
      const listed = async () =>
        (await admin.request('GET', `/orders/${order.id}/returns?sort=id`)).json.data
      const pieces = (quantity: number) => [{ order_item_id: order.item, quantity }]
      const nothing: readonly object[] = [
        { order_number: `${number}0` },
        { email: 'stranger@example.com' },
        { items: [{ order_item_id: 999_999, quantity: 1 }] },
      ]
      for (const body of nothing) assert.deepEqual(await declare(body), [202, 'accepted'])
      assert.deepEqual(await listed(), [])
      assert.deepEqual(await declare({ items: pieces(1) }), [202, 'accepted'])
      assert.deepEqual(await declare({}), [202, 'accepted'])
      assert.deepEqual(await declare({}), [202, 'accepted'])
      const made = await listed()
      assert.deepEqual(
        made.map((each: Record<string, unknown>) => [
          each['kind'],
          each['items'],
          each['declared_by'],
        ]),
        [
          ['withdrawal', pieces(1), 'A. Buyer'],
          ['withdrawal', pieces(2), 'A. Buyer'],
        ],
      )
      assert.equal((await shop.request('POST', '/withdrawals', { name: 'A' })).status, 400)
    })

    test('have events', async () => {
      const order = await buy()
      const events = eventReader(shop.db)
      await events()
      const id = await asked(order, 1)
      await patch(order, id, { reply: 'Soon.' })
      await move(order, id, 'approved')
      await patch(order, id, { status: 'received', refund: true })
      const at = `/orders/${order.id}/returns/${id}`
      const told = (await events()).filter(({ type }) => type.startsWith('return.'))
      assert.deepEqual(
        told.map(({ type, subject }) => `${type} ${subject}`),
        ['requested', 'updated', 'approved', 'received', 'refunded'].map(
          (step) => `return.${step} ${at}`,
        ),
      )
      assert.equal(told.at(-1)?.data.status, 'refunded')
    })
  })
})
