import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'

const shipping = { recipient: 'Ada', address: { line1: '1', city: 'Wien', country: 'AT' } }

eachDatabase((kind) => {
  describe('a product on backorder', () => {
    let shop: TestApp
    let admin: TestCaller
    before(async () => {
      shop = await startTestApp(kind)
      admin = await shop.signInAs('admin')
    })
    after(() => shop.dispose())

    const add = async (fields: object) => {
      const body = { name: 'Kettle', price: 20, ...fields }
      const { status, json, text } = await admin.request('POST', '/products', body)
      assert.equal(status, 201, text)
      return json
    }
    const change = (id: number, fields: object) => admin.request('PATCH', `/products/${id}`, fields)
    const state = async (id: number) => {
      const { json } = await shop.request('GET', `/products/${id}`)
      return [json.stock, json.availability]
    }
    const order = (product_id: number, quantity: number, by: TestCaller = admin) =>
      by.request('POST', `/users/${by.id}/orders`, { items: [{ product_id, quantity }], shipping })
    const cancel = async (id: number) =>
      assert.equal(
        (await admin.request('PATCH', `/orders/${id}`, { status: 'cancelled' })).status,
        200,
      )

    test('is bought at stock 0, which goes below, and returns what was taken', async () => {
      const { id, availability } = await add({ stock: 0, backorder: true })
      assert.equal(availability, 'backorder')
      const first = await order(id, 2)
      assert.equal(first.status, 201, first.text)
      assert.deepEqual(await state(id), [-2, 'backorder'])
      const second = await order(id, 3)
      assert.deepEqual(await state(id), [-5, 'backorder'])
      await cancel(first.json.id)
      assert.deepEqual(await state(id), [-3, 'backorder'])
      await change(id, { stock: 1 })
      assert.deepEqual(await state(id), [1, 'in_stock'])
      const last = await order(id, 4)
      assert.equal(last.status, 201, last.text)
      assert.deepEqual(await state(id), [-3, 'backorder'])
      await cancel(last.json.id)
      assert.deepEqual(await state(id), [1, 'in_stock'])
      await cancel(second.json.id)
      assert.deepEqual(await state(id), [4, 'in_stock'])
    })

    test('can be put into a cart and ordered from there', async () => {
      const { id } = await add({ stock: 1, backorder: true })
      const buyer = await shop.signInAs('customer')
      const item = { product_id: id, quantity: 5 }
      const added = await buyer.request('POST', `/users/${buyer.id}/cart/items`, item)
      assert.equal(added.status, 201, added.text)
      const { json } = await buyer.request('GET', `/users/${buyer.id}/cart/status`)
      assert.deepEqual(json.problems, [])
      const placed = await buyer.request('POST', `/users/${buyer.id}/orders`, { shipping })
      assert.equal(placed.status, 201, placed.text)
      assert.deepEqual(await state(id), [-4, 'backorder'])
    })

    test('turned off below 0 is out of stock, until more than what is owed has come', async () => {
      const { id } = await add({ stock: -3, backorder: true })
      assert.deepEqual(await state(id), [-3, 'backorder'])
      assert.equal((await change(id, { backorder: false })).status, 200)
      assert.deepEqual(await state(id), [-3, 'out_of_stock'])
      const refused = await order(id, 1)
      assert.deepEqual([refused.status, refused.json.error_code], [409, '4093'])
      assert.equal((await change(id, { name: 'Pot' })).status, 200)
      const { json } = await admin.request('GET', `/products/${id}`)
      assert.equal((await admin.request('PUT', `/products/${id}`, json)).status, 200)
      assert.deepEqual(await state(id), [-3, 'out_of_stock'])
      await change(id, { stock: 2 })
      assert.deepEqual(await state(id), [2, 'in_stock'])
    })

    test('alone may have a stock below 0', async () => {
      const { id } = await add({ stock: 1 })
      for (const fields of [{ stock: -1 }, { stock: -1, availability: 'preorder' }]) {
        const { status, json } = await change(id, fields)
        assert.deepEqual([status, json.error_code, json.errors[0].field], [422, '4221', 'stock'])
      }
      assert.equal((await change(id, { stock: -1, backorder: true })).status, 200)
      const body = { name: 'Pan', price: 1, stock: -1 }
      assert.equal((await admin.request('POST', '/products', body)).json.error_code, '4221')
    })

    for (const [backorder, placed, stock, availability] of [
      [true, 8, -5, 'backorder'],
      [false, 3, 0, 'out_of_stock'],
    ] as const) {
      test(`sells ${placed} to eight buyers at once with backorder ${backorder}`, async () => {
        const { id } = await add({ stock: 3, backorder })
        const buyers = await Promise.all(Array.from({ length: 8 }, () => shop.signInAs('customer')))
        const answers = await Promise.all(buyers.map((buyer) => order(id, 1, buyer)))
        const count = answers.filter(({ status }) => status === 201).length
        assert.deepEqual([count, ...(await state(id))], [placed, stock, availability])
        const refused = answers.filter(({ status }) => status !== 201)
        for (const { json } of refused) assert.equal(json.error_code, '4093')
      })
    }

    test('is a value of the filter and the facet, and counts for the parent', async () => {
      const parent = await add({ category: `Backorder ${kind}` })
      const variant = await add({
        ...{ variant_of: parent.id, options: { size: 's' }, stock: 1, backorder: true },
      })
      await add({ variant_of: parent.id, options: { size: 'm' }, stock: 0 })
      assert.equal((await order(variant.id, 1)).status, 201)
      assert.deepEqual(await state(variant.id), [0, 'backorder'])
      assert.deepEqual(await state(parent.id), [null, 'backorder'])
      const query = `category=Backorder%20${kind}&availability=backorder&facets=availability`
      const { json } = await shop.request('GET', `/products?${query}`)
      assert.deepEqual(
        [json.data.map(({ id }: { id: number }) => id), json.facets.availability],
        [[parent.id], [{ value: 'backorder', count: 1 }]],
      )
    })
  })
})
