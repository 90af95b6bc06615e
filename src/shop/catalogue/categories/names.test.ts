import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'

const spellings = ['Bücher', 'Bu\u0308cher', 'Bücher ', 'bücher', 'BÜ\u200bCHER', '\u00a0Ｂücher']

eachDatabase((kind) => {
  describe('keys of the catalogue', () => {
    let shop: TestApp
    let admin: TestCaller
    before(async () => {
      shop = await startTestApp(kind)
      admin = await shop.signInAs('admin')
    })
    after(() => shop.dispose())

    const add = (fields: object) =>
      admin.request('POST', '/products', { name: 'Buch', price: 110, ...fields })

    test('a category is one, however it is written', async () => {
      for (const category of spellings) {
        const { status, json } = await add({ category })
        assert.deepEqual([status, json.category], [201, 'Bücher'])
      }
      const listed = await shop.request('GET', '/categories')
      assert.deepEqual(
        listed.json.data.map(({ name, product_count }: Record<string, unknown>) => [
          name,
          product_count,
        ]),
        [['Bücher', spellings.length]],
      )
      for (const category of spellings) {
        const found = await shop.request(
          'GET',
          `/products?category=${encodeURIComponent(category)}`,
        )
        assert.equal(found.json.pagination.total_items, spellings.length, category)
      }
      const patched = await admin.request('PATCH', '/products/1', { category: 'BÜCHER' })
      assert.equal(patched.json.category, 'Bücher')
    })

    test('the tax and a discount of a category apply to it, however it is written', async () => {
      const ok = async (path: string, body: object) =>
        assert.equal((await admin.request('POST', path, body)).status, 201, path)
      await ok('/tax-rates', { country: 'AT', rate: '20', name: 'USt' })
      await ok('/tax-rates', { country: 'AT', category: 'bu\u0308cher ', rate: '10', name: 'USt' })
      await ok('/discounts', {
        code: 'HALF',
        kind: 'percent',
        value: '50',
        categories: ['ｂÜCHER'],
      })
      const twice = { country: 'AT', category: 'Bücher', rate: '5', name: 'USt' }
      assert.equal((await admin.request('POST', '/tax-rates', twice)).json.error_code, '4092')
      const buyer = await shop.signInAs('customer')
      const { status, json } = await buyer.request('POST', `/users/${buyer.id}/orders`, {
        items: [{ product_id: 1, quantity: 1 }],
        discount_code: ' half\u200b',
        shipping: { recipient: 'Ada', address: { line1: '1', city: 'Wien', country: 'AT' } },
      })
      assert.equal(status, 201)
      assert.deepEqual([json.discount.amount, json.subtotal, json.tax], [55, 110, 5.83])
    })

    test('two requests at once that name a new category agree on it', async () => {
      const names = ['Gläser', 'gläser', 'GLÄSER', 'Gla\u0308ser', ' gläser', 'gläser ']
      const added = await Promise.all(names.map((category) => add({ category })))
      const stored = new Set(added.map(({ json }) => json.category))
      assert.equal(stored.size, 1)
    })

    test('a SKU is one, however it is written, and is found so', async () => {
      assert.equal((await add({ sku: 'Tasse-Ä1' })).json.sku, 'Tasse-Ä1')
      for (const sku of [
        ' Tasse-Ä1 ',
        'tasse-ä1',
        'Tasse-A\u03081',
        'Tasse-Ä1\u00a0',
        'Tasse-Ä1\u200b',
      ]) {
        assert.equal((await add({ sku })).json.error_code, '4092', JSON.stringify(sku))
        const found = await shop.request('GET', `/products?sku=${encodeURIComponent(sku)}`)
        assert.equal(found.json.data.length, 1, JSON.stringify(sku))
      }
    })

    test('a text with nothing to read is absent', async () => {
      for (const blank of ['', '  ', '\u3000', '\u200b', '\t\n']) {
        const { json } = await add({
          category: blank,
          sku: blank,
          description: blank,
          image_url: blank,
        })
        assert.deepEqual(
          [json.category, json.sku, json.description, json.image_url],
          [null, null, '', null],
        )
        const unnamed = await add({ name: blank })
        assert.deepEqual([unnamed.status, unnamed.json.error_code], [400, '4001'])
        const renamed = await admin.request('PATCH', `/products/${json.id}`, { name: blank })
        assert.deepEqual([renamed.status, renamed.json.error_code], [400, '4001'])
      }
    })

    test('products and categories are sorted by name as people read them', async () => {
      const names = [
        'apple',
        'Äpfel 2',
        'Äpfel 10',
        'Banana',
        'éclair',
        'Łódź',
        'zebra 1',
        'Zebra 10',
      ]
      for (const name of names.toReversed()) {
        assert.equal((await add({ name, category: `Sorted ${name}` })).status, 201)
      }
      const sorted = await shop.request('GET', '/products?sort=name&limit=100')
      const isSorted = (name: string) => names.includes(name.replace('Sorted ', ''))
      const namesIn = ({ json }: typeof sorted): string[] =>
        json.data.map(({ name }: { name: string }) => name).filter(isSorted)
      assert.deepEqual(namesIn(sorted), ['Äpfel 2', 'Äpfel 10', 'apple', ...names.slice(3)])
      const categories = await shop.request('GET', '/categories?sort=name&limit=100&order=desc')
      assert.deepEqual(
        namesIn(categories),
        ['Äpfel 2', 'Äpfel 10', 'apple', ...names.slice(3)]
          .map((name) => `Sorted ${name}`)
          .toReversed(),
      )
      const pages = ['?sort=name&limit=5&category=Sorted%20apple', '?sort=name&limit=2&q=zebra']
      for (const page of pages)
        assert.equal((await shop.request('GET', `/products${page}`)).status, 200)
      const first = await shop.request('GET', '/products?sort=name&limit=3')
      const next = await shop.request(
        'GET',
        `/products?sort=name&limit=3&cursor=${first.json.pagination.next_cursor}`,
      )
      assert.deepEqual(
        [...first.json.data, ...next.json.data].map(({ id }: { id: number }) => id),
        sorted.json.data.slice(0, 6).map(({ id }: { id: number }) => id),
      )
    })
  })
})
