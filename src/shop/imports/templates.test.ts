import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eachDatabase, startTestApp } from '#test/support/app.ts'
import { type ImportingShop, startImportingShop } from '#test/support/imports.ts'
import { importedResources } from './schema.ts'
import { importTargets } from './targets/targets.ts'
import { writeTemplate } from './templates.ts'

eachDatabase((kind) => {
  let shop: ImportingShop
  before(async () => {
    shop = await startImportingShop(kind)
  })
  after(() => shop.dispose())

  const read = (resource: string, headers = {}) =>
    shop.admin.request('GET', `/imports/templates/${resource}`, undefined, headers)

  test('each template is imported as it is, and all its columns are known', async () => {
    const creating = ['categories', 'products', 'users'] as const
    const others = importedResources.filter((each) => !creating.some((name) => name === each))
    for (const resource of [...creating, ...others]) {
      const { text } = await read(resource)
      const { operation, errors } = await shop.importFile(resource, text)
      assert.deepEqual(errors, [], resource)
      const { created, unchanged, ignored_columns, mapping } = operation.result
      const isCreating = creating.some((name) => name === resource)
      // The rows of orders are the items of one.
      const expected = resource === 'orders' ? [1, 0] : isCreating ? [2, 0] : [0, 2]
      assert.deepEqual([created, unchanged], expected, resource)
      assert.deepEqual(ignored_columns, [])
      assert.ok(Object.values(mapping).every((field) => typeof field === 'string'))
    }
  })

  test('a template is a file with a name, which caches ask for again', async () => {
    const { status, headers, text } = await read('products')
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8; header=present')
    assert.equal(headers['content-disposition'], 'attachment; filename="products-template.csv"')
    assert.match(text, /^name,.*,sku,price,.*options\.Size,.*variant_of_sku/)
    assert.doesNotMatch(text, /shop_id|variant_of,|(?:^|,)id(?:,|\r)/)
    assert.equal(text.trimEnd().split('\r\n').length, 3)
    const etag = headers['etag']
    assert.ok(typeof etag === 'string')
    assert.equal((await read('products', { 'if-none-match': etag })).status, 304)
    const unknown = await read('carts', { 'accept-language': 'de' })
    assert.deepEqual([unknown.status, unknown.json.error_code], [404, '4041'])
    assert.match(unknown.json.details, /Vorlage/)
  })

  test('a header that fits nothing is told the formats, the nearest columns and the template', async () => {
    const tried = async (query: string, header: string) => {
      const { status, json } = await shop.send(query, `${header}\n1,2,3\n`)
      assert.equal(status, 422)
      return json.suggestion as string
    }
    const products = await tried('products', 'Product name,Prise,Colour')
    assert.match(products, /name, .*price|price, .*name/)
    assert.match(products, /cartwright, shopify, woocommerce, magento, prestashop, etsy, google/)
    assert.match(products, /\/imports\/templates\/products/)
    assert.match(
      await tried('products&format=shopify', 'sku,name,price'),
      /sku.*\/imports\/templates\/products/,
    )
    const stock = await tried('stock', 'Stok,Place,Shelf')
    assert.match(stock, /stock.*\/imports\/templates\/stock/)
    assert.doesNotMatch(stock, /shopify|shop_id/)
  })

  test('it needs the scope of imports', async () => {
    const scoped = async (scope: string) => {
      const key = { name: scope, scopes: [scope] }
      const { json } = await shop.admin.request('POST', '/api-keys', key)
      const headers = { authorization: `Api-Key ${json.key}` }
      return shop.shop.request('GET', '/imports/templates/stock', undefined, headers)
    }
    assert.equal((await scoped('products:write')).json.error_code, '4033')
    assert.equal((await scoped('imports:write')).status, 200)
  })
})

test('the amounts of a template are those of the currency of the shop', async () => {
  const shop = await startTestApp('memory')
  const yen = { ...shop.parts.shop, currency: 'JPY', currencyDigits: 0 }
  assert.equal(
    writeTemplate(importTargets.prices, yen),
    'sku,external_id,handle,price\r\nKETTLE-1,ERP-4711,enamel-kettle,13\r\nPAN-1,,,13\r\n',
  )
  await shop.dispose()
})
