import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { startTestApp, type TestApp, type TestCaller, type TestRequest } from '#test/support/app.ts'
import { narrowCaller } from '#test/support/callers/narrow-caller.ts'

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

  const linksFor = async (request: TestRequest) => (await request('GET', '/')).json._links
  const namesFor = async (request: TestRequest) => Object.keys(await linksFor(request)).sort()

  test('names the server, its release and the versions of the API', async () => {
    const url = new URL('../../../package.json', import.meta.url)
    const { version } = JSON.parse(await readFile(url, 'utf8')) as { readonly version: string }
    const { status, json } = await shop.request('GET', '/')
    assert.equal(status, 200)
    const { _links, ...told } = json
    assert.deepEqual(told, { name: 'cartwright', version, api_versions: [1, 2] })
  })

  test('leads a stranger to the catalogue, to an account and to what signing in opens', async () => {
    const signingIn = ['login', 'orders', 'profile', 'purchases', 'sign_up']
    const names = [
      ...signingIn,
      'documentation',
      'openapi',
      'health',
      'problems',
      'products',
      'self',
    ].sort()
    assert.deepEqual(await namesFor(shop.request), names)
    assert.equal((await linksFor(shop.request)).sign_up.method, 'POST')
  })

  test('leads a customer to their own cart and orders', async () => {
    const links = await linksFor(customer.request)
    assert.equal(links.cart.href, `/users/${customer.id}/cart`)
    assert.equal(links.own_orders.href, `/users/${customer.id}/orders`)
    assert.equal(links.api_keys.href, '/api-keys')
    assert.ok(!('users' in links) && !('sign_up' in links))
  })

  test('leads an administrator to the users as well', async () => {
    assert.equal((await linksFor(admin.request)).users.href, '/users')
  })

  test('leads a narrow credential to no more than its scopes allow', async () => {
    const narrow = await narrowCaller(shop, customer, ['purchases:read'])
    assert.deepEqual(await namesFor(narrow), [
      'documentation',
      'health',
      'login',
      'openapi',
      'problems',
      'products',
      'purchases',
      'self',
    ])
  })

  test('leads nobody astray: every link that is read answers 200', async () => {
    for (const request of [customer.request, admin.request]) {
      const links: Readonly<Record<string, { href: string; method?: string }>> =
        await linksFor(request)
      for (const { href, method } of Object.values(links)) {
        if (method === undefined) assert.equal((await request('GET', href)).status, 200, href)
      }
    }
  })

  test('has an ETag for each caller, and may be kept by shared caches for strangers', async () => {
    const narrow = await narrowCaller(shop, customer, [])
    const callers = [shop.request, customer.request, admin.request, narrow]
    const answers = await Promise.all(callers.map((request) => request('GET', '/')))
    assert.equal(new Set(answers.map(({ headers }) => headers['etag'])).size, callers.length)
    const [stranger, ...known] = answers.map(({ headers }) => headers['cache-control'] ?? '')
    assert.match(stranger ?? '', /^public, /)
    for (const control of known) assert.equal(control, 'private, no-cache')
  })

  test('costs no statement beside that of authentication', async () => {
    shop.takeCount()
    await shop.request('GET', '/')
    assert.equal(shop.takeCount(), 0)
    await customer.request('GET', '/')
    assert.equal(shop.takeCount(), 1)
  })
})
