import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { compileXmlReader } from '#http/codec/xml/reader.ts'
import { compileXmlWriter } from '#http/codec/xml/writer.ts'
import { startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { addProduct } from '#test/support/callers/paying.ts'
import { errorExample, errorSchema } from './problems/schema.ts'
import { compileXmlWriters, xmlDocumentOf } from './xml-documents.ts'

describe('an XML response', () => {
  let shop: TestApp
  let admin: TestCaller
  let customer: TestCaller
  before(async () => {
    shop = await startTestApp('sqlite')
    admin = await shop.signInAs('admin')
    customer = await shop.signInAs('customer', { email: 'a&b@example.com', age: 40 })
    const { id: product_id } = await addProduct(admin, {
      name: 'Pots & <pans>\u0001',
      description: 'Two lines:\r\nthis is the "second".',
      sku: null,
    })
    await addProduct(admin, { category: 'kitchen', availability: 'preorder' })
    await customer.request('POST', `/products/${product_id}/reviews`, { rating: 4, title: '' })
    await customer.request('POST', '/cart', { product_id, quantity: 2 })
    await customer.request('POST', `/users/${customer.id}/orders`, {
      items: [{ product_id, quantity: 1 }],
    })
  })
  after(() => shop.dispose())

  const documentAt = (path: string) => {
    const routes = shop.operations.map(({ route }) => route)
    const route = routes.find(({ method, path: template }) => {
      const pattern = new RegExp(`^${template.replace(/:\w+/g, '[^/]+')}$`)
      return method === 'GET' && pattern.test(path)
    })
    assert.ok(route, path)
    const document = xmlDocumentOf(routes, '_links')(route)
    const write = compileXmlWriters(routes, '_links')(route)
    assert.ok(document && write, path)
    return { ...document, write }
  }

  const paths = [
    '/',
    '/products',
    '/products?include=reviews,related',
    '/products/1',
    '/products/1?include=reviews,related',
    '/products/1/related',
    '/products/1/reviews',
    '/users',
    '/profile',
    '/users/2',
    '/users/2/orders',
    '/users/2/orders/1',
    '/users/2/orders/1?include=payments',
    '/orders/1/items',
    '/orders/1/shipping',
    '/users/2/cart',
    '/users/2/cart/items',
    '/users/2/cart/items/1',
  ]
  for (const path of paths)
    test(`to GET ${path} has the content of the JSON response`, async () => {
      const response = await customer.request('GET', path)
      const isForbidden = response.status === 403
      const { json, status } = isForbidden ? await admin.request('GET', path) : response
      assert.equal(status, 200, JSON.stringify(json))
      const { root, schema, write } = documentAt(path.split('?')[0] ?? '')
      const xml = write(json)
      assert.deepEqual(compileXmlReader(schema, root, { onlyRoot: true })(xml), json)
      // The bodies of links have no schema.
      assert.doesNotMatch(xml.replaceAll(/<body>.*?<\/body>/gs, ''), /type="(?!number)/)
    })

  test('has elements named by the fields, singular items and <link> elements', async () => {
    const { write } = documentAt('/products/:productId/related')
    const link = { href: '/cart?a=1&b=2', method: 'POST', body: { quantity: 1, note: null } }
    const data = [{ id: 1, name: 'a', rating: { average: null }, _links: { add_to_cart: link } }]
    const body = '<body><quantity type="number">1</quantity><note nil="true"/></body>'
    const links = `<links><link rel="add_to_cart" href="/cart?a=1&amp;b=2" method="POST">${body}</link></links>`
    const product = `<id>1</id><name>a</name><rating><average nil="true"/></rating>${links}`
    assert.equal(
      write({ data, pagination: { limit: 20 } }),
      '<?xml version="1.0" encoding="UTF-8"?>' +
        `<products><data><product>${product}</product></data>` +
        '<pagination><limit>20</limit></pagination></products>',
    )
    assert.deepEqual(
      ['/users/:id/orders', '/users/:id/cart/items', '/'].map((path) => documentAt(path).root),
      ['orders', 'cart_items', 'entry'],
    )
  })
  test('of a problem has an element for each field error', () => {
    const write = compileXmlWriter(errorSchema('standard'), 'error')
    const xml = write(errorExample('4001', 'standard'))
    assert.match(xml, /<errors><error><field>name<\/field><message>is required<\/message>/)
  })
})
