import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { compileAddressMatcher } from '#http/message/addresses.ts'
import { startTestApp, type TestApp } from '#test/support/app.ts'
import type { HttpsPolicy } from './https-policy.ts'

const https = {
  port: 3443,
  coversHost: (host: string) => ['shop.example', '192.0.2.1'].includes(host),
  name: 'shop.example',
}
const isTrustedProxy = compileAddressMatcher(['10.0.0.0/8'])
const stranger = '198.51.100.9'
const here = '127.0.0.1'

/** Sends a request; returns the Location of a redirect, else the status. */
type Send = (
  remoteAddress: string,
  host: string,
  options?: { readonly url?: string; readonly headers?: object; readonly method?: 'GET' | 'POST' },
) => Promise<string | number>

async function openWith(httpsPolicy: HttpsPolicy): Promise<{ app: TestApp; send: Send }> {
  const app = await startTestApp('sqlite', { composition: { httpsPolicy } })
  const send: Send = async (remoteAddress, host, options = {}) => {
    const { url = '/products?q=x', method = 'GET' } = options
    const headers = { host, ...options.headers }
    const response = await app.app.inject({ method, url, remoteAddress, headers })
    if (response.statusCode !== 301) return response.statusCode
    assert.equal(response.headers['strict-transport-security'], undefined)
    assert.equal(response.payload, '')
    return String(response.headers['location'])
  }
  return { app, send }
}

describe('beside an HTTPS listener of this process, plain HTTP', () => {
  let shop: { app: TestApp; send: Send }
  let redirecting: { app: TestApp; send: Send }
  before(async () => {
    shop = await openWith({ plain: 'loopback', https })
    redirecting = await openWith({ plain: 'redirect', https })
  })
  after(async () => {
    await shop.app.dispose()
    await redirecting.app.dispose()
  })

  test('redirects clients on other machines to the same path over HTTPS', async () => {
    const location = 'https://shop.example:3443/products?q=x'
    for (const host of ['shop.example', 'shop.example:3000', 'SHOP.example']) {
      assert.equal(await shop.send(stranger, host), location, host)
    }
    const url = '/v2/nowhere?a=%2F%2F&b'
    assert.equal(
      await shop.send(stranger, '192.0.2.1', { url, method: 'POST' }),
      `https://192.0.2.1:3443${url}`,
    )
    assert.equal(await redirecting.send(stranger, 'shop.example'), location)
    for (const name of ['api_key', 'api%5Fkey', '%61pi_key']) {
      const secret = `/products?${name}=cw_secret&q=x&${name}=cw_secret`
      assert.equal(await shop.send(stranger, 'shop.example', { url: secret }), location, name)
    }
  })
  test('redirects to no host outside the certificate, whatever Host or the target is', async () => {
    const location = 'https://shop.example:3443/products?q=x'
    for (const host of ['evil.example', 'shop.example.evil.example', 'shop.example@evil.example']) {
      const result = await shop.send(stranger, host)
      assert.ok(result === location || result === 400, `${host}: ${result}`)
    }
    const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' }
    assert.equal(await shop.send(stranger, 'shop.example', { headers }), location)
  })
  test('serves this machine, unless the policy is redirect', async () => {
    const location = 'https://localhost:3443/products?q=x'
    assert.equal(await shop.send(here, 'localhost:3000'), 200)
    assert.equal(await redirecting.send(here, 'localhost:3000'), location)
    assert.equal(await shop.send(stranger, 'localhost'), 'https://localhost:3443/products?q=x')
  })
  test('serves health probes, and payment notifications from this machine', async () => {
    for (const url of ['/health/live', '/health/ready']) {
      assert.equal(await redirecting.send(stranger, '192.0.2.1', { url }), 200)
    }
    const notified = { url: '/payment-notifications', method: 'POST' } as const
    assert.equal(await redirecting.send(here, 'localhost', notified), 400)
    assert.match(String(await redirecting.send(stranger, 'shop.example', notified)), /^https:/)
  })
  test('ignores forwarded header fields of an untrusted peer', async () => {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': here }
    assert.match(String(await shop.send(stranger, 'shop.example', { headers })), /^https:/)
  })
})

test('an https BASE_URL, with its port, is the origin of every redirect', async () => {
  const baseUrl = 'https://shop.example:8443'
  for (const httpsPolicy of [
    { plain: 'redirect', https, baseUrl },
    { plain: 'redirect', isTrustedProxy, baseUrl },
  ] as const) {
    const { app, send } = await openWith(httpsPolicy)
    const headers = { 'x-forwarded-proto': 'http', 'x-forwarded-for': stranger }
    for (const host of ['shop.example', 'evil.example', 'shop.example:80']) {
      assert.equal(await send('10.0.0.1', host, { headers }), `${baseUrl}/products?q=x`)
    }
    await app.dispose()
  }
})

test('a client cannot choose the host of a redirect', async () => {
  const baseUrl = 'https://shop.example'
  const forwarded = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.example' }
  const cases: readonly (readonly [HttpsPolicy, string])[] = [
    [{ plain: 'loopback', isTrustedProxy, baseUrl }, baseUrl],
    [{ plain: 'loopback', isTrustedProxy, https, baseUrl }, baseUrl],
    [{ plain: 'loopback', https, baseUrl }, baseUrl],
    [
      { plain: 'loopback', isTrustedProxy, baseUrl: 'http://shop.example:8080' },
      'https://shop.example',
    ],
    [{ plain: 'loopback', isTrustedProxy }, 'https://localhost'],
    [{ plain: 'loopback', isTrustedProxy, https }, 'https://shop.example:3443'],
    [{ plain: 'loopback' }, 'https://localhost'],
  ]
  for (const [httpsPolicy, origin] of cases) {
    const { app, send } = await openWith(httpsPolicy)
    for (const peer of ['10.0.0.1', stranger]) {
      for (const headers of [forwarded, { ...forwarded, 'x-forwarded-for': stranger }]) {
        assert.equal(await send(peer, 'evil.example', { headers }), `${origin}/products?q=x`)
      }
    }
    await app.dispose()
  }
})

test('without an HTTPS listener, loopback serves this machine, and allow serves all', async () => {
  const { app, send } = await openWith({ plain: 'loopback' })
  assert.equal(await send(here, 'localhost'), 200)
  assert.equal(await send(stranger, 'shop.example'), 'https://localhost/products?q=x')
  await app.dispose()
  const baseUrl = 'https://shop.example'
  for (const httpsPolicy of [{}, { https }, { https, baseUrl }, { isTrustedProxy, baseUrl }]) {
    const allowing = await openWith({ plain: 'allow', ...httpsPolicy })
    assert.equal(await allowing.send(stranger, 'shop.example'), 200)
    const headers = { 'x-forwarded-proto': 'http', 'x-forwarded-for': stranger }
    assert.equal(await allowing.send('10.0.0.1', 'shop.example', { headers }), 200)
    await allowing.app.dispose()
  }
})

test('with loopback, a trusted proxy without X-Forwarded-Proto is served', async () => {
  const { app, send } = await openWith({
    plain: 'loopback',
    isTrustedProxy,
    baseUrl: 'https://shop.example',
  })
  const headers = { 'x-forwarded-for': stranger }
  assert.equal(await send('10.0.0.1', 'shop.example', { headers }), 200)
  assert.match(String(await send(stranger, 'shop.example', { headers })), /^https:/)
  await app.dispose()
})

test('with redirect, a trusted proxy without X-Forwarded-Proto is redirected', async () => {
  const { app, send } = await openWith({ plain: 'redirect', isTrustedProxy })
  assert.equal(await send('10.0.0.1', 'localhost'), 'https://localhost/products?q=x')
  const headers = { 'x-forwarded-proto': 'https' }
  assert.equal(await send('10.0.0.1', 'shop.example', { headers }), 200)
  await app.dispose()
})
