import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createDeliveries } from '#shop/messages/webhooks/delivery/fan-out.ts'
import {
  eachDatabase,
  startTestApp,
  type TestApp,
  type TestCaller,
  type TestRequest,
} from '#test/support/app.ts'
import { scopedCaller } from '#test/support/callers/narrow-caller.ts'

const hidden = ['draft', 'archived'] as const
const delivery = { recipient: 'Ada', address: { line1: '1', city: 'Wien', country: 'AT' } }

eachDatabase((kind) => {
  describe('the status of a product', () => {
    let shop: TestApp
    let admin: TestCaller
    let buyer: TestCaller
    let narrow: TestRequest
    before(async () => {
      shop = await startTestApp(kind)
      admin = await shop.signInAs('admin')
      narrow = await scopedCaller(shop, admin, ['events:read', 'webhooks:write'])
    })
    beforeEach(async () => {
      buyer = await shop.signInAs('customer')
    })
    after(() => shop.dispose())

    const send = async (method: string, path: string, body: object, expected = 200) => {
      const { status, json, text } = await admin.request(method, path, body)
      assert.equal(status, expected, `${path}: ${text}`)
      return json
    }
    const add = (fields: object = {}) =>
      send('POST', '/products', { name: 'Kettle', price: 20, stock: 5, ...fields }, 201)
    const change = (id: number, fields: object) => send('PATCH', `/products/${id}`, fields)
    /** A product with two variants. */
    const addParent = async () => {
      const parent = await add({ stock: null })
      const variant = (size: string, price: number) =>
        add({ variant_of: parent.id, options: { size }, price })
      return { parent, small: await variant('s', 10), large: await variant('l', 30) }
    }

    test('is active by default, shown in both versions and in XML, and restored by null', async () => {
      const { id, status } = await add()
      assert.equal(status, 'active')
      assert.equal((await change(id, { status: 'archived' })).status, 'archived')
      assert.equal((await admin.request('GET', `/v2/products/${id}`)).json.status, 'archived')
      const xml = await admin.request('GET', `/products/${id}`, undefined, {
        accept: 'application/xml',
      })
      assert.match(xml.text, /<status>archived<\/status>/)
      assert.equal((await change(id, { status: null })).status, 'active')
      const { json } = await admin.request('PATCH', `/products/${id}`, { status: 'hidden' })
      assert.deepEqual([json.error_code, json.errors[0].field], ['4221', 'status'])
    })

    test('filters the lists of administrators, whose lists have all without it', async () => {
      const brand = `Filtered ${kind}`
      const ids = new Map<string, number>()
      for (const status of ['active', ...hidden]) {
        ids.set(status, (await add({ status, brand })).id)
      }
      const found = async (query: string, as: { request: TestRequest } = admin) => {
        const { json } = await as.request('GET', `/products?brand=${brand}${query}`)
        return json.data.map(({ id }: { id: number }) => id)
      }
      assert.deepEqual(await found(''), [...ids.values()])
      for (const [status, id] of ids) assert.deepEqual(await found(`&status=${status}`), [id])
      const others = [ids.get('draft'), ids.get('archived')]
      assert.deepEqual(await found('&status=draft,archived'), others)
      assert.deepEqual(
        await found('&status=draft,archived&sort=price&order=desc'),
        others.reverse(),
      )
      assert.deepEqual(await found('', buyer), [ids.get('active')])
      assert.deepEqual(await found('&status=active', buyer), [ids.get('active')])
      assert.deepEqual(await found('&status=draft', buyer), [])
      const all = await buyer.request('GET', '/products?status=draft&q=kettle&facets=category')
      assert.deepEqual([all.json.data, all.json.facets], [[], { category: [] }])
      assert.deepEqual((await buyer.request('GET', '/products?status=draft')).json.data, [])
    })

    test('hidden answers 404 also to who has its ETag, and to writers with it 304', async () => {
      const { id } = await add()
      const { headers } = await shop.request('GET', `/products/${id}`)
      for (const status of hidden) {
        await change(id, { status })
        const own = await admin.request('GET', `/products/${id}`)
        assert.match(own.headers['cache-control'] ?? '', /^private/)
        for (const etag of [headers['etag'], own.headers['etag'], '*']) {
          const condition = { 'if-none-match': etag ?? '' }
          const refused = await shop.request('GET', `/products/${id}`, undefined, condition)
          assert.deepEqual([refused.status, refused.json.error_code], [404, '4041'])
        }
        const condition = { 'if-none-match': own.headers['etag'] ?? '' }
        assert.equal(
          (await admin.request('GET', `/products/${id}`, undefined, condition)).status,
          304,
        )
      }
      await send('DELETE', `/products/${id}`, {}, 204)
      assert.equal((await shop.request('GET', `/products/${id}`)).status, 404)
      assert.equal((await admin.request('GET', `/products/${id}`)).status, 410)
    })

    test('hidden cannot be bought by anybody, and in a cart is as one that was removed', async () => {
      for (const [status, isOfParent] of hidden.flatMap((each) =>
        [false, true].map((isOf) => [each, isOf] as const),
      )) {
        const { parent, small } = await addParent()
        const id = isOfParent ? small.id : (await add()).id
        for (const who of [buyer, admin]) {
          const items = [{ product_id: id, quantity: 1 }]
          const cart = `/users/${who.id}/cart/items`
          const orders = `/users/${who.id}/orders`
          const added = await who.request('POST', cart, items[0])
          assert.equal(added.status, 201, added.text)
          const line = `${cart}/${added.json.id}`
          const { status: placed, json: order } = await who.request('POST', orders, {
            items,
            shipping: delivery,
          })
          assert.equal(placed, 201)
          const before = await who.request('GET', `/orders/${order.id}/items`)
          const [orderItem] = before.json.data
          await change(isOfParent ? parent.id : id, { status })
          const about = `${status} ${isOfParent} ${who === admin}`
          for (const [path, body] of [
            [cart, items[0]],
            [orders, { items, shipping: delivery }],
          ] as const) {
            const { status: code, json } = await who.request('POST', path, body)
            assert.deepEqual([code, json.error_code], [422, '4221'], `${about} ${path}`)
          }
          const { json: state } = await who.request('GET', `/users/${who.id}/cart/status`)
          assert.equal(state.problems[0].code, 'unavailable', about)
          const more = await who.request('PATCH', line, { quantity: 2 })
          assert.deepEqual([more.status, more.json.error_code], [409, '4091'], about)
          const checkout = await who.request('POST', orders, { shipping: delivery })
          assert.deepEqual([checkout.status, checkout.json.error_code], [409, '4093'], about)
          assert.match(checkout.json.errors[0].message, /^Kettle /)
          // The line of the order stays, without a link that leads nowhere.
          const path = `/orders/${order.id}/items/${orderItem.id}`
          const after = await who.request('GET', path)
          assert.equal(after.json.name, 'Kettle')
          const links = [
            (await who.request('GET', line)).json._links.product,
            after.json._links.product,
          ]
          assert.deepEqual(links.map(Boolean), [who === admin, who === admin], about)
          await change(isOfParent ? parent.id : id, { status: 'active' })
          assert.ok((await who.request('GET', path)).json._links.product)
          await who.request('DELETE', `/users/${who.id}/cart`)
        }
      }
    })

    test('of a variant counts for its parent, and that of the parent for its variants', async () => {
      const { parent, small, large } = await addParent()
      const read = async () => (await shop.request('GET', `/products/${parent.id}`)).json
      const listed = async () => {
        const { json } = await shop.request('GET', `/products/${parent.id}/variants`)
        return json.data.map(({ id }: { id: number }) => id)
      }
      assert.deepEqual([(await read()).price_from, await listed()], [10, [small.id, large.id]])
      await change(small.id, { status: 'draft' })
      assert.deepEqual([(await read()).price_from, await listed()], [30, [large.id]])
      await change(large.id, { status: 'archived' })
      const { price_from, availability } = await read()
      assert.deepEqual([price_from, availability, await listed()], [null, 'out_of_stock', []])
      await change(parent.id, { status: 'draft' })
      await change(large.id, { status: 'active' })
      assert.equal((await shop.request('GET', `/products/${large.id}`)).status, 404)
      const added = await add({ variant_of: parent.id, options: { size: 'xl' } })
      assert.equal((await shop.request('GET', `/products/${added.id}`)).status, 404)
      await change(added.id, { variant_of: null })
      assert.equal((await shop.request('GET', `/products/${added.id}`)).status, 200)
      await change(parent.id, { status: 'active' })
      assert.deepEqual(await listed(), [large.id])
    })

    test('tells who does not see it by events that it was deleted, and others that it changed', async () => {
      const start = (await admin.request('GET', '/events?limit=1000')).json.pagination.next_cursor
      const { id: webhookId } = (
        await narrow('POST', '/webhooks', { url: 'https://example.com/a', types: ['product.*'] })
      ).json
      const { id: whole } = await send(
        'POST',
        '/webhooks',
        { url: 'https://example.com/b', types: ['product.*'] },
        201,
      )
      const { parent, small } = await addParent()
      await change(parent.id, { status: 'draft' })
      await change(parent.id, { name: 'A secret' })
      await change(parent.id, { status: 'active' })
      const draft = await add({ status: 'draft' })
      await send('DELETE', `/products/${draft.id}`, {}, 204)
      const seen = async (request: TestRequest) => {
        const { json } = await request('GET', `/events?limit=1000&cursor=${start}`)
        return json.data as { id: string; type: string; subject: string; data: { name: string } }[]
      }
      const about = (events: readonly { type: string; subject: string }[], id: number) =>
        events.filter(({ subject }) => subject === `/products/${id}`).map(({ type }) => type)
      const [own, public_] = [await seen(admin.request), await seen(narrow)]
      assert.deepEqual(about(own, parent.id).slice(-3), Array(3).fill('product.updated'))
      assert.deepEqual(about(public_, parent.id).slice(-2), ['product.deleted', 'product.created'])
      assert.deepEqual(about(own, small.id), ['product.created'])
      assert.deepEqual(about(public_, small.id), [
        ...['product.created', 'product.deleted', 'product.created'],
      ])
      assert.deepEqual(about(own, draft.id), ['product.created', 'product.deleted'])
      assert.deepEqual(about(public_, draft.id), [])
      const secret = own.find(
        ({ type, data }) => type === 'product.updated' && data.name === 'A secret',
      )
      assert.ok(secret)
      assert.equal((await narrow('GET', `/events/${secret.id}`)).status, 404)
      assert.equal((await admin.request('GET', `/events/${secret.id}`)).status, 200)
      const gets = { [webhookId]: public_, [whole]: own }
      await createDeliveries(shop.store.transaction, shop.db, () => shop.now)
      for (const [webhook, events] of Object.entries(gets)) {
        const { json } = await admin.request('GET', `/webhooks/${webhook}/deliveries?limit=100`)
        const ids = json.data.map(({ event_id }: { event_id: string }) => event_id)
        assert.deepEqual(ids.sort(), events.map(({ id }) => id).sort())
      }
      const edit = await narrow('PATCH', `/webhooks/${whole}`, { url: 'https://example.com/c' })
      assert.deepEqual([edit.status, edit.json.error_code], [403, '4033'])
    })
  })
})
