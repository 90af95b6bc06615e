import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { addProduct } from '#test/support/callers/paying.ts'
import { dayMs } from '#values/instant.ts'
import { maxLines, maxQuantity } from './schema.ts'

eachDatabase((kind) => {
  let shop: TestApp
  let admin: TestCaller
  before(async () => {
    shop = await startTestApp(kind)
    admin = await shop.signInAs('admin')
  })
  after(() => shop.dispose())

  describe('adding products to a cart', () => {
    test('creates a line with 201 and adds to it with 200', async () => {
      const { id: product_id } = await addProduct(admin)
      const { id, request } = await shop.signInAs('customer')
      const first = await request('POST', '/cart', { product_id, quantity: 2 })
      assert.equal(first.status, 201)
      assert.equal(first.headers['location'], `/users/${id}/cart/items/${first.json.id}`)
      assert.equal(first.json.line_total, 39.98)
      const second = await request('POST', `/users/${id}/cart/items`, { product_id, quantity: 3 })
      assert.equal(second.status, 200)
      assert.equal(second.json.quantity, 5)
      assert.equal(second.json.id, first.json.id)
      const read = await request('GET', String(first.headers['location']))
      assert.deepEqual(read.json, second.json)
    })
    test('is rejected for an unknown or discontinued product and above the stock', async () => {
      const { id: scarce } = await addProduct(admin, { stock: 3 })
      const { id: old } = await addProduct(admin, { availability: 'discontinued' })
      const { request } = await shop.signInAs('customer')
      const add = (product_id: number, quantity: number) =>
        request('POST', '/cart', { product_id, quantity })
      assert.equal((await add(999_999, 1)).json.error_code, '4221')
      assert.equal((await add(old, 1)).json.error_code, '4091')
      assert.equal((await add(scarce, 2)).status, 201)
      assert.equal((await add(scarce, 2)).json.error_code, '4093')
      assert.equal((await add(scarce, 1)).status, 200)
    })
    test('is limited to 999 units a line', async () => {
      const { id: product_id } = await addProduct(admin)
      const { request } = await shop.signInAs('customer')
      assert.equal((await request('POST', '/cart', { product_id, quantity: 1000 })).status, 422)
      assert.equal((await request('POST', '/cart', { product_id, quantity: 999 })).status, 201)
      assert.equal((await request('POST', '/cart', { product_id, quantity: 1 })).status, 409)
    })
    test('lists the missing fields with 400 and the invalid ones with 422', async () => {
      const { request } = await shop.signInAs('customer')
      const missing = await request('POST', '/cart', { quantity: 'two' })
      assert.equal(missing.status, 400)
      const fields = missing.json.errors.map(({ field }: { field: string }) => field)
      assert.deepEqual(fields.sort(), ['product_id', 'quantity'])
      const wrong = await request('POST', '/cart', { product_id: 1, quantity: 0, colour: 'red' })
      assert.equal(wrong.status, 422)
      assert.equal(wrong.json.errors.length, 2)
    })
    test('counts every concurrent addition', async () => {
      const { id: product_id } = await addProduct(admin)
      const { id, request } = await shop.signInAs('customer')
      const adds = Array.from({ length: 20 }, () =>
        request('POST', '/cart', { product_id, quantity: 1 }),
      )
      const statuses = (await Promise.all(adds)).map(({ status }) => status)
      assert.equal(statuses.filter((status) => status === 201).length, 1)
      const cart = await request('GET', `/users/${id}/cart`)
      assert.equal(cart.json.item_count, 20)
    })
    test('enforces the limits for concurrent additions', async () => {
      const { id: product_id } = await addProduct(admin)
      const { id, request } = await shop.signInAs('customer')
      await request('POST', '/cart', { product_id, quantity: maxQuantity - 5 })
      const pieces = await Promise.all(
        Array.from({ length: 6 }, () => request('POST', '/cart', { product_id, quantity: 3 })),
      )
      assert.equal(pieces.filter(({ status }) => status === 200).length, 1)
      assert.equal(pieces.filter(({ json }) => json.error_code === '4091').length, 5)
      const others = Array.from({ length: maxLines - 2 }, (_, at) => ({
        ...{ user_id: id, product_id: 1_000_000 + at, quantity: 1 },
        ...{ created_at: shop.now, updated_at: shop.now },
      }))
      await shop.db.insertInto('cart_items').values(others).execute()
      const products = await Promise.all(Array.from({ length: 6 }, () => addProduct(admin)))
      const lines = await Promise.all(
        products.map((product) =>
          request('POST', '/cart', { product_id: product.id, quantity: 1 }),
        ),
      )
      assert.equal(lines.filter(({ status }) => status === 201).length, 1)
      assert.equal(lines.filter(({ json }) => json.error_code === '4091').length, 5)
    })
    test('takes a constant number of statements', async () => {
      const { id: product_id } = await addProduct(admin)
      const { request } = await shop.signInAs('customer')
      for (const status of [201, 200, 200]) {
        shop.takeCount()
        const { status: actual } = await request('POST', '/cart', { product_id, quantity: 1 })
        assert.equal(actual, status)
        // One of them authenticates.
        assert.equal(shop.takeCount(), 4)
      }
    })
  })

  describe('a cart', () => {
    test('exists for every user, starts empty and has exact sums', async () => {
      const { id, request } = await shop.signInAs('customer')
      const empty = await request('GET', `/users/${id}/cart`)
      assert.equal(empty.status, 200)
      assert.equal(empty.json.status, 'empty')
      assert.deepEqual(empty.json.items, [])
      assert.equal(empty.json._links.checkout, undefined)
      const { id: product_id } = await addProduct(admin, { price: 0.1 })
      await request('POST', '/cart', { product_id, quantity: 3 })
      const { json } = await request('GET', `/users/${id}/cart`)
      assert.equal(json.subtotal, 0.3)
      assert.equal(json.status, 'active')
      assert.equal(json.items[0].product_id, product_id)
      assert.equal(json.items[0]._links.self.href, `/users/${id}/cart/items/${json.items[0].id}`)
      assert.equal(json._links.checkout.method, 'POST')
    })
    test('is emptied by DELETE, which is idempotent', async () => {
      const { id: product_id } = await addProduct(admin)
      const { id, request } = await shop.signInAs('customer')
      await request('POST', '/cart', { product_id, quantity: 1 })
      assert.equal((await request('DELETE', `/users/${id}/cart`)).status, 204)
      assert.equal((await request('DELETE', `/users/${id}/cart`)).status, 204)
      assert.equal((await request('GET', `/users/${id}/cart`)).json.item_count, 0)
    })
    test('has a new ETag when a price in it changes', async () => {
      const product = await addProduct(admin)
      const { id, request } = await shop.signInAs('customer')
      await request('POST', '/cart', { product_id: product.id, quantity: 1 })
      const first = await request('GET', `/users/${id}/cart`)
      const again = await request('GET', `/users/${id}/cart`, undefined, {
        'if-none-match': String(first.headers['etag']),
      })
      assert.equal(again.status, 304)
      await admin.request('PATCH', `/products/${product.id}`, { price: 5 })
      const changed = await request('GET', `/users/${id}/cart`, undefined, {
        'if-none-match': String(first.headers['etag']),
      })
      assert.equal(changed.status, 200)
      assert.equal(changed.json.subtotal, 5)
    })
    test('is accessible to its user and administrators only', async () => {
      const { id } = await shop.signInAs('customer')
      const other = await shop.signInAs('customer')
      assert.equal((await shop.request('GET', `/users/${id}/cart`)).status, 401)
      assert.equal((await other.request('GET', `/users/${id}/cart`)).status, 403)
      assert.equal((await other.request('GET', '/users/999999/cart')).status, 403)
      assert.equal((await admin.request('GET', `/users/${id}/cart`)).status, 200)
      assert.equal((await admin.request('GET', '/users/999999/cart')).status, 404)
    })
    test('is read with a constant number of statements', async () => {
      const { id, request } = await shop.signInAs('customer')
      const count = async () => {
        shop.takeCount()
        await request('GET', `/users/${id}/cart`)
        return shop.takeCount()
      }
      const empty = await count()
      for (let line = 0; line < 3; line++) {
        const { id: product_id } = await addProduct(admin)
        await request('POST', '/cart', { product_id, quantity: 1 })
      }
      assert.equal(await count(), empty)
      assert.ok(empty <= 2)
    })
  })

  describe('an item of a cart', () => {
    test('changes its quantity within the stock and can be removed', async () => {
      const { id: product_id } = await addProduct(admin, { stock: 5 })
      const { id, request } = await shop.signInAs('customer')
      const { json } = await request('POST', '/cart', { product_id, quantity: 1 })
      const at = `/users/${id}/cart/items/${json.id}`
      assert.equal((await request('PATCH', at, { quantity: 5 })).json.quantity, 5)
      assert.equal((await request('PATCH', at, { quantity: 6 })).json.error_code, '4093')
      const changes = [2, 3, 4, 5].map((quantity) => request('PATCH', at, { quantity }))
      for (const { status } of await Promise.all(changes)) assert.equal(status, 200)
      assert.equal((await request('PATCH', at, { quantity: 5 })).status, 200)
      assert.equal((await request('GET', at)).json.quantity, 5)
      const list = await request('GET', `/users/${id}/cart/items`)
      assert.equal(list.json.pagination.total_items, 1)
      assert.equal((await request('DELETE', at)).status, 204)
      assert.equal((await request('GET', at)).status, 404)
    })
    test('is not found in the cart of another user', async () => {
      const { id: product_id } = await addProduct(admin)
      const { request } = await shop.signInAs('customer')
      const { json } = await request('POST', '/cart', { product_id, quantity: 1 })
      const other = await shop.signInAs('customer')
      const path = `/users/${other.id}/cart/items/${json.id}`
      assert.equal((await other.request('GET', path)).status, 404)
      assert.equal((await other.request('DELETE', path)).status, 404)
    })
  })

  test('the status lists the problems that prevent an order', async () => {
    const { id: product_id } = await addProduct(admin, { stock: 2 })
    const { id, request } = await shop.signInAs('customer')
    const status = async () => (await request('GET', `/users/${id}/cart/status`)).json
    assert.deepEqual((await status()).checkout_ready, false)
    const { json } = await request('POST', '/cart', { product_id, quantity: 2 })
    assert.equal((await status()).checkout_ready, true)
    await admin.request('PATCH', `/products/${product_id}`, { stock: 1 })
    const short = await status()
    assert.equal(short.checkout_ready, false)
    assert.equal(short.problems[0].item_id, json.id)
    assert.equal(short.problems[0].code, 'insufficient_stock')
  })
  test('the checkout link names a shipping method that is active, if there is one', async () => {
    const { id: product_id } = await addProduct(admin)
    const { id, request } = await shop.signInAs('customer')
    await request('POST', '/cart', { product_id, quantity: 1 })
    const { json: methods } = await admin.request('GET', '/shipping-methods')
    const activate = async (codes: readonly string[]) => {
      for (const method of methods.data) {
        const changes = { active: codes.includes(method.code) }
        await admin.request('PATCH', `/shipping-methods/${method.id}`, changes)
      }
      const { headers, json } = await request('GET', `/users/${id}/cart`)
      return { etag: headers['etag'], checkout: json._links.checkout }
    }
    const first = await activate(['standard', 'express', 'pickup'])
    assert.equal(first.checkout.body.shipping.method, 'standard')
    const second = await activate(['express', 'pickup'])
    assert.equal(second.checkout.body.shipping.method, 'express')
    assert.notEqual(second.etag, first.etag)
    assert.equal((await activate([])).checkout, undefined)
    const status = await request('GET', `/users/${id}/cart/status`)
    assert.equal(status.json.checkout_ready, false)
    const { checkout } = await activate(['pickup'])
    assert.equal((await request('POST', checkout.href, checkout.body)).status, 201)
    await activate(['standard', 'express', 'pickup'])
  })
  test('the status lists items that cost too much for one order', async () => {
    const { id: product_id } = await addProduct(admin, { price: 999_999_999_999 })
    const { id, request } = await shop.signInAs('customer')
    const status = async () => (await request('GET', `/users/${id}/cart/status`)).json
    const { json } = await request('POST', '/cart', { product_id, quantity: 1 })
    assert.equal((await status()).checkout_ready, true)
    await request('PATCH', `/users/${id}/cart/items/${json.id}`, { quantity: 2 })
    const { checkout_ready, problems, _links } = await status()
    assert.deepEqual([checkout_ready, _links.checkout], [false, undefined])
    const ordered = await request('POST', '/orders', { shipping: { method: 'pickup' } })
    const [{ item_id, code, message }] = problems
    assert.deepEqual([item_id, code], [null, 'total_too_large'])
    assert.deepEqual([ordered.status, ordered.json.details], [409, message])
  })
  test('a cart is abandoned 24 hours after its last change', async () => {
    const { id: product_id } = await addProduct(admin)
    const { id, request } = await shop.signInAs('customer')
    const then = shop.now
    shop.now = then - dayMs
    await request('POST', '/cart', { product_id, quantity: 1 })
    shop.now = then
    assert.equal((await request('GET', `/users/${id}/cart/status`)).json.status, 'abandoned')
  })
})
