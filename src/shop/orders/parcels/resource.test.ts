import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eachDatabase, type TestCaller } from '#test/support/app.ts'
import { type PayingApp, startPayingApp, testShipping } from '#test/support/callers/paying.ts'
import { eventReader } from '#test/support/events/event-feed.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'

const stock = 10

eachDatabase((kind) => {
  describe('parcels', () => {
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

    const addProduct = async (more: object = {}) => {
      const { id } = await shop.addProduct({ stock, price: 10, ...more })
      stocks.set(id, stock)
      return id
    }
    /** A paid order of three pieces of one product and one of another. */
    const buy = async (more: readonly [object, object] = [{}, {}]) => {
      const products = [await addProduct(more[0]), await addProduct(more[1])] as const
      const items = products.map((product_id, at) => ({ product_id, quantity: at === 0 ? 3 : 1 }))
      const placed = await buyer.request('POST', '/orders', { items, shipping: testShipping })
      assert.equal(placed.status, 201, placed.text)
      const id: number = placed.json.id
      const { json: list } = await admin.request('GET', `/orders/${id}/items?sort=id`)
      const [first, second] = list.data.map((item: { id: number }) => item.id)
      const paid = await buyer.request('POST', `/users/${buyer.id}/orders/${id}/payment`, {
        method: 'card',
        token: 'tok_visa',
      })
      assert.equal(paid.status, 201, paid.text)
      return { id, first: first as number, second: second as number, products }
    }
    type Bought = Awaited<ReturnType<typeof buy>>
    const send = (order: Bought, body: object = {}, caller = admin) =>
      caller.request('POST', `/orders/${order.id}/parcels`, body)
    const pieces = (order_item_id: number, quantity: number) => ({ order_item_id, quantity })
    const patch = ({ id }: Bought, parcel: number, body: object, caller = admin) =>
      caller.request('PATCH', `/orders/${id}/parcels/${parcel}`, body)
    const remove = ({ id }: Bought, parcel: number, caller = admin) =>
      caller.request('DELETE', `/orders/${id}/parcels/${parcel}`)
    const read = async ({ id }: Bought) => (await buyer.request('GET', `/orders/${id}`)).json
    const shippingOf = async ({ id }: Bought) =>
      (await buyer.request('GET', `/orders/${id}/shipping`)).json
    const sentOf = async ({ id }: Bought) =>
      (await buyer.request('GET', `/orders/${id}/items?sort=id`)).json.data.map(
        ({ shipped_quantity }: { shipped_quantity: number }) => shipped_quantity,
      )
    const listOf = async ({ id }: Bought) =>
      (await buyer.request('GET', `/orders/${id}/parcels`)).json.data
    const refund = (order: Bought, body: object) =>
      admin.request('POST', `/orders/${order.id}/refunds`, body)
    const stockOf = async (id: number) => (await shop.request('GET', `/products/${id}`)).json.stock
    const sent = async (order: Bought, body: object = {}): Promise<number> => {
      const { status, json, text } = await send(order, body)
      assert.equal(status, 201, text)
      return json.id
    }

    test('keep an order paid until all pieces are sent, and shipped until all have arrived', async () => {
      const order = await buy()
      const first = await send(order, {
        items: [pieces(order.first, 1), pieces(order.first, 1)],
        carrier: 'Royal Mail',
        tracking_number: 'RM 1',
      })
      assert.equal(first.status, 201, first.text)
      assert.equal(first.headers['location'], `/orders/${order.id}/parcels/${first.json.id}`)
      assert.deepEqual(first.json.items, [pieces(order.first, 2)])
      assert.equal(first.json.status, 'in_transit')
      assert.equal(
        first.json.tracking_url,
        'https://www.royalmail.com/track-your-item#/tracking-results/RM%201',
      )
      assert.deepEqual(await sentOf(order), [2, 0])
      assert.equal((await read(order)).status, 'paid')
      const shipping = await shippingOf(order)
      assert.deepEqual(
        [shipping.status, shipping.carrier, shipping.tracking_number, shipping.shipped_at],
        ['pending', 'Royal Mail', 'RM 1', null],
      )
      assert.equal((await patch(order, first.json.id, { status: 'delivered' })).status, 200)
      assert.equal((await read(order)).status, 'paid')

      const second = await sent(order)
      const [, listed] = await listOf(order)
      assert.deepEqual(listed.items, [pieces(order.first, 1), pieces(order.second, 1)])
      assert.deepEqual(await sentOf(order), [3, 1])
      assert.equal((await read(order)).status, 'shipped')
      assert.equal((await shippingOf(order)).status, 'in_transit')
      const delivered = await patch(order, second, { status: 'delivered' })
      assert.notEqual(delivered.json.delivered_at, null)
      assert.equal((await read(order)).status, 'delivered')
      assert.equal((await shippingOf(order)).status, 'delivered')
    })

    test('take no more pieces than were ordered, sent and refunded', async () => {
      const order = await buy()
      const codes = async (body: object) => {
        const { status, json } = await send(order, body)
        return [status, json.error_code]
      }
      assert.deepEqual(await codes({ items: [pieces(order.first, 4)] }), [409, '4091'])
      assert.deepEqual(await codes({ items: [pieces(999_999, 1)] }), [422, '4221'])
      assert.deepEqual(await codes({ items: [pieces(order.first, 0)] }), [422, '4221'])
      assert.deepEqual(await codes({ items: [] }), [422, '4221'])
      await sent(order, { items: [pieces(order.first, 1)] })
      assert.deepEqual(await codes({ items: [pieces(order.first, 3)] }), [409, '4091'])
      assert.equal((await refund(order, { items: [pieces(order.first, 1)] })).status, 201)
      assert.deepEqual(await codes({ items: [pieces(order.first, 2)] }), [409, '4091'])
      await sent(order)
      assert.deepEqual(await sentOf(order), [2, 1])
      assert.equal((await read(order)).status, 'shipped')
      assert.deepEqual(await codes({}), [409, '4091'])
    })

    test('of two that are sent at once, only one has the last pieces', async () => {
      const order = await buy()
      const both = await Promise.all([
        send(order, { items: [pieces(order.first, 2)] }),
        send(order, { items: [pieces(order.first, 2)] }),
      ])
      assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409])
      assert.deepEqual(await sentOf(order), [2, 0])
    })

    test('that are removed are to be sent again', async () => {
      const order = await buy()
      const parcel = await sent(order, { carrier: 'DHL', tracking_number: 'A1' })
      assert.equal((await read(order)).status, 'shipped')
      assert.equal((await remove(order, parcel)).status, 204)
      const { status, shipping } = {
        status: (await read(order)).status,
        shipping: await shippingOf(order),
      }
      assert.deepEqual(
        [status, shipping.status, shipping.carrier, shipping.shipped_at],
        ['paid', 'pending', null, null],
      )
      assert.deepEqual(await sentOf(order), [0, 0])
      assert.equal((await patch(order, parcel, { carrier: 'UPS' })).status, 404)
      const again = await sent(order, { carrier: 'UPS' })
      await patch(order, again, { status: 'delivered' })
      assert.equal((await remove(order, again)).json.error_code, '4091')
      assert.equal((await patch(order, again, { status: 'in_transit' })).json.error_code, '4091')
    })

    test('follow from the shipping of a client that knows none', async () => {
      const order = await buy()
      const at = `/orders/${order.id}/shipping`
      await admin.request('PATCH', at, { carrier: 'DHL' })
      await admin.request('PATCH', at, { status: 'in_transit', tracking_number: 'JD 1' })
      const [parcel] = await listOf(order)
      assert.deepEqual(
        [parcel.carrier, parcel.tracking_number, parcel.items.length],
        ['DHL', 'JD 1', 2],
      )
      await admin.request('PATCH', at, { tracking_number: 'JD 2' })
      assert.equal((await listOf(order))[0].tracking_number, 'JD 2')
      await patch(order, parcel.id, { tracking_number: 'JD 3' })
      assert.equal((await shippingOf(order)).tracking_number, 'JD 3')
      await admin.request('PATCH', at, { status: 'delivered' })
      const [arrived] = await listOf(order)
      assert.deepEqual([arrived.status, (await read(order)).status], ['delivered', 'delivered'])

      const other = await buy()
      await sent(other, { items: [pieces(other.first, 1)], carrier: 'DHL' })
      const rest = { status: 'in_transit', carrier: 'UPS' }
      const shipped = await admin.request('PATCH', `/orders/${other.id}/shipping`, rest)
      assert.equal(shipped.status, 200, shipped.text)
      assert.deepEqual(
        (await listOf(other)).map(({ carrier }: { carrier: string | null }) => carrier),
        ['DHL', 'UPS'],
      )
      assert.deepEqual(await sentOf(other), [3, 1])
      await admin.request('PATCH', `/orders/${other.id}`, { status: 'delivered' })
      assert.deepEqual(
        (await listOf(other)).map(({ status }: { status: string }) => status),
        ['delivered', 'delivered'],
      )
    })

    test('hold only what needs shipping', async () => {
      const order = await buy([{}, { requires_shipping: false }])
      await sent(order)
      assert.deepEqual(await sentOf(order), [3, 0])
      assert.equal((await read(order)).status, 'shipped')

      const digital = await buy([{ requires_shipping: false }, { requires_shipping: false }])
      assert.equal((await send(digital)).json.error_code, '4091')
      const moved = await admin.request('PATCH', `/orders/${digital.id}`, { status: 'shipped' })
      assert.equal(moved.json.status, 'shipped')
      assert.deepEqual(await listOf(digital), [])
    })

    test('ship an order once the rest of it is refunded', async () => {
      const order = await buy()
      const parcel = await sent(order, { items: [pieces(order.first, 3)] })
      assert.equal((await read(order)).status, 'paid')
      assert.equal((await refund(order, { items: [pieces(order.second, 1)] })).status, 201)
      assert.equal((await read(order)).status, 'shipped')
      await patch(order, parcel, { status: 'delivered' })
      assert.equal((await read(order)).status, 'delivered')
    })

    test('keep an order from being cancelled; refunding all of it returns what was not sent', async () => {
      const order = await buy()
      await sent(order, { items: [pieces(order.first, 1)] })
      const cancelled = await admin.request('PATCH', `/orders/${order.id}`, { status: 'cancelled' })
      assert.equal(cancelled.json.error_code, '4091')
      assert.equal(
        'cancel' in (await admin.request('GET', `/orders/${order.id}`)).json._links,
        false,
      )
      assert.equal((await refund(order, {})).status, 201)
      const { status } = await read(order)
      const [first, second] = order.products
      assert.deepEqual(
        [status, await stockOf(first), await stockOf(second)],
        ['refunded', stock - 1, stock],
      )
    })

    test('go back to the stock where the refund says so', async () => {
      const order = await buy()
      await sent(order, { items: [pieces(order.first, 1)] })
      assert.equal((await refund(order, { restock: true })).status, 201)
      const [first, second] = order.products
      assert.deepEqual([await stockOf(first), await stockOf(second)], [stock, stock])
    })

    test('are read by the buyer and written by the shop', async () => {
      const order = await buy()
      const stranger = await shop.signInAs('customer')
      assert.equal((await send(order, {}, buyer)).json.error_code, '4031')
      const parcel = await sent(order, { items: [pieces(order.first, 1)] })
      const at = `/orders/${order.id}/parcels/${parcel}`
      assert.equal((await buyer.request('GET', at)).status, 200)
      assert.equal((await stranger.request('GET', at)).status, 403)
      assert.equal((await patch(order, parcel, { status: 'delivered' }, buyer)).status, 403)
      assert.equal((await remove(order, parcel, buyer)).status, 403)
      const linksOf = async (caller: TestCaller, path: string) =>
        Object.keys((await caller.request('GET', path)).json._links).sort()
      assert.deepEqual(await linksOf(buyer, at), ['order', 'self'])
      assert.deepEqual(await linksOf(admin, at), ['delete', 'deliver', 'order', 'self', 'update'])
      assert.ok((await linksOf(admin, `/orders/${order.id}`)).includes('send'))
      assert.ok(!(await linksOf(buyer, `/orders/${order.id}`)).includes('send'))
      const other = await buy()
      assert.equal(
        (await admin.request('GET', `/orders/${other.id}/parcels/${parcel}`)).status,
        404,
      )
      const included = await buyer.request('GET', `/orders/${order.id}?include=parcels`)
      assert.equal(included.json.parcels[0].id, parcel)
    })

    test('are not sent before the order is paid', async () => {
      const product = await addProduct()
      const items = [{ product_id: product, quantity: 1 }]
      const { json } = await buyer.request('POST', '/orders', { items, shipping: testShipping })
      const early = await admin.request('POST', `/orders/${json.id}/parcels`, {})
      assert.deepEqual([early.status, early.json.error_code], [409, '4091'])
      assert.equal((await admin.request('POST', '/orders/999999/parcels', {})).status, 404)
      await buyer.request('PATCH', `/orders/${json.id}`, { status: 'cancelled' })
    })

    test('have events', async () => {
      const order = await buy()
      const events = eventReader(shop.db)
      await events()
      const first = await sent(order, { items: [pieces(order.first, 1)], carrier: 'DPD' })
      const second = await sent(order)
      await patch(order, first, { tracking_number: '01' })
      await patch(order, first, { status: 'delivered' })
      await patch(order, second, { status: 'delivered' })
      const path = `/orders/${order.id}`
      assert.deepEqual(
        (await events()).map(({ type, subject }) => `${type} ${subject}`),
        [
          `parcel.created ${path}/parcels/${first}`,
          `order.updated ${path}`,
          `parcel.created ${path}/parcels/${second}`,
          `order.shipped ${path}`,
          `parcel.updated ${path}/parcels/${first}`,
          `order.updated ${path}`,
          `parcel.delivered ${path}/parcels/${first}`,
          `order.updated ${path}`,
          `parcel.delivered ${path}/parcels/${second}`,
          `order.delivered ${path}`,
        ],
      )
    })
  })
})
