import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestApp, type TestApp } from '#test/support/app.ts'

const shopOrigin = 'https://shop.example.com'

describe('with allowed origins', () => {
  let shop: TestApp
  before(async () => {
    shop = await startTestApp('sqlite', { composition: { origins: [shopOrigin] } })
  })
  after(() => shop.dispose())

  test('their pages may read every response and its exposed header fields', async () => {
    for (const url of ['/products', '/nowhere', '/orders', '/products/x']) {
      const { headers } = await shop.request('GET', url, undefined, { origin: shopOrigin })
      assert.equal(headers['access-control-allow-origin'], shopOrigin, url)
      assert.match(headers['vary'] ?? '', /\bOrigin\b/)
      for (const name of ['ETag', 'Location', 'Link', 'X-Request-Id', 'Retry-After']) {
        assert.ok(headers['access-control-expose-headers']?.split(', ').includes(name), name)
      }
      assert.ok(!('access-control-allow-credentials' in headers))
    }
  })
  test('other pages may read none, and responses vary by Origin', async () => {
    for (const origin of ['https://evil.example', `${shopOrigin}.evil.example`, 'null']) {
      const { headers } = await shop.request('GET', '/products', undefined, { origin })
      assert.ok(!('access-control-allow-origin' in headers), origin)
      assert.match(headers['vary'] ?? '', /\bOrigin\b/)
    }
    const { headers } = await shop.request('GET', '/products')
    assert.match(headers['vary'] ?? '', /\bOrigin\b/)
  })
  test('a preflight gets the methods of the path, on every path', async () => {
    for (const { route } of shop.operations) {
      const url = route.path.replace(/:\w+/g, '1')
      const { status, headers, text } = await shop.request('OPTIONS', url, undefined, {
        origin: shopOrigin,
        'access-control-request-method': route.method,
        'access-control-request-headers': 'authorization',
      })
      assert.deepEqual([status, text], [204, ''], url)
      assert.equal(headers['access-control-allow-methods'], headers['allow'])
      assert.ok(headers['allow']?.split(', ').includes(route.method))
      assert.match(headers['access-control-allow-headers'] ?? '', /Authorization.*If-Match/)
      assert.equal(headers['access-control-max-age'], '600')
    }
  })
  test('OPTIONS without Access-Control-Request-Method is no preflight', async () => {
    const { status, headers } = await shop.request('OPTIONS', '/products', undefined, {
      origin: shopOrigin,
    })
    assert.equal(status, 204)
    assert.ok(!('access-control-allow-methods' in headers))
  })
})

describe('with every origin allowed', () => {
  test('every page may read, and responses do not vary by Origin', async () => {
    const shop = await startTestApp('sqlite', { composition: { origins: '*' } })
    const sent = { origin: 'https://any.example' }
    const { headers } = await shop.request('GET', '/products', undefined, sent)
    const { headers: withoutOrigin } = await shop.request('GET', '/products')
    for (const fields of [headers, withoutOrigin]) {
      assert.equal(fields['access-control-allow-origin'], '*')
      assert.match(fields['access-control-expose-headers'] ?? '', /ETag/)
      assert.doesNotMatch(fields['vary'] ?? '', /Origin/)
    }
    await shop.dispose()
  })
})

describe('without allowed origins', () => {
  test('no response has CORS header fields', async () => {
    const shop = await startTestApp('sqlite')
    const sent = { origin: shopOrigin, 'access-control-request-method': 'GET' }
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await shop.request(method, '/products', undefined, sent)
      const names = Object.keys(headers).filter((name) => name.startsWith('access-control'))
      assert.deepEqual(names, [])
    }
    await shop.dispose()
  })
})
