import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { runWaitingImports } from '#test/support/imports.ts'
import { makeHandle, numberedHandles, unusedHandle } from './rules.ts'

test('a handle is made of the letters and digits of a name, else of the SKU', () => {
  const made = [
    [['Enamel kettle, 2 l'], 'enamel-kettle-2-l'],
    [['  Größe „Łódź“ & Søn’s  '], 'grosse-lodz-sons'],
    [['紅茶', 'TEA-1'], 'tea-1'],
    [['紅茶', null], 'product'],
    [['x'.repeat(200)], 'x'.repeat(100)],
  ] as const
  for (const [texts, handle] of made) assert.equal(makeHandle(...texts), handle)
  for (const handle of [...numberedHandles('x'.repeat(100)), unusedHandle('a-'.repeat(50))]) {
    assert.match(handle, /^[a-z0-9-]{1,100}$/)
  }
})

eachDatabase((kind) => {
  describe('handles', () => {
    let shop: TestApp
    let admin: TestCaller
    before(async () => {
      shop = await startTestApp(kind)
      admin = await shop.signInAs('admin')
    })
    after(() => shop.dispose())

    const add = async (body: object) => {
      const { status, json, text } = await admin.request('POST', '/products', { price: 1, ...body })
      assert.equal(status, 201, text)
      return json
    }
    const change = async (id: number, body: object) => {
      const { status, json } = await admin.request('PATCH', `/products/${id}`, body)
      return status === 200 ? json.handle : json.error_code
    }
    const found = async (handle: string): Promise<readonly number[]> =>
      (await shop.request('GET', `/products?handle=${handle}`)).json.data.map(
        ({ id }: { readonly id: number }) => id,
      )

    test('are made from names, each once, and stay', async () => {
      const first = await add({ name: 'Blue Jug' })
      const second = await add({ name: 'Blue jug' })
      assert.deepEqual([first.handle, second.handle], ['blue-jug', 'blue-jug-2'])
      assert.equal(await change(first.id, { name: 'Red jug' }), 'blue-jug')
      assert.equal(await change(first.id, { handle: null }), 'blue-jug')
      const put = await admin.request('PUT', `/products/${first.id}`, { name: 'Jug', price: 2 })
      assert.equal(put.json.handle, 'blue-jug')
      const many = await Promise.all(Array.from({ length: 25 }, () => add({ name: 'Cup' })))
      assert.equal(new Set(many.map(({ handle }) => handle)).size, 25)
      const variant = { name: 'Blue jug', variant_of: first.id, options: { size: 'M' } }
      const { id, handle } = await add(variant)
      assert.equal(handle, null)
      assert.equal(await change(id, { variant_of: null }), 'blue-jug-3')
    })

    test('are refused where they are not valid, or those of another product', async () => {
      const { id } = await add({ name: 'Given', handle: 'given-1' })
      for (const handle of ['With-Capital', 'ü', 'a b', 'x'.repeat(101)]) {
        assert.equal(await change(id, { handle }), '4221')
      }
      const { id: other } = await add({ name: 'Other' })
      assert.equal(await change(other, { handle: 'given-1' }), '4092')
    })

    test('find the product also when it has another one', async () => {
      const { id } = await add({ name: 'Teapot' })
      await change(id, { handle: 'pot' })
      assert.deepEqual([await found('teapot'), await found('pot')], [[id], [id]])
      assert.equal((await add({ name: 'Teapot' })).handle, 'teapot-2')
      const { id: heir } = await add({ name: 'Heir', handle: 'teapot' })
      assert.deepEqual([await found('teapot'), await found('pot')], [[heir], [id]])
      await change(heir, { handle: 'heir' })
      await change(id, { handle: 'teapot' })
      assert.deepEqual(await found('teapot'), [id])
      await change(id, { handle: 'pot' })
      await admin.request('DELETE', `/products/${id}`)
      assert.deepEqual([await found('teapot'), await found('pot')], [[], []])
      assert.equal((await add({ name: 'Teapot', handle: 'pot' })).handle, 'pot')
    })

    test('find a variant that has one', async () => {
      const { id } = await add({ name: 'Rug' })
      const variant = { name: 'Rug', variant_of: id, options: { size: 'M' }, handle: 'rug-m' }
      const { id: variantId } = await add(variant)
      assert.deepEqual(await found('rug-m'), [variantId])
    })

    test('are made for the rows of an import, and kept by it', async () => {
      const lines = [
        { sku: 'i1', name: 'Imported', price: 1 },
        { sku: 'i2', name: 'Imported', price: 1 },
        { sku: 'i3', name: 'Imported', price: 1, handle: 'imported-2' },
        { sku: 'i4', name: '輸入', price: 1 },
      ]
      const run = async (rows: readonly object[]) => {
        await shop.app.inject({
          method: 'POST',
          url: '/imports?resource=products',
          headers: {
            authorization: `Bearer ${admin.token}`,
            'content-type': 'application/x-ndjson',
          },
          payload: rows.map((row) => JSON.stringify(row)).join('\n'),
        })
        await runWaitingImports(shop)
        const { json } = await shop.request('GET', '/products?sort=id&order=desc&limit=4')
        return json.data.map(({ handle }: { readonly handle: string }) => handle).reverse()
      }
      assert.deepEqual(await run(lines), ['imported', 'imported-3', 'imported-2', 'i4'])
      const renamed = lines.map((line, at) => (at === 0 ? { ...line, handle: 'first' } : line))
      assert.deepEqual(await run(renamed), ['first', 'imported-3', 'imported-2', 'i4'])
      assert.equal((await found('imported')).length, 1)
    })
  })
})
