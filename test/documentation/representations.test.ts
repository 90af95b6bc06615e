import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { resolve } from '#test/support/openapi.ts'

const vendor = (version: number, format = 'json') =>
  `application/vnd.cartwright.v${version}+${format}`

describe('the version and format of a response', () => {
  let shop: TestApp
  let admin: TestCaller
  before(async () => {
    shop = await startTestApp('sqlite')
    admin = await shop.signInAs('admin')
    await admin.request('POST', '/products', { name: 'Kettle', price: 19.99, stock: 12 })
  })
  after(() => shop.dispose())

  const negotiations: readonly (readonly [
    path: string,
    accept: string | undefined,
    status: number,
    version: string,
    type: string,
  ])[] = [
    ['/products/1', undefined, 200, '1', 'application/json'],
    ['/products/1', '*/*', 200, '1', 'application/json'],
    ['/products/1', 'application/xml', 200, '1', 'application/xml'],
    ['/products/1', vendor(1), 200, '1', vendor(1)],
    ['/products/1', vendor(2), 200, '2', vendor(2)],
    ['/products/1', vendor(2, 'xml'), 200, '2', vendor(2, 'xml')],
    ['/products/1', vendor(9), 406, '1', 'application/json'],
    ['/products/1', 'text/html', 406, '1', 'application/json'],
    ['/products/1', 'application/problem+json', 200, '1', 'application/json'],
    ['/v1/products/1', undefined, 200, '1', 'application/json'],
    ['/v2/products/1', undefined, 200, '2', 'application/json'],
    ['/v2/products/1', 'application/xml', 200, '2', 'application/xml'],
    ['/v2/products/1', vendor(2), 200, '2', vendor(2)],
    ['/v2/products/1', vendor(1), 400, '1', 'application/json'],
    ['/products/1?version=2', undefined, 200, '2', 'application/json'],
    ['/products/1?version=2&include=reviews', vendor(2), 200, '2', vendor(2)],
    ['/products/1?version=1', vendor(2), 400, '1', 'application/json'],
    ['/v2/products/1?version=2', undefined, 200, '2', 'application/json'],
    ['/v1/products/1?version=2', undefined, 400, '1', 'application/json'],
    ['/products/1?version=3', undefined, 400, '1', 'application/json'],
    ['/products/1?version=', undefined, 400, '1', 'application/json'],
    ['/products?version=2&limit=1&price_min=5', undefined, 200, '2', 'application/json'],
  ]
  for (const [path, accept, status, version, type] of negotiations) {
    test(`${path} with Accept ${accept ?? 'absent'} answers ${status}, version ${version}, ${type}`, async () => {
      const headers = accept === undefined ? {} : { accept }
      const answer = await shop.request('GET', path, undefined, headers)
      assert.equal(answer.status, status, answer.text)
      assert.equal(answer.headers['api-version'], version)
      const sent = answer.headers['content-type'] ?? ''
      if (status < 300) assert.equal(sent, `${type}; charset=utf-8`)
      assert.match(answer.headers['vary'] ?? 'Accept', /\bAccept\b/)
    })
  }

  test('an unknown version answers the error of its place: path, query or header', async () => {
    const inPath = await shop.request('GET', '/v3/products')
    const inQuery = await shop.request('GET', '/products?version=3')
    const inHeader = await shop.request('GET', '/products', undefined, { accept: vendor(3) })
    const twice = await shop.request('GET', '/v1/products?version=2')
    const codes = [inPath, inQuery, inHeader, twice].map(({ json }) => json.error_code)
    assert.deepEqual(codes, ['4042', '4003', '4061', '4004'])
    assert.equal(inPath.json.path, '/v3/products')
  })

  test('Content-Type without a body does not select a version', async () => {
    const headers = { 'content-type': vendor(2) }
    const answer = await shop.request('GET', '/products/1', undefined, headers)
    assert.equal(answer.headers['api-version'], '1')
  })

  test('links keep the version of the path, not that of the query', async () => {
    const { headers, json } = await shop.request('GET', '/v2/products?limit=1')
    assert.match(headers['link'] ?? '', /^<\/v2\/products\?limit=1&page=1>; rel="first"/)
    assert.equal(json.data[0]._links.self.href, '/v2/products/1')
    const body = { name: 'Pan', price: { amount: '5.00', currency: 'USD' } }
    const made = await admin.request('POST', '/v2/products', body)
    assert.equal(made.headers['location'], `/v2/products/${made.json.id}`)
    const byQuery = await shop.request('GET', '/products/1?version=2')
    assert.equal(byQuery.json._links.self.href, '/products/1')
  })

  test('without SUNSET_V1, no version is deprecated', async () => {
    for (const version of ['1', '2']) {
      const { headers } = await shop.request('GET', `/v${version}/products/1`)
      const sent = ['api-version', 'deprecation', 'sunset', 'link'].map((name) => headers[name])
      assert.deepEqual(sent, [version, undefined, undefined, undefined])
    }
    assert.doesNotMatch(JSON.stringify(shop.describe()), /Deprecation|Sunset/)
  })

  test('with SUNSET_V1, only version 1 sends Deprecation and Sunset', async (t) => {
    const old = await startTestApp('memory', { composition: { sunsetV1: Date.UTC(2028, 10, 21) } })
    t.after(() => old.dispose())
    const first = await old.request('GET', '/products?limit=1')
    assert.equal(first.headers['deprecation'], '@1795219200')
    assert.equal(first.headers['sunset'], 'Tue, 21 Nov 2028 00:00:00 GMT')
    assert.match(first.headers['link'] ?? '', /rel="first".*<\/changes>; rel="deprecation"/)
    const second = await old.request('GET', '/v2/products/1')
    for (const name of ['deprecation', 'sunset', 'link']) {
      assert.equal(second.headers[name], undefined)
    }
    assert.equal((await old.request('GET', '/changes')).status, 200)
    assert.match(JSON.stringify(old.describe()), /Deprecation.*Sunset/)
    assert.doesNotMatch(JSON.stringify(old.describe(2)), /Deprecation|Sunset/)
  })

  test('each media type has its own ETag, and a change accepts any of them', async () => {
    const seen = new Set<string>()
    for (const accept of ['application/json', 'application/xml', vendor(1), vendor(2)]) {
      const { headers } = await shop.request('GET', '/products/1', undefined, { accept })
      seen.add(headers['etag'] ?? '')
      const again = { accept, 'if-none-match': headers['etag'] ?? '' }
      assert.equal((await shop.request('GET', '/products/1', undefined, again)).status, 304)
    }
    assert.equal(seen.size, 4)
    for (const accept of ['application/xml', vendor(2)]) {
      const { headers } = await shop.request('GET', '/products/1', undefined, { accept })
      const match = { 'if-match': headers['etag'] ?? '' }
      const { status } = await admin.request('PATCH', '/products/1', { name: 'Kettle' }, match)
      assert.equal(status, 200)
    }
  })

  test('documents accept text/html and describe the version of their path', async () => {
    const headers = { accept: 'text/html' }
    assert.equal((await shop.request('GET', '/docs', undefined, headers)).status, 200)
    assert.match((await shop.request('GET', '/v2/docs')).text, /\/v2\/openapi\.json/)
    const { json } = await shop.request('GET', '/v2/openapi.json')
    const { Money, Product } = json.components.schemas
    const { price, availability } = Product.properties
    assert.equal(price.$ref, '#/components/schemas/Money')
    assert.deepEqual(Money.required, ['amount', 'currency'])
    const { properties } = resolve(json, availability)
    assert.deepEqual(Object.keys(Object(properties)), ['status', 'stock'])
    assert.deepEqual(json.servers, [{ url: '/v2' }])
  })

  const bodies: readonly (readonly [method: string, type: string, status: number])[] = [
    ['POST', 'application/json', 201],
    ['POST', 'application/json; charset=UTF-8', 201],
    ['POST', 'application/json; charset=latin1', 415],
    ['POST', vendor(1), 201],
    ['POST', vendor(9), 415],
    ['POST', 'application/merge-patch+json', 415],
    ['POST', 'text/plain', 415],
    ['PATCH', 'application/merge-patch+json', 200],
    ['PATCH', 'application/json', 200],
  ]
  for (const [method, type, status] of bodies) {
    test(`${method} with ${type} answers ${status}`, async () => {
      const path = method === 'POST' ? '/products' : '/products/1'
      const headers = { 'content-type': type }
      const answer = await admin.request(method, path, { name: 'Tray', price: 5 }, headers)
      assert.equal(answer.status, status, answer.text)
      if (status === 415) assert.equal(answer.json.error_code, '4151')
    })
  }

  test('equal representations have equal ETags for all callers, different ones do not', async () => {
    const tags = async (path: string) => {
      const callers = [await shop.signInAs('customer'), await shop.signInAs('customer')]
      const answers = await Promise.all(callers.map(({ request }) => request('GET', path)))
      return answers.map(({ headers }) => headers['etag'])
    }
    for (const path of ['/products/1', '/products']) {
      const { headers } = await shop.request('GET', path)
      assert.deepEqual(await tags(path), [headers['etag'], headers['etag']], path)
    }
    const [one, other] = await tags('/profile')
    assert.notEqual(one, other)
    const asAdmin = await admin.request('GET', '/products/1')
    assert.notEqual(
      asAdmin.headers['etag'],
      (await shop.request('GET', '/products/1')).headers['etag'],
    )
    const sent = { 'if-match': String(asAdmin.headers['etag']) }
    assert.equal((await admin.request('PATCH', '/products/1', { price: 20 }, sent)).status, 200)
  })

  test('errors are XML where only XML is accepted', async () => {
    const headers = { accept: 'application/xml' }
    const missing = await shop.request('GET', '/products/99', undefined, headers)
    assert.equal(missing.headers['content-type'], 'application/xml; charset=utf-8')
    assert.match(missing.text, /<error><error_code>4041<\/error_code>/)
    const nowhere = await shop.request('GET', '/nowhere', undefined, headers)
    assert.match(nowhere.text, /<error><error_code>4042<\/error_code>/)
    const forbidden = await shop.request('GET', '/users', undefined, headers)
    assert.match(forbidden.text, /<error><error_code>4011<\/error_code>/)
  })
})
