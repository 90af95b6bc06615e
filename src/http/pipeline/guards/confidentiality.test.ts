import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { compileAddressMatcher } from '#http/message/addresses.ts'
import { makeApiKey } from '#shop/access/api-keys/secret.ts'
import { startTestApp, type TestApp, testPassword } from '#test/support/app.ts'

const stranger = '198.51.100.9'
const proxy = '10.0.0.1'

interface TestRequest {
  readonly method?: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

describe('over plain HTTP from another machine', () => {
  let shop: TestApp
  let token = ''
  before(async () => {
    const httpsPolicy = {
      plain: 'allow',
      isTrustedProxy: compileAddressMatcher([proxy]),
      baseUrl: 'https://shop.example',
    } as const
    shop = await startTestApp('sqlite', { composition: { httpsPolicy } })
    token = (await shop.signInAs('admin', { username: 'ada' })).token
  })
  after(() => shop.dispose())

  /** Sends a request from an address; the proxy forwards it from HTTPS. */
  const send = async ({ method = 'GET', url, headers, body }: TestRequest, from = stranger) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const isHttps = from === proxy
    const forwarded = isHttps
      ? { 'x-forwarded-proto': 'https', 'x-forwarded-for': stranger }
      : undefined
    const response = await shop.app.inject({
      method: method as 'GET',
      url,
      remoteAddress: from,
      headers: { ...type, ...forwarded, ...headers },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    return { status: response.statusCode, text: response.payload }
  }
  const isInsecure = ({ status, text }: { status: number; text: string }): boolean =>
    status === 403 && text.includes('"4031"') && text.includes('only over HTTPS')

  const credentials = (): Readonly<Record<string, string>> => ({
    bearer: `Bearer ${token}`,
    basic: `Basic ${Buffer.from(`ada:${testPassword}`).toString('base64')}`,
    digest: 'Digest username="ada"',
    'api-key': `Api-Key ${makeApiKey().key}`,
    unknown: 'Negotiate abc',
  })

  test('every route rejects a credential of any kind', async () => {
    for (const { route } of shop.operations) {
      if (route.access.kind === 'no-authentication') continue
      const { method } = route
      const url = route.path.replaceAll(/:\w+/g, '1')
      for (const [kind, authorization] of Object.entries(credentials())) {
        const response = await send({ method, url, headers: { authorization } })
        const { status, text } = response
        assert.ok(isInsecure(response), `${method} ${url} ${kind}: ${status} ${text}`)
      }
      const inQuery = await send({ method, url: `${url}?api_key=${makeApiKey().key}` })
      assert.ok(isInsecure(inQuery), `${method} ${url}?api_key: ${inQuery.status}`)
    }
  })

  test('an API key in a body gets 403 after the body is read', async () => {
    const body = { name: 'Lamp', price: 1, api_key: makeApiKey().key }
    assert.ok(isInsecure(await send({ method: 'POST', url: '/products', body })))
  })

  const requestsWithSecrets: readonly TestRequest[] = [
    { method: 'POST', url: '/login', body: { username: 'ada', password: testPassword } },
    { method: 'POST', url: '/login', body: { refresh_token: 'x' } },
    {
      method: 'POST',
      url: '/users',
      body: { name: 'Bob', username: 'bob', password: testPassword },
    },
    { method: 'PUT', url: '/users/1', body: { name: 'Ada', password: testPassword } },
    { method: 'PATCH', url: '/users/1', body: { password: testPassword } },
    { method: 'POST', url: '/user/delete', body: { password: testPassword } },
    { method: 'POST', url: '/v2/login', body: { username: 'ada', password: testPassword } },
  ]

  test('a body that may hold a password gets 403, but not over HTTPS or from this machine', async () => {
    for (const sent of requestsWithSecrets) {
      const name = `${sent.method} ${sent.url}`
      assert.ok(isInsecure(await send(sent)), name)
      assert.ok(!isInsecure(await send(sent, proxy)), `${name} over HTTPS`)
      assert.ok(!isInsecure(await send(sent, '127.0.0.1')), `${name} from this machine`)
    }
  })

  test('every password in a body is declared writeOnly', () => {
    for (const { route } of shop.operations) {
      for (const [name, field] of Object.entries(route.body?.properties ?? {})) {
        if (!name.includes('password')) continue
        assert.ok('writeOnly' in field, `${name} of ${route.method} ${route.path}`)
      }
    }
  })

  test('a body that may hold a password gets 403 before it is read', async () => {
    const headers = { 'content-type': 'application/json' }
    const sent = { method: 'POST', url: '/login', headers } as const
    const { app } = shop
    const response = await app.inject({ ...sent, remoteAddress: stranger, payload: '{"broken' })
    assert.equal(response.statusCode, 403)
    const local = await app.inject({ ...sent, payload: '{"broken' })
    assert.equal(local.statusCode, 400)
  })

  test('OAuth serves only its public endpoints', async () => {
    for (const [method, url] of [
      ['POST', '/oauth/token'],
      ['POST', '/oauth/introspect'],
      ['POST', '/oauth/revoke'],
      ['GET', '/oauth/userinfo'],
      ['GET', '/oauth/authorize?client_id=x'],
      ['POST', '/oauth/authorize'],
      ['GET', '/oauth/interaction/x'],
      ['POST', '/oauth/interaction/x'],
    ] as const) {
      const { status, text } = await send({ method, url })
      assert.equal(status, 403, `${method} ${url}`)
      assert.match(text, /"error":"invalid_request".*only over HTTPS/)
      assert.notEqual((await send({ method, url }, proxy)).status, 403, `${url} over HTTPS`)
    }
    for (const url of ['/oauth/jwks', '/.well-known/openid-configuration']) {
      assert.equal((await send({ url })).status, 200, url)
    }
  })

  test('anonymous callers read the catalogue, and get 401 elsewhere', async () => {
    for (const url of ['/products', '/products?q=lamp', '/', '/openapi.json', '/health/live']) {
      assert.equal((await send({ url })).status, 200, url)
    }
    assert.equal((await send({ url: '/orders' })).status, 401)
    assert.equal((await send({ url: '/profile', headers: credentials() }, proxy)).status, 401)
    const authorization = `Bearer ${token}`
    assert.equal((await send({ url: '/profile', headers: { authorization } }, proxy)).status, 200)
    assert.equal((await send({ url: '/profile', headers: { authorization } }, '::1')).status, 200)
  })
})
