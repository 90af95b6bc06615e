import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { findWrongCounts } from '#test/support/counts.ts'

eachDatabase((kind) => {
  describe('categories', () => {
    let shop: TestApp
    let admin: TestCaller
    before(async () => {
      shop = await startTestApp(kind)
      admin = await shop.signInAs('admin')
    })
    after(() => shop.dispose())

    const add = async (name: string, fields: object = {}) => {
      const { status, json } = await admin.request('POST', '/categories', { name, ...fields })
      assert.equal(status, 201, JSON.stringify(json))
      return json
    }
    const addProduct = async (category: string, fields: object = {}) =>
      (await admin.request('POST', '/products', { name: 'Thing', price: 5, category, ...fields }))
        .json
    const change = (id: number, fields: object) =>
      admin.request('PATCH', `/categories/${id}`, fields)
    const read = (id: number) => shop.request('GET', `/categories/${id}`)
    const codeOf = ({ status, json }: Awaited<ReturnType<typeof change>>) => [
      status,
      json.error_code,
    ]
    const found = async (query: string) =>
      (await shop.request('GET', `/products?limit=100&${query}`)).json.data.map(
        ({ id }: { readonly id: number }) => id,
      )

    test('form a tree with paths and the numbers of products below', async () => {
      const home = await add('Home', { position: 3, description: 'For the house.' })
      const kitchen = await add('Kitchen', { parent_id: home.id })
      const pans = await add('Pans', { parent_id: kitchen.id, handle: 'frying' })
      assert.deepEqual([home.handle, kitchen.handle, pans.handle], ['home', 'kitchen', 'frying'])
      const { id } = await addProduct('pans')
      const { id: draft } = await addProduct('Kitchen', { status: 'draft' })
      await addProduct('Home')
      const stored = await read(pans.id)
      assert.deepEqual(stored.json.path, ['Home', 'Kitchen', 'Pans'])
      assert.equal((await read(home.id)).json.product_count, 2)
      assert.deepEqual(await found('category=kitchen'), [id])
      assert.deepEqual(await found('category=frying'), [id])
      assert.equal((await found('category=HOME')).length, 2)
      assert.deepEqual(await found('category=home&q=thing&sort=price&category=frying'), [
        ...(await found('category=home&sort=price')),
      ])
      const { json } = await admin.request('GET', '/products?category=home&facets=category')
      assert.deepEqual(json.facets.category[0].count, 1)
      assert.ok(json.data.some((each: { id: number }) => each.id === draft))
      const below = await shop.request('GET', `/categories?parent_id=${home.id}`)
      assert.deepEqual(
        below.json.data.map((each: { name: string }) => each.name),
        ['Kitchen'],
      )
      const roots = await shop.request(
        'GET',
        '/categories?is_root=true&sort=product_count&order=desc',
      )
      assert.equal(roots.json.data[0].name, 'Home')
      const byHandle = await shop.request('GET', '/categories?handle=frying')
      assert.equal(byHandle.json.data[0].id, pans.id)
    })

    test('change their ETag with the names above and with the products', async () => {
      const top = await add('Top')
      const low = await add('Low', { parent_id: top.id })
      const etags = new Set<string>()
      const note = async () => etags.add((await read(low.id)).headers['etag'] ?? '')
      await note()
      await addProduct('Low')
      await note()
      await change(top.id, { name: 'Upper' })
      await note()
      assert.deepEqual((await read(low.id)).json.path, ['Upper', 'Low'])
      assert.equal(etags.size, 3)
      await shop.request('GET', '/products?category=upper')
      await change(low.id, { parent_id: null })
      assert.deepEqual(await found('category=upper'), [])
    })

    test('are refused for a name or handle that is taken, a cycle, and an unknown parent', async () => {
      const one = await add('Only', { handle: 'only-one' })
      const two = await add('Beneath', { parent_id: one.id })
      const post = (body: object) => admin.request('POST', '/categories', body)
      assert.deepEqual(codeOf(await post({ name: 'ｏＮＬＹ' })), [409, '4092'])
      assert.deepEqual(codeOf(await post({ name: 'Other', handle: 'only-one' })), [409, '4092'])
      assert.deepEqual(codeOf(await change(two.id, { name: 'only' })), [409, '4092'])
      assert.deepEqual(codeOf(await change(one.id, { parent_id: two.id })), [409, '4091'])
      assert.deepEqual(codeOf(await change(one.id, { parent_id: one.id })), [409, '4091'])
      assert.deepEqual(codeOf(await post({ name: 'Lost', parent_id: 999_999 })), [422, '4221'])
      let parent = two.id
      for (let depth = 3; depth <= 10; depth += 1) {
        parent = (await add(`Deep ${depth}`, { parent_id: parent })).id
      }
      assert.deepEqual(codeOf(await post({ name: 'Too deep', parent_id: parent })), [422, '4221'])
      const root = await add('Root')
      assert.deepEqual(codeOf(await change(one.id, { parent_id: root.id })), [422, '4221'])
      assert.equal((await add('Ｏｎｌｙ one')).handle, 'only-one-2')
    })

    test('are removed without products and others below', async () => {
      const one = await add('Removable')
      const two = await add('Removable too', { parent_id: one.id })
      const remove = (id: number) => admin.request('DELETE', `/categories/${id}`)
      assert.deepEqual(codeOf(await remove(one.id)), [409, '4091'])
      const { id } = await addProduct('Removable too', { status: 'draft' })
      assert.deepEqual(codeOf(await remove(two.id)), [409, '4091'])
      await admin.request('DELETE', `/products/${id}`)
      assert.equal((await remove(two.id)).status, 204)
      assert.equal((await remove(one.id)).status, 204)
      assert.equal((await read(one.id)).status, 404)
    })

    test('are hidden from the public while only hidden products name them', async () => {
      const { id } = await addProduct('Secret plans', { status: 'draft' })
      const listed = await admin.request('GET', '/categories?handle=secret-plans')
      const category = listed.json.data[0]
      const seen = async () => [
        (await read(category.id)).status,
        (await shop.request('GET', '/categories?handle=secret-plans')).json.data.length,
      ]
      assert.deepEqual(await seen(), [404, 0])
      await admin.request('PATCH', `/products/${id}`, { status: 'active' })
      assert.deepEqual(await seen(), [200, 1])
      await admin.request('PATCH', `/products/${id}`, { status: 'draft' })
      assert.deepEqual(await seen(), [404, 0])
      await change(category.id, { description: 'Soon.' })
      assert.deepEqual(await seen(), [200, 1])
    })

    test('rename products, with what searches find, tax rates and discounts', async () => {
      const category = await add('Former')
      const single = await addProduct('Former', { name: 'Single' })
      const parent = await addProduct('Former', { name: 'Parent' })
      const variant = { variant_of: parent.id, options: { size: 'm' }, name: 'Variant' }
      const { id: variantId } = await addProduct('former', variant)
      const outside = await addProduct('Outside', { name: 'Outsider' })
      await addProduct('Former', { ...variant, variant_of: outside.id })
      const post = (path: string, body: object) => admin.request('POST', path, body)
      const rate = { country: 'NO', rate: '12', name: 'MVA' }
      const { json: tax } = await post('/tax-rates', { ...rate, category: 'FORMER' })
      const discount = {
        code: 'OLD',
        kind: 'percent',
        value: '5',
        categories: ['former', 'Outside'],
      }
      const { json: cut } = await post('/discounts', discount)
      const { etag } = (await shop.request('GET', `/products/${single.id}`)).headers
      assert.equal((await change(category.id, { name: 'Present' })).status, 200)
      const renamed = await shop.request('GET', `/products/${single.id}`)
      assert.equal(renamed.json.category, 'Present')
      assert.notEqual(renamed.headers['etag'], etag)
      const ids = [single.id, parent.id].sort()
      assert.deepEqual((await found('category=present')).sort(), ids)
      assert.deepEqual((await found('q=present')).sort(), [...ids, outside.id].sort())
      assert.deepEqual(await found('q=former'), [])
      assert.ok((await found('category=present&variants=all&q=variant')).includes(variantId))
      const ofRate = await admin.request('GET', `/tax-rates/${tax.id}`)
      assert.equal(ofRate.json.category, 'Present')
      const ofCut = await admin.request('GET', `/discounts/${cut.id}`)
      assert.deepEqual(ofCut.json.categories, ['Present', 'Outside'])
      assert.equal((await read(category.id)).json.product_count, 2)
      assert.deepEqual(await findWrongCounts(shop.db), [])
      const again = await addProduct('Former')
      assert.deepEqual(await found('category=former'), [again.id])
    })

    test('are covered by a discount of one above, but not by its tax rate', async () => {
      const post = (path: string, body: object) => admin.request('POST', path, body)
      const above = await add('Furniture')
      await add('Chairs', { parent_id: above.id })
      const discount = { code: 'SIT', kind: 'percent', value: '50', categories: ['furniture'] }
      assert.equal((await post('/discounts', discount)).status, 201)
      const rate = { country: 'AT', name: 'USt' }
      await post('/tax-rates', { ...rate, rate: '20' })
      await post('/tax-rates', { ...rate, rate: '10', category: 'Furniture' })
      const chair = await addProduct('Chairs', { price: 120 })
      const table = await addProduct('Furniture', { price: 110 })
      const other = await addProduct('Garden tools', { price: 60 })
      const buyer = await shop.signInAs('customer')
      const items = [chair, table, other].map(({ id }) => ({ product_id: id, quantity: 1 }))
      for (const item of items) await buyer.request('POST', `/users/${buyer.id}/cart/items`, item)
      await buyer.request('PUT', `/users/${buyer.id}/cart/discount`, { code: 'SIT' })
      const cart = await buyer.request('GET', `/users/${buyer.id}/cart`)
      assert.equal(cart.json.discount.amount, 115)
      const { json } = await buyer.request('POST', `/users/${buyer.id}/orders`, {
        items,
        discount_code: 'SIT',
        shipping: { recipient: 'Ada', address: { line1: '1', city: 'Wien', country: 'AT' } },
      })
      assert.equal(json.discount.amount, 115)
      const ofOrder = await buyer.request('GET', `/orders/${json.id}/items?sort=id`)
      assert.deepEqual(
        ofOrder.json.data.map(({ tax_rate }: { readonly tax_rate: string }) => tax_rate),
        ['20', '10', '20'],
      )
    })

    test('are not renamed where the new name has a tax rate of the same place', async () => {
      const category = await add('Taxed')
      const rate = { country: 'FI', rate: '12', name: 'ALV' }
      for (const name of ['Taxed', 'Taxed anew']) {
        await admin.request('POST', '/tax-rates', { ...rate, category: name })
      }
      const product = await addProduct('Taxed')
      assert.deepEqual(codeOf(await change(category.id, { name: 'Taxed anew' })), [409, '4092'])
      const { json } = await shop.request('GET', `/products/${product.id}`)
      assert.equal(json.category, 'Taxed')
    })

    test('two moves at once that together make a cycle do not both succeed', async () => {
      for (let round = 0; round < 5; round += 1) {
        const [one, other] = [await add(`One ${round}`), await add(`Other ${round}`)]
        const moved = await Promise.all([
          change(one.id, { parent_id: other.id }),
          change(other.id, { parent_id: one.id }),
        ])
        assert.deepEqual(moved.map(({ status }) => status).sort(), [200, 409])
      }
    })

    test('every product has a category while it is renamed or removed', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { id, name } = await add(`Busy ${round}`)
        const added = Array.from({ length: 6 }, () => addProduct(name))
        const work =
          round % 2 === 0
            ? change(id, { name: `Calm ${round}` })
            : admin.request('DELETE', `/categories/${id}`)
        const products = await Promise.all(added)
        await work
        for (const product of products) {
          const { json } = await shop.request('GET', `/products/${product.id}`)
          const all = await admin.request('GET', '/categories?limit=100&sort=id&order=desc')
          const names = all.json.data.map((each: { readonly name: string }) => each.name)
          assert.ok(names.includes(json.category), `${json.category} is no category`)
        }
      }
    })

    test('tell what happened as events', async () => {
      const { id } = await add('Told')
      await change(id, { position: 4 })
      await admin.request('DELETE', `/categories/${id}`)
      const { json } = await admin.request('GET', '/events?type=category.*&limit=100')
      const own = json.data.filter(
        (each: { subject: string }) => each.subject === `/categories/${id}`,
      )
      assert.deepEqual(
        own.map((each: { readonly type: string }) => each.type),
        ['category.created', 'category.updated', 'category.deleted'],
      )
    })
  })
})
