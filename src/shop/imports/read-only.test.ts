import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ndjsonType } from '#http/message/media-type.ts'
import { eachDatabase } from '#test/support/app.ts'
import { sendBytes, validUpload } from '#test/support/images/uploads.ts'
import { type ImportingShop, startImportingShop } from '#test/support/imports.ts'
import { insertOrder, recordPurchases } from '#test/support/rows.ts'

eachDatabase((kind) => {
  let shop: ImportingShop
  let ids: { readonly parent: number; readonly variant: number }
  before(async () => {
    shop = await startImportingShop(kind)
    const { admin } = shop
    const create = async (path: string, body: object) => {
      const { status, json, text } = await admin.request('POST', path, body)
      assert.equal(status, 201, text)
      return json
    }
    const { id } = await create('/products', { sku: 'RO-1', name: 'Mascara', price: 9.99 })
    const fields = { sku: 'RO-2', name: 'Mascara', price: 9, variant_of: id, options: { c: 'red' } }
    const variant = await create('/products', fields)
    ids = { parent: id, variant: variant.id }
    const { payload, headers } = validUpload
    const uploaded = await sendBytes(shop.shop, admin, `/products/${id}/images`, payload, headers)
    assert.equal(uploaded.status, 201, uploaded.text)
    const product = { id, name: 'Mascara', price: 100 }
    const order = await insertOrder(shop.shop.db, admin.id, [product])
    await recordPurchases(shop.shop.store, { id: order, user_id: admin.id })
    await create(`/products/${id}/reviews`, { rating: 4, title: 'Good', body: 'Black.' })
  })
  after(() => shop.dispose())

  const exportAs = async (accept: string) => {
    const headers = { accept, authorization: `Bearer ${shop.admin.token}` }
    const url = '/products?include=reviews&variants=all&sort=id'
    const { statusCode, payload } = await shop.shop.app.inject({ url, headers })
    assert.equal(statusCode, 200, payload)
    return payload
  }

  for (const mediaType of [ndjsonType, 'text/csv']) {
    test(`images, rating and reviews of an export are imported unchanged as ${mediaType}`, async () => {
      const text = await exportAs(mediaType)
      for (const query of ['products', 'products&dry_run=true']) {
        const { operation, errors } = await shop.importFile(query, text, mediaType)
        assert.deepEqual(errors, [])
        assert.partialDeepStrictEqual(operation.result, { unchanged: 2, ignored_columns: [] })
      }
      const changed = text.replace(mediaType === ndjsonType ? '"count":1' : ',4,1,', (found) =>
        found.replace('1', '2'),
      )
      assert.notEqual(changed, text)
      const { errors } = await shop.importFile('products', changed, mediaType)
      assert.deepEqual(errors, [[mediaType === ndjsonType ? 1 : 2, 'rating', '4221']])
    })
  }

  test('images, rating and reviews that differ are errors, also of a new product', async () => {
    const rows = [
      {
        ...{ sku: 'RO-3', name: 'Mascara', price: 9.99 },
        ...{ images: ['https://shop.example/1.webp'], rating: 2.56, reviews: [{ rating: 3 }] },
      },
      { sku: 'RO-4', name: 'Brush', price: 5, images: [], rating: { count: 0 }, reviews: null },
      { sku: 'RO-1', price: 10, images: [], rating: { average: 4, count: 1 } },
    ]
    const text = rows.map((row) => JSON.stringify(row)).join('\n')
    for (const query of ['products&dry_run=true', 'products']) {
      const { operation, errors } = await shop.importFile(query, text, ndjsonType)
      assert.deepEqual(errors, [
        [1, 'images', '4221'],
        [1, 'rating', '4221'],
        [1, 'reviews', '4221'],
        [3, 'images', '4221'],
      ])
      assert.partialDeepStrictEqual(operation.result, { created: 1, updated: 0 })
    }
    const { json } = await shop.admin.request('GET', `/products/${ids.parent}`)
    assert.equal(json.price, 9.99)
  })

  test('those of an export of another shop are left out and told', async () => {
    const text = (await exportAs(ndjsonType))
      .replaceAll(/"shop_id":"[^"]*"/g, '"shop_id":"9f2c1f0e-0000-4000-8000-000000000000"')
      .replaceAll('RO-', 'OTHER-')
      .replaceAll(/"handle":"[^"]*"/g, '"handle":null')
    const { operation, errors } = await shop.importFile('products', text, ndjsonType)
    assert.deepEqual(errors, [])
    assert.partialDeepStrictEqual(operation.result, {
      created: 3,
      ignored_columns: [
        { name: 'images', values: 1 },
        { name: 'rating', values: 2 },
        { name: 'reviews', values: 2 },
      ],
    })
  })
})
