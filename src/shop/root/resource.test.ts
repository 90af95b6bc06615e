import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { startTestApp, type TestApp, type TestCaller, type TestRequest } from '#test/support/app.ts'
import { scopedCaller } from '#test/support/callers/narrow-caller.ts'

describe('the entry', () => {
  let shop: TestApp
  let customer: TestCaller
  let admin: TestCaller
  before(async () => {
    shop = await startTestApp('memory')
    customer = await shop.signInAs('customer')
    admin = await shop.signInAs('admin')
  })
  after(() => shop.dispose())

  const readLinks = async (request: TestRequest) => (await request('GET', '/')).json._links
  const readLinkNames = async (request: TestRequest) => Object.keys(await readLinks(request)).sort()

  test('has the name and version of the server, the versions of the API the currency and the time zone', async () => {
    const url = new URL('../../../package.json', import.meta.url)
    const { version } = JSON.parse(await readFile(url, 'utf8')) as { readonly version: string }
    const { status, json } = await shop.request('GET', '/')
    assert.equal(status, 200)
    const { _links, ...fields } = json
    assert.deepEqual(fields, {
      ...{ name: 'cartwright', version, api_versions: [1, 2] },
      ...{ currency: 'USD', currency_digits: 2, time_zone: 'UTC' },
    })
  })

  test('links an anonymous caller to the catalogue, sign-up and what signing in allows', async () => {
    const signingIn = ['login', 'orders', 'profile', 'purchases', 'sign_up']
    const names = [
      ...signingIn,
      'categories',
      'reset_password',
      'start_as_guest',
      'documentation',
      'openapi',
      'health',
      'problems',
      'products',
      'self',
      'shipping_methods',
    ].sort()
    assert.deepEqual(await readLinkNames(shop.request), names)
    assert.equal((await readLinks(shop.request)).sign_up.method, 'POST')
  })

  test('links a customer to their own cart and orders', async () => {
    const links = await readLinks(customer.request)
    assert.equal(links.cart.href, `/users/${customer.id}/cart`)
    assert.equal(links.own_orders.href, `/users/${customer.id}/orders`)
    assert.equal(links.api_keys.href, '/api-keys')
    assert.ok(!('users' in links) && !('sign_up' in links))
  })

  test('links an administrator to the users, settings and webhooks', async () => {
    const links = await readLinks(admin.request)
    assert.equal(links.users.href, '/users')
    assert.equal(links.discounts.href, '/discounts')
    assert.equal(links.tax_rates.href, '/tax-rates')
    assert.equal(links.webhooks.href, '/webhooks')
    assert.equal(links.operations.href, '/operations')
    assert.equal(links.audit_events.href, '/audit-events')
    assert.equal(links.oauth_clients.href, '/oauth-clients')
  })

  test('links an administrator alone to what creates products, settings and webhooks', async () => {
    const creationOf = (links: Readonly<Record<string, { href: string; method?: string }>>) =>
      Object.entries(links)
        .filter(([name]) => /^(create_|import$)/.test(name))
        .map(([name, { method, href }]) => `${name}: ${method} ${href}`)
    assert.deepEqual(creationOf(await readLinks(admin.request)), [
      'create_product: POST /products',
      'import: POST /imports?resource=products',
      'create_shipping_method: POST /shipping-methods',
      'create_tax_rate: POST /tax-rates',
      'create_discount: POST /discounts',
      'create_webhook: POST /webhooks',
    ])
    assert.deepEqual(creationOf(await readLinks(customer.request)), [])
  })

  test('links a narrow credential only to what its scopes allow', async () => {
    const narrow = await scopedCaller(shop, customer, ['purchases:read'])
    assert.deepEqual(await readLinkNames(narrow), [
      'categories',
      'documentation',
      'health',
      'login',
      'openapi',
      'problems',
      'products',
      'purchases',
      'self',
      'shipping_methods',
    ])
  })

  test('links a narrow credential to nothing that needs another scope, too', async () => {
    const scopes = ['imports:write', 'webhooks:write'] as const
    const names = await readLinkNames(await scopedCaller(shop, admin, scopes))
    assert.ok(!names.includes('import'), String(names))
    assert.ok(!names.includes('create_webhook'), String(names))
    const wider = [...scopes, 'products:write', 'events:read'] as const
    const more = await readLinkNames(await scopedCaller(shop, admin, wider))
    assert.ok(more.includes('import') && more.includes('create_webhook'), String(more))
  })

  test('links an administrator to every list that begins at no other resource', async () => {
    const hrefs = Object.values<{ href: string }>(await readLinks(admin.request))
    const linked = new Set(hrefs.map(({ href }) => href))
    const lists = shop.operations.filter(
      ({ route: { kind, path } }) => kind === 'list' && !path.includes(':'),
    )
    const missing = lists.map(({ route }) => route.path).filter((path) => !linked.has(path))
    assert.deepEqual(missing, [])
  })

  test('has no dead links: every link with GET answers 200', async () => {
    for (const request of [customer.request, admin.request]) {
      const links: Readonly<Record<string, { href: string; method?: string }>> =
        await readLinks(request)
      for (const { href, method } of Object.values(links)) {
        if (method === undefined) assert.equal((await request('GET', href)).status, 200, href)
      }
    }
  })

  test('has an ETag for each caller and is publicly cacheable for anonymous callers', async () => {
    const narrow = await scopedCaller(shop, customer, [])
    const callers = [shop.request, customer.request, admin.request, narrow]
    const responses = await Promise.all(callers.map((request) => request('GET', '/')))
    assert.equal(new Set(responses.map(({ headers }) => headers['etag'])).size, callers.length)
    const [anonymous, ...authenticated] = responses.map(
      ({ headers }) => headers['cache-control'] ?? '',
    )
    assert.match(anonymous ?? '', /^public, /)
    for (const control of authenticated) assert.equal(control, 'private, no-cache')
  })

  test('has another ETag for a key with an end, which sets up no webhook', async () => {
    const scopes = ['webhooks:write', 'events:read']
    const ends = new Date(shop.now + 3_600_000).toISOString()
    const readWith = async (limit: object) => {
      const body = { name: 'Root', scopes, ...limit }
      const { json } = await admin.request('POST', '/api-keys', body)
      return shop.request('GET', '/', undefined, { authorization: `Api-Key ${json.key}` })
    }
    const [endless, ending] = [await readWith({}), await readWith({ expires_at: ends })]
    assert.ok('create_webhook' in endless.json._links && !('create_webhook' in ending.json._links))
    assert.notEqual(ending.headers['etag'], endless.headers['etag'])
  })

  test('takes no statement except that of authentication', async () => {
    shop.takeCount()
    await shop.request('GET', '/')
    assert.equal(shop.takeCount(), 0)
    await customer.request('GET', '/')
    assert.equal(shop.takeCount(), 1)
  })
})
