import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'

eachDatabase((kind) => {
  describe('several variants in one request', () => {
    let shop: TestApp
    let admin: TestCaller
    before(async () => {
      shop = await startTestApp(kind)
      admin = await shop.signInAs('admin')
    })
    after(async () => {
      await reconcile(shop.db)
      await shop.dispose()
    })

    const addParent = async () =>
      (await admin.request('POST', '/products', { name: 'Shirt', price: 20 })).json
    const post = (id: number, body: unknown, headers = {}) =>
      admin.request('POST', `/products/${id}/variants`, body, headers)
    const sizes = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ options: { size: `${index}` }, stock: index }))
    const countOf = async (id: number) =>
      (await shop.request('GET', `/products/${id}/variants`)).json.pagination.total_items

    test('are made in their order', async () => {
      const { id } = await addParent()
      const { status, json, headers } = await post(id, sizes(100))
      assert.equal(status, 201)
      assert.equal(headers['location'], undefined)
      assert.deepEqual(
        json.data.map(({ options, stock }: Record<string, unknown>) => [options, stock]),
        sizes(100).map(({ options, stock }) => [options, stock]),
      )
      const { json: first } = await shop.request('GET', json.data[0]._links.self.href)
      assert.deepEqual([first.name, first.price, first.variant_of], ['Shirt', 20, id])
      assert.equal(await countOf(id), 100)
    })

    test('are made all or none, and the answer names the entry', async () => {
      const { id } = await addParent()
      const rejected = async (body: unknown, expected: unknown) => {
        const { status, json } = await post(id, body)
        const fields = json.errors?.map(({ field }: { field: string }) => field)
        assert.deepEqual([status, json.error_code, fields], expected)
        assert.equal(await countOf(id), 0)
      }
      const [small = {}, large = {}] = sizes(2)
      await rejected([small, { ...large, price: 'x' }], [422, '4221', ['[1].price']])
      await rejected([small, {}], [400, '4001', ['[1].options']])
      await rejected([small, 7], [422, '4221', ['[1]']])
      await rejected([small, small], [409, '4092', ['[1]']])
      await rejected(
        [{ options: { size: 'S' } }, { options: { colour: 'red' } }],
        [422, '4221', ['[1].options']],
      )
      await rejected([], [422, '4221', ['body']])
      await rejected(sizes(101), [422, '4221', ['body']])
    })

    test('are answered in XML and in the next version', async () => {
      const { id } = await addParent()
      const variant = (size: string) => `<product><options><size>${size}</size></options></product>`
      const inXml = await shop.app.inject({
        method: 'POST',
        url: `/products/${id}/variants`,
        headers: {
          authorization: `Bearer ${admin.token}`,
          'content-type': 'application/xml',
          accept: 'application/xml',
        },
        payload: `<products>${variant('S')}${variant('M')}</products>`,
      })
      assert.equal(inXml.statusCode, 201, inXml.payload)
      assert.match(inXml.payload, /^<\?xml[^>]*>\s*<products><data><product><id>/)
      const next = await admin.request('POST', `/v2/products/${id}/variants`, [
        { options: { size: 'L' }, price: { amount: '7.50', currency: 'USD' } },
      ])
      assert.equal(next.status, 201, next.text)
      assert.deepEqual(next.json.data[0].price, { amount: '7.50', currency: 'USD' })
      assert.equal(await countOf(id), 3)
    })

    test('are made once for one key', async () => {
      const { id } = await addParent()
      const headers = { 'idempotency-key': `variants-${id}` }
      const first = await post(id, sizes(3), headers)
      const again = await post(id, sizes(3), headers)
      assert.deepEqual([again.status, again.json], [201, first.json])
      assert.equal((await post(id, sizes(2), headers)).status, 422)
      assert.equal(await countOf(id), 3)
    })

    test('of a caller who is no administrator are none', async () => {
      const { id } = await addParent()
      const buyer = await shop.signInAs('customer')
      assert.equal((await buyer.request('POST', `/products/${id}/variants`, sizes(2))).status, 403)
    })
  })
})
