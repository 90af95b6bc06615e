import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestApp, type TestApp } from '#test/support/app.ts'
import { insertProduct } from '#test/support/rows.ts'

describe('a list parameter', () => {
  let shop: TestApp
  before(async () => {
    shop = await startTestApp('memory')
    for (const category of ['tea', 'cups, pots', 'C:\\']) await insertProduct(shop.db, { category })
  })
  after(() => shop.dispose())

  const categoriesOf = async (...values: readonly string[]) => {
    const query = values.map((value) => `category=${encodeURIComponent(value)}`).join('&')
    const { status, json, text } = await shop.request('GET', `/products?${query}`)
    assert.equal(status, 200, text)
    return json.data.map(({ category }: { readonly category: string }) => category)
  }

  test('of words is split at its commas', async () => {
    const { status, json } = await shop.request('GET', '/products?availability=in_stock,preorder')
    assert.deepEqual([status, json.data.length], [200, 3])
  })

  test('of texts is not split; a comma may be written with a backslash', async () => {
    assert.deepEqual(await categoriesOf('cups, pots'), ['cups, pots'])
    assert.deepEqual(await categoriesOf('cups\\, pots'), ['cups, pots'])
    assert.deepEqual(await categoriesOf('tea,cups\\, pots'), [])
  })

  test('is not split where it is repeated, with a backslash or without', async () => {
    assert.deepEqual(await categoriesOf('tea', 'cups, pots'), ['tea', 'cups, pots'])
    assert.deepEqual(await categoriesOf('tea', 'cups\\, pots'), ['tea', 'cups, pots'])
    assert.deepEqual(await categoriesOf('tea,cups', 'C:\\'), ['C:\\'])
  })
})
