import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runJobs } from '#src/server/jobs.ts'
import { eachDatabase, type TestCaller } from '#test/support/app.ts'
import { type PayingApp, startPayingApp, testShipping } from '#test/support/callers/paying.ts'
import { minuteMs } from '#values/instant.ts'

eachDatabase((kind) => {
  let shop: PayingApp
  let admin: TestCaller
  before(async () => {
    shop = await startPayingApp(kind)
    admin = await shop.signInAs('admin')
  })
  after(() => shop.dispose())

  const stockOf = async (id: number) => (await shop.request('GET', `/products/${id}`)).json.stock
  const order = async (buyer: TestCaller, body: object = {}) =>
    buyer.request('POST', `/users/${buyer.id}/orders`, body)
  const paid = async (buyer: TestCaller, productId: number, quantity = 1) => {
    const items = [{ product_id: productId, quantity }]
    const { json } = await order(buyer, { items, shipping: testShipping })
    const at = `/users/${buyer.id}/orders/${json.id}/payment`
    const payment = await buyer.request('POST', at, { method: 'card', token: 'tok_visa' })
    assert.equal(payment.status, 201, payment.text)
    return json
  }
  const move = (caller: TestCaller, id: number, status: string) =>
    caller.request('PATCH', `/orders/${id}`, { status })

  describe('placing an order', () => {
    test('takes the cart, empties it, freezes prices and takes stock', async () => {
      const buyer = await shop.signInAs('customer')
      const { id: counted } = await shop.addProduct({ price: 2.5, stock: 10 })
      const { id: uncounted } = await shop.addProduct({ price: 19.99 })
      await buyer.request('POST', '/cart', { product_id: counted, quantity: 4 })
      await buyer.request('POST', '/cart', { product_id: uncounted, quantity: 1 })
      const placed = await order(buyer)
      assert.equal(placed.status, 201, placed.text)
      assert.equal(placed.headers['location'], `/users/${buyer.id}/orders/${placed.json.id}`)
      assert.equal(placed.json.status, 'pending')
      assert.equal(placed.json.subtotal, 29.99)
      assert.equal(placed.json.total, 34.99)
      assert.equal(placed.json.item_count, 5)
      assert.equal(await stockOf(counted), 6)
      const cart = await buyer.request('GET', `/users/${buyer.id}/cart`)
      assert.equal(cart.json.item_count, 0)
      await admin.request('PATCH', `/products/${counted}`, { price: 9, name: 'Renamed' })
      const items = await buyer.request('GET', `/orders/${placed.json.id}/items`)
      assert.deepEqual(
        items.json.data.map((item: { unit_price: number; name: string }) => item.unit_price),
        [2.5, 19.99],
      )
      assert.equal(items.json.data[0].name, 'Kettle')
    })
    test('of an empty cart is rejected', async () => {
      const buyer = await shop.signInAs('customer')
      assert.equal((await order(buyer)).json.error_code, '4091')
    })
    test('names each short item and takes no stock', async () => {
      const buyer = await shop.signInAs('customer')
      const { id: plenty } = await shop.addProduct({ stock: 10 })
      const { id: short } = await shop.addProduct({ stock: 1 })
      const rejected = await order(buyer, {
        items: [
          { product_id: plenty, quantity: 1 },
          { product_id: short, quantity: 2 },
        ],
      })
      assert.equal(rejected.status, 409)
      assert.equal(rejected.json.error_code, '4093')
      assert.deepEqual(
        rejected.json.errors.map(({ field }: { field: string }) => field),
        ['items[1].quantity'],
      )
      assert.equal(await stockOf(plenty), 10)
      assert.equal(await stockOf(short), 1)
    })
    test('that fails leaves the cart as it was', async () => {
      const buyer = await shop.signInAs('customer')
      const { id: product_id } = await shop.addProduct({ stock: 2 })
      await buyer.request('POST', '/cart', { product_id, quantity: 2 })
      await admin.request('PATCH', `/products/${product_id}`, { stock: 1 })
      assert.equal((await order(buyer)).json.error_code, '4093')
      const cart = await buyer.request('GET', `/users/${buyer.id}/cart`)
      assert.equal(cart.json.item_count, 2)
    })
    test('with another expected total takes no stock', async () => {
      const buyer = await shop.signInAs('customer')
      const { id: product_id } = await shop.addProduct({ price: 10, stock: 5 })
      const items = [{ product_id, quantity: 1 }]
      const rejected = await order(buyer, { items, expected_total: 10 })
      assert.equal(rejected.status, 409)
      assert.equal(await stockOf(product_id), 5)
      assert.equal((await order(buyer, { items, expected_total: 15 })).status, 201)
    })
    test('validates each line', async () => {
      const buyer = await shop.signInAs('customer')
      assert.equal((await order(buyer, { items: [] })).status, 422)
      assert.equal((await order(buyer, { items: [{ quantity: 1 }] })).json.error_code, '4001')
      const unknown = await order(buyer, { items: [{ product_id: 999_999, quantity: 1 }] })
      assert.equal(unknown.json.error_code, '4221')
      const shipping = { method: 'Pigeon Post', address: { country: 'Narnia', planet: 'x' } }
      assert.equal((await order(buyer, { shipping })).json.errors.length, 3)
      const nowhere = await order(buyer, { shipping: { address: { country: 'ZZ' } } })
      assert.equal(nowhere.json.errors[0].field, 'shipping.address.country')
    })
    test('takes pieces that it returns as taken, also after a recount', async () => {
      const buyer = await shop.signInAs('customer')
      const { id: counted } = await shop.addProduct({ stock: 10 })
      const { id: uncounted } = await shop.addProduct()
      const items = [counted, uncounted].map((product_id) => ({ product_id, quantity: 4 }))
      const setStock = (id: number, stock: number | null) =>
        admin.request('PATCH', `/products/${id}`, { stock })
      const placed = await order(buyer, { items })
      await setStock(counted, 20)
      await setStock(uncounted, 20)
      await move(buyer, placed.json.id, 'cancelled')
      assert.deepEqual([await stockOf(counted), await stockOf(uncounted)], [24, 20])
      const { json: again } = await order(buyer, { items })
      await setStock(counted, null)
      const path = `/users/${buyer.id}/orders/${again.id}`
      const replaced = await buyer.request('PUT', path, { items: items.slice(0, 1) })
      assert.equal(replaced.status, 200, replaced.text)
      assert.deepEqual([await stockOf(counted), await stockOf(uncounted)], [null, 20])
      await setStock(counted, 3)
      await move(buyer, again.id, 'cancelled')
      assert.deepEqual([await stockOf(counted), await stockOf(uncounted)], [3, 20])
    })
    test('of what was not counted puts nothing back when it is refunded', async () => {
      const buyer = await shop.signInAs('customer')
      const { id } = await shop.addProduct()
      const sold = await paid(buyer, id, 2)
      await admin.request('PATCH', `/products/${id}`, { stock: 5 })
      assert.equal((await move(admin, sold.id, 'cancelled')).json.cancel_reason, 'refunded')
      assert.equal(await stockOf(id), 5)
    })
    test('makes a sold-out product unavailable, and returned stock available again', async () => {
      const buyer = await shop.signInAs('customer')
      const { id: product_id } = await shop.addProduct({ stock: 2 })
      const placed = await order(buyer, { items: [{ product_id, quantity: 2 }] })
      const sold = await shop.request('GET', `/products/${product_id}`)
      assert.equal(sold.json.availability, 'out_of_stock')
      assert.equal(sold.json._links.add_to_cart, undefined)
      await move(buyer, placed.json.id, 'cancelled')
      const back = await shop.request('GET', `/products/${product_id}`)
      assert.equal(back.json.availability, 'in_stock')
      assert.equal(back.json.stock, 2)
      assert.ok(back.json._links.add_to_cart)
    })
    test('never sells more than the stock: 200 concurrent orders for 50 pieces', async () => {
      const buyer = await shop.signInAs('customer')
      const { id: product_id } = await shop.addProduct({ stock: 50 })
      const orders = Array.from({ length: 200 }, () =>
        order(buyer, { items: [{ product_id, quantity: 1 }] }),
      )
      const statuses = (await Promise.all(orders)).map(({ status }) => status)
      assert.equal(statuses.filter((status) => status === 201).length, 50)
      assert.equal(statuses.filter((status) => status === 409).length, 150)
      assert.equal(await stockOf(product_id), 0)
    })
    test('of several products in any order never deadlocks', async () => {
      const buyer = await shop.signInAs('customer')
      const one = (await shop.addProduct({ stock: 40 })).id
      const two = (await shop.addProduct({ stock: 40 })).id
      const lines = [one, two].map((product_id) => ({ product_id, quantity: 1 }))
      const orders = Array.from({ length: 40 }, (_, at) =>
        order(buyer, { items: at % 2 ? lines : lines.toReversed() }),
      )
      for (const { status, text } of await Promise.all(orders)) assert.equal(status, 201, text)
      assert.equal(await stockOf(one), 0)
      assert.equal(await stockOf(two), 0)
    })
    test('twice concurrently from one cart succeeds once', async () => {
      const buyer = await shop.signInAs('customer')
      const { id: product_id } = await shop.addProduct({ stock: 9 })
      await buyer.request('POST', '/cart', { product_id, quantity: 1 })
      const answers = await Promise.all([order(buyer), order(buyer), order(buyer)])
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409])
      assert.equal(await stockOf(product_id), 8)
    })
  })

  describe('reading orders', () => {
    test('embeds the requested resources and has links', async () => {
      const buyer = await shop.signInAs('customer')
      const { id } = await shop.addProduct()
      const placed = await paid(buyer, id)
      const plain = await buyer.request('GET', `/orders/${placed.id}`)
      assert.equal(plain.json.items, undefined)
      const full = await buyer.request('GET', `/orders/${placed.id}?include=details`)
      assert.equal(full.json.items[0].product_id, id)
      assert.equal(full.json.shipping.method, 'standard')
      assert.equal(full.json.payments[0].status, 'succeeded')
      const bad = await buyer.request('GET', `/orders/${placed.id}?include=secrets`)
      assert.equal(bad.json.error_code, '4003')
      for (const { href, method } of Object.values(full.json._links) as {
        href: string
        method?: string
      }[]) {
        if (method === undefined) {
          assert.equal((await buyer.request('GET', href)).status, 200, href)
        }
      }
    })
    test('shows buyers their own orders, administrators all, others none', async () => {
      const buyer = await shop.signInAs('customer')
      const other = await shop.signInAs('customer')
      const { id: product_id } = await shop.addProduct()
      const { json } = await order(buyer, { items: [{ product_id, quantity: 1 }] })
      assert.equal((await shop.request('GET', '/orders')).status, 401)
      assert.equal((await buyer.request('GET', '/orders')).json.pagination.total_items, 1)
      assert.equal((await other.request('GET', '/orders')).json.pagination.total_items, 0)
      const all = await admin.request('GET', `/orders?user_id=${buyer.id}`)
      assert.equal(all.json.pagination.total_items, 1)
      assert.equal((await other.request('GET', `/orders?user_id=${buyer.id}`)).status, 403)
      for (const path of ['', '/items', '/shipping']) {
        assert.equal((await other.request('GET', `/orders/${json.id}${path}`)).status, 403)
        assert.equal((await other.request('GET', `/orders/999999${path}`)).status, 404)
      }
      const stolen = `/users/${other.id}/orders/${json.id}`
      assert.equal((await other.request('GET', stolen)).status, 404)
    })
    test('filters by status, and takes a constant number of statements', async () => {
      const buyer = await shop.signInAs('customer')
      const { id } = await shop.addProduct()
      await paid(buyer, id)
      const count = async () => {
        shop.takeCount()
        const url = `/users/${buyer.id}/orders?include=details`
        const { json } = await buyer.request('GET', url)
        return [json.pagination.total_items, shop.takeCount()]
      }
      const [one, before] = await count()
      await paid(buyer, id)
      await order(buyer, { items: [{ product_id: id, quantity: 1 }] })
      assert.deepEqual(await count(), [Number(one) + 2, before])
      const pending = await buyer.request('GET', '/orders?status=pending')
      assert.equal(pending.json.pagination.total_items, 1)
      assert.equal((await buyer.request('GET', '/orders?status=lost')).json.error_code, '4003')
    })
  })

  describe('changing an order', () => {
    test('replaces items, shipping and note while it is pending', async () => {
      const buyer = await shop.signInAs('customer')
      const { id: one } = await shop.addProduct({ stock: 5, price: 1 })
      const { id: two } = await shop.addProduct({ stock: 5, price: 2 })
      const placed = await order(buyer, { items: [{ product_id: one, quantity: 5 }], note: 'hi' })
      const at = `/users/${buyer.id}/orders/${placed.json.id}`
      const read = await buyer.request('GET', `${at}?include=details`)
      const same = await buyer.request('PUT', at, read.json)
      assert.equal(same.status, 200, same.text)
      assert.equal(same.json.total, placed.json.total)
      assert.equal(same.json.note, 'hi')
      const items = [{ product_id: two, quantity: 3 }]
      const changed = await buyer.request('PUT', at, { items, shipping: { method: 'pickup' } })
      assert.equal(changed.json.total, 6)
      assert.equal(changed.json.note, null)
      assert.equal(await stockOf(one), 5)
      assert.equal(await stockOf(two), 2)
    })
    test('to a shipping method with which the total exceeds the largest amount is rejected', async () => {
      const buyer = await shop.signInAs('customer')
      const { id: product_id } = await shop.addProduct({ price: 999_999_999_994 })
      const { json } = await order(buyer, { items: [{ product_id, quantity: 1 }] })
      assert.equal(json.total, 999_999_999_999)
      const at = `/users/${buyer.id}/orders/${json.id}`
      const express = { method: 'express' }
      for (const version of ['v1', 'v2']) {
        const put = await buyer.request('PUT', `/${version}${at}`, { shipping: express })
        assert.deepEqual([put.status, put.json.error_code], [409, '4091'])
        const ship = await buyer.request('PUT', `/${version}/orders/${json.id}/shipping`, express)
        assert.deepEqual([ship.status, ship.json.error_code], [409, '4091'])
      }
      assert.equal((await buyer.request('GET', at)).json.total, 999_999_999_999)
    })
    test('is rejected once it is paid', async () => {
      const buyer = await shop.signInAs('customer')
      const { id } = await shop.addProduct()
      const { id: orderId } = await paid(buyer, id)
      const at = `/users/${buyer.id}/orders/${orderId}`
      assert.equal((await buyer.request('PUT', at, { note: 'x' })).json.error_code, '4091')
      assert.equal((await buyer.request('DELETE', at)).json.error_code, '4091')
      assert.equal((await move(buyer, orderId, 'cancelled')).status, 403)
    })
    test('with an outdated ETag is rejected', async () => {
      const buyer = await shop.signInAs('customer')
      const { id: product_id } = await shop.addProduct()
      const placed = await order(buyer, { items: [{ product_id, quantity: 1 }] })
      const at = `/users/${buyer.id}/orders/${placed.json.id}`
      const etag = { 'if-match': String(placed.headers['etag']) }
      assert.equal((await buyer.request('PATCH', at, { note: 'one' }, etag)).status, 200)
      assert.equal((await buyer.request('PATCH', at, { note: 'two' }, etag)).status, 412)
    })
    test('never removes it once money was taken, and shows no link for it', async () => {
      const buyer = await shop.signInAs('customer')
      const { id } = await shop.addProduct()
      const { id: orderId } = await paid(buyer, id)
      const at = `/users/${buyer.id}/orders/${orderId}`
      assert.equal((await move(admin, orderId, 'cancelled')).json.status, 'cancelled')
      for (const caller of [buyer, admin]) {
        for (const version of ['v1', 'v2']) {
          const removal = await caller.request('DELETE', `/${version}${at}`)
          assert.deepEqual([removal.status, removal.json.error_code], [409, '4091'])
          const read = await caller.request('GET', `/${version}${at}`)
          assert.deepEqual([read.status, read.json._links.delete], [200, undefined])
        }
      }
    })
    test('removes one that was cancelled unpaid, as its link says', async () => {
      const buyer = await shop.signInAs('customer')
      const { id: product_id } = await shop.addProduct()
      const { json } = await order(buyer, { items: [{ product_id, quantity: 1 }] })
      const cancelled = await move(buyer, json.id, 'cancelled')
      const { href, method } = cancelled.json._links.delete
      assert.equal((await buyer.request(method, href)).status, 204)
    })
    test('does not remove a cancelled one whose late payment is being returned', async () => {
      const buyer = await shop.signInAs('customer')
      const { id: product_id } = await shop.addProduct()
      const { json } = await order(buyer, { items: [{ product_id, quantity: 1 }] })
      await move(buyer, json.id, 'cancelled')
      const late = { status: 'failed', refunding: 1, due_at: 2 ** 48 } as const
      const row = { ...late, order_id: json.id, idempotency_key: `late-${json.id}`, method: 'card' }
      const payment = { ...row, amount: 1, currency: 'USD', provider: 'sandbox' }
      const times = { created_at: 1, updated_at: 1 }
      await shop.db
        .insertInto('payments')
        .values({ ...payment, ...times })
        .execute()
      const at = `/users/${buyer.id}/orders/${json.id}`
      assert.equal((await buyer.request('GET', at)).json._links.delete, undefined)
      assert.equal((await buyer.request('DELETE', at)).json.error_code, '4091')
    })
    test('removes it, returns its stock and answers 410 afterwards', async () => {
      const buyer = await shop.signInAs('customer')
      const { id: product_id } = await shop.addProduct({ stock: 5 })
      const { json } = await order(buyer, { items: [{ product_id, quantity: 2 }] })
      const at = `/users/${buyer.id}/orders/${json.id}`
      assert.equal((await buyer.request('DELETE', at)).status, 204)
      assert.equal((await buyer.request('DELETE', at)).status, 204)
      assert.equal((await buyer.request('GET', at)).status, 410)
      assert.equal((await buyer.request('GET', `/orders/${json.id}`)).status, 410)
      assert.equal(await stockOf(product_id), 5)
    })
  })

  describe('the status of an order', () => {
    test('goes from paid to shipped, delivered and refunded', async () => {
      const buyer = await shop.signInAs('customer')
      const { id } = await shop.addProduct({ stock: 5 })
      const { id: orderId } = await paid(buyer, id)
      assert.equal((await move(buyer, orderId, 'shipped')).status, 403)
      assert.equal((await move(admin, orderId, 'delivered')).status, 409)
      const shipped = await move(admin, orderId, 'shipped')
      assert.equal(shipped.json.status, 'shipped')
      assert.ok(shipped.json._links.deliver)
      const shipping = await buyer.request('GET', `/orders/${orderId}/shipping`)
      assert.equal(shipping.json.status, 'in_transit')
      assert.equal((await move(admin, orderId, 'shipped')).status, 200)
      assert.equal((await move(admin, orderId, 'delivered')).json.status, 'delivered')
      assert.equal(await shop.countCharges(orderId), 1)
      assert.equal((await move(admin, orderId, 'refunded')).json.status, 'refunded')
      assert.equal(await shop.countCharges(orderId), 0)
      assert.equal(await stockOf(id), 4)
    })
    test('becomes cancelled for a paid order: money and stock are returned', async () => {
      const buyer = await shop.signInAs('customer')
      const { id } = await shop.addProduct({ stock: 5 })
      const { id: orderId } = await paid(buyer, id, 2)
      const cancelled = await move(admin, orderId, 'cancelled')
      assert.equal(cancelled.json.status, 'cancelled', cancelled.text)
      assert.equal(await shop.countCharges(orderId), 0)
      assert.equal(await stockOf(id), 5)
      const order = await buyer.request('GET', `/orders/${orderId}?include=payments`)
      assert.equal(order.json.payments[0].status, 'refunded')
      const purchases = await buyer.request('GET', `/purchases?order_id=${orderId}`)
      assert.equal(purchases.json.pagination.total_items, 0)
    })
    test('cannot become paid by PATCH', async () => {
      const buyer = await shop.signInAs('customer')
      const { id: product_id } = await shop.addProduct()
      const { json } = await order(buyer, { items: [{ product_id, quantity: 1 }] })
      assert.equal((await move(admin, json.id, 'paid')).json.error_code, '4091')
    })
    test('becomes cancelled once after thirty unpaid minutes', async () => {
      const buyer = await shop.signInAs('customer')
      const { id: product_id } = await shop.addProduct({ stock: 5 })
      const { json } = await order(buyer, { items: [{ product_id, quantity: 3 }] })
      const then = shop.now
      shop.now = then + 30 * minuteMs
      const rounds = await Promise.all([1, 2, 3].map(() => runJobs(shop.parts, shop.db)))
      shop.now = then
      assert.ok(rounds.reduce((sum, { expired }) => sum + expired, 0) >= 1)
      const read = await buyer.request('GET', `/orders/${json.id}`)
      assert.equal(read.json.status, 'cancelled')
      assert.equal(await stockOf(product_id), 5)
    })
  })
})
