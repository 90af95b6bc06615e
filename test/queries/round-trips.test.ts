import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { routesOfVersion } from '#http/codec/version-transform.ts'
import { compileXmlReader } from '#http/codec/xml/reader.ts'
import { compileXmlWriter } from '#http/codec/xml/writer.ts'
import { xmlDocumentOf, xmlRootName } from '#http/response/xml-documents.ts'
import { eachDatabase, startTestApp, type TestCaller } from '#test/support/app.ts'
import { type PayingApp, startPayingApp, testShipping } from '#test/support/callers/paying.ts'

const usd = (amount: string) => ({ amount, currency: 'USD' })

/** Starts a shop whose administrator has bought and reviewed a kettle and has one in the cart. */
async function startShopWithSale(kind: Parameters<typeof startPayingApp>[0]) {
  const shop = await startPayingApp(kind)
  const admin = await shop.signInAs('admin')
  const { id } = await shop.addProduct({ stock: 12, name: 'Kettle & <co>' })
  const items = [{ product_id: id, quantity: 2 }]
  const order = await admin.request('POST', `/users/${admin.id}/orders`, {
    items,
    shipping: testShipping,
  })
  assert.equal(order.status, 201, order.text)
  const body = { method: 'card', token: 'tok_visa' }
  const orderPath = `/users/${admin.id}/orders/${order.json.id}`
  const paid = await admin.request('POST', `${orderPath}/payment`, body)
  assert.equal(paid.status, 201, paid.text)
  await admin.request('POST', `/products/${id}/reviews`, { rating: 5, body: 'It whistles.' })
  await admin.request('POST', '/cart', { product_id: id, quantity: 1 })
  return { shop, admin, product: `/products/${id}`, order: orderPath }
}

eachDatabase((kind) => {
  let shop: PayingApp
  let admin: TestCaller
  let product: string
  let order: string
  before(async () => {
    ;({ shop, admin, product, order } = await startShopWithSale(kind))
  })
  after(() => shop.dispose())

  const readablePaths = () => [
    '/',
    product,
    '/products',
    `${product}?include=reviews,related`,
    `${product}/reviews`,
    `${product}/related`,
    '/users',
    `/users/${admin.id}`,
    `/users/${admin.id}/cart`,
    `/users/${admin.id}/orders`,
    `${order}?include=details`,
    order,
    `${order}/payment`,
    '/orders',
    '/purchases',
    '/profile',
  ]

  for (const version of [1, 2]) {
    test(`the XML of every resource equals its JSON in version ${version}`, async () => {
      const routes = routesOfVersion(
        version,
        shop.operations.map(({ route }) => route),
      )
      const describeXml = xmlDocumentOf(routes, '_links')
      for (const readablePath of readablePaths()) {
        const path = `/v${version}${readablePath}`
        const inJson = await admin.request('GET', path)
        assert.equal(inJson.status, 200, `${path}: ${inJson.text}`)
        const headers = { accept: 'application/xml' }
        const inXml = await admin.request('GET', path, undefined, headers)
        assert.equal(inXml.headers['content-type'], 'application/xml; charset=utf-8')
        const [pathname = ''] = readablePath.split('?', 1)
        const route = routes.find(
          ({ method, path: template }) =>
            method === 'GET' && new RegExp(`^${template.replace(/:\w+/g, '\\d+')}$`).test(pathname),
        )
        const document = route && describeXml(route)
        assert.ok(document, path)
        assert.ok(inXml.text.includes(`?><${document.root}>`), inXml.text.slice(0, 100))
        assert.deepEqual(
          compileXmlReader(document.schema, document.root)(inXml.text),
          inJson.json,
          path,
        )
      }
    })
  }

  test('a PUT of a product as read in version 2 changes nothing', async () => {
    const read = await admin.request('GET', `/v2${product}`)
    assert.deepEqual(read.json.price, usd('19.99'))
    assert.deepEqual(read.json.availability, { status: 'in_stock', stock: 10 })
    assert.equal(read.json.stock, 10)
    const sent = await admin.request('PUT', `/v2${product}`, read.json)
    assert.equal(sent.status, 200, sent.text)
    const { updated_at: _, ...rest } = sent.json
    const { updated_at: __, ...before } = read.json
    assert.deepEqual(rest, before)
  })

  test('a product in version 2 accepts only the shapes of version 2', async () => {
    const change = (body: object) => admin.request('PATCH', `/v2${product}`, body)
    const plain = await change({ price: 5, availability: 'preorder' })
    assert.equal(plain.status, 422)
    const fields = plain.json.errors.map(({ field }: { field: string }) => field)
    assert.deepEqual(fields, ['price', 'availability'])
    assert.equal((await change({ stock: 3, availability: { stock: 4 } })).status, 422)
    const changed = await change({ price: usd('5.5'), availability: { stock: 7 } })
    assert.deepEqual(changed.json.price, usd('5.50'))
    assert.deepEqual(changed.json.availability, { status: 'in_stock', stock: 7 })
    const first = await admin.request('GET', product)
    assert.deepEqual([first.json.price, first.json.stock], [5.5, 7])
    await change({ price: usd('19.99'), stock: 10 })
  })

  test('carts, orders and payments in version 2 have amounts as objects', async () => {
    const cart = (await admin.request('GET', `/v2/users/${admin.id}/cart`)).json
    assert.deepEqual(cart.subtotal, usd('19.99'))
    assert.deepEqual(cart.items[0].unit_price, usd('19.99'))
    const detailed = (await admin.request('GET', `/v2${order}?include=details`)).json
    assert.deepEqual(detailed.subtotal, usd('39.98'))
    assert.deepEqual(detailed.items[0].line_total, usd('39.98'))
    assert.deepEqual(detailed.payments[0].amount, detailed.total)
    assert.equal(typeof detailed.shipping.cost.amount, 'string')
  })

  test('an order in version 2 is placed, replaced and paid with amounts as objects', async () => {
    const id = Number(product.split('/').at(-1))
    const items = [{ product_id: id, quantity: 1 }]
    const placeOrder = (expected_total: unknown) =>
      admin.request('POST', `/v2/users/${admin.id}/orders`, {
        items,
        shipping: testShipping,
        expected_total,
      })
    assert.equal((await placeOrder(19.99)).status, 422)
    const first = await admin.request('POST', `/v2/users/${admin.id}/orders`, { items })
    assert.equal((await placeOrder(usd('0.01'))).status, 409)
    const made = await placeOrder(first.json.total)
    assert.equal(made.status, 201, made.text)
    const path = `/v2/users/${admin.id}/orders/${made.json.id}`
    const whole = (await admin.request('GET', `${path}?include=items`)).json
    const sent = await admin.request('PUT', path, whole)
    assert.equal(sent.status, 200, sent.text)
    const pay = { method: 'card', token: 'tok_visa', amount: made.json.total }
    const plain = await admin.request('POST', `${path}/payment`, { ...pay, amount: 1 })
    assert.equal(plain.status, 422)
    const paid = await admin.request('POST', `${path}/payment`, pay)
    assert.equal(paid.status, 201, paid.text)
    assert.deepEqual(paid.json.amount, made.json.total)
  })

  test('a body in XML has the effect of the same body in JSON', async () => {
    const routes = routesOfVersion(
      2,
      shop.operations.map(({ route }) => route),
    )
    const send = async (method: string, path: string, template: string, body: object) => {
      const route = routes.find((one) => one.path === template && one.method === method)
      assert.ok(route?.body, template)
      const { app } = shop
      const answer = await app.inject({
        method: method as 'POST',
        url: `/v2${path}`,
        headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/xml' },
        payload: compileXmlWriter(route.body, xmlRootName(route))(body),
      })
      assert.ok(answer.statusCode < 300, answer.payload)
      return answer.json()
    }
    const made = await send('POST', '/products', '/products', {
      name: 'Tea & <cake>',
      price: usd('3.20'),
      availability: { status: 'preorder', stock: null },
    })
    assert.deepEqual(made.price, usd('3.20'))
    assert.deepEqual(made.availability, { status: 'preorder', stock: null })
    const path = `/products/${made.id}`
    const changed = await send('PATCH', path, '/products/:productId', { sku: null, stock: 4 })
    assert.equal(changed.stock, 4)
    const items = [{ product_id: made.id, quantity: 2 }]
    const ordered = await send('POST', `/users/${admin.id}/orders`, '/users/:id/orders', {
      items,
      note: 'Ring twice.',
    })
    assert.equal(ordered.note, 'Ring twice.')
    const line = { product_id: made.id, quantity: 1 }
    assert.equal((await send('POST', '/cart', '/cart', line)).quantity, 1)
  })

  test('malformed XML answers 4002, and invalid values and missing fields answer as in JSON', async () => {
    const send = (payload: string) =>
      shop.app.inject({
        method: 'POST',
        url: '/products',
        headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/xml' },
        payload,
      })
    const broken = await send('<product><name>Tray</product>')
    assert.equal(broken.json().error_code, '4002')
    const wrong = await send('<product><name>Tray</name><price>cheap</price></product>')
    assert.equal(wrong.json().error_code, '4221')
    const missing = await send('<product><name>Tray</name></product>')
    assert.equal(missing.json().error_code, '4001')
  })
})

describe('a shop with version 2 as the default', () => {
  test('answers in version 2, and in version 1 under /v1', async () => {
    const shop = await startTestApp('memory', { composition: { defaultVersion: 2 } })
    const unversioned = await shop.request('GET', '/products')
    const first = await shop.request('GET', '/v1/products')
    assert.deepEqual(
      [unversioned, first].map(({ headers }) => headers['api-version']),
      ['2', '1'],
    )
    assert.deepEqual((await shop.request('GET', '/openapi.json')).json.servers, [{ url: '/' }])
    await shop.dispose()
  })
})
