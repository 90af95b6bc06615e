import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestApp, type TestApp } from '#test/support/app.ts'
import type { HttpsPolicy } from './https-policy.ts'
import { trustIn } from './proxies.ts'

const https = {
  port: 3443,
  isOwn: (host: string) => ['shop.example', '192.0.2.1'].includes(host),
  name: 'shop.example',
}
const trusts = trustIn(['10.0.0.0/8'])
const stranger = '198.51.100.9'
const here = '127.0.0.1'

/** Where a request is sent on to, or its status where it is answered. */
type Ask = (
  remoteAddress: string,
  host: string,
  options?: { readonly url?: string; readonly headers?: object; readonly method?: 'GET' | 'POST' },
) => Promise<string | number>

async function opened(httpsPolicy: HttpsPolicy): Promise<{ app: TestApp; ask: Ask }> {
  const app = await startTestApp('sqlite', { composition: { httpsPolicy } })
  const ask: Ask = async (remoteAddress, host, options = {}) => {
    const { url = '/products?q=x', method = 'GET' } = options
    const headers = { host, ...options.headers }
    const answer = await app.app.inject({ method, url, remoteAddress, headers })
    if (answer.statusCode !== 301) return answer.statusCode
    assert.equal(answer.headers['strict-transport-security'], undefined)
    assert.equal(answer.payload, '')
    return String(answer.headers['location'])
  }
  return { app, ask }
}

describe('where this process offers HTTPS itself, plain HTTP', () => {
  let shop: { app: TestApp; ask: Ask }
  let strict: { app: TestApp; ask: Ask }
  before(async () => {
    shop = await opened({ plain: 'loopback', https })
    strict = await opened({ plain: 'redirect', https })
  })
  after(async () => {
    await shop.app.dispose()
    await strict.app.dispose()
  })

  test('leads strangers to the same path over HTTPS', async () => {
    const place = 'https://shop.example:3443/products?q=x'
    for (const host of ['shop.example', 'shop.example:3000', 'SHOP.example']) {
      assert.equal(await shop.ask(stranger, host), place, host)
    }
    const url = '/v2/nowhere?a=%2F%2F&b'
    assert.equal(
      await shop.ask(stranger, '192.0.2.1', { url, method: 'POST' }),
      `https://192.0.2.1:3443${url}`,
    )
    assert.equal(await strict.ask(stranger, 'shop.example'), place)
    for (const name of ['api_key', 'api%5Fkey', '%61pi_key']) {
      const secret = `/products?${name}=cw_secret&q=x&${name}=cw_secret`
      assert.equal(await shop.ask(stranger, 'shop.example', { url: secret }), place, name)
    }
  })
  test('leads nobody to a host that is not ours, whatever Host or the target says', async () => {
    const place = 'https://shop.example:3443/products?q=x'
    for (const host of ['evil.example', 'shop.example.evil.example', 'shop.example@evil.example']) {
      const answer = await shop.ask(stranger, host)
      assert.ok(answer === place || answer === 400, `${host}: ${answer}`)
    }
    const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' }
    assert.equal(await shop.ask(stranger, 'shop.example', { headers }), place)
  })
  test('answers this machine, unless it answers nobody', async () => {
    const place = 'https://localhost:3443/products?q=x'
    assert.equal(await shop.ask(here, 'localhost:3000'), 200)
    assert.equal(await strict.ask(here, 'localhost:3000'), place)
    assert.equal(await shop.ask(stranger, 'localhost'), 'https://localhost:3443/products?q=x')
  })
  test('answers probes of its health, and a payment provider on this machine', async () => {
    for (const url of ['/health/live', '/health/ready']) {
      assert.equal(await strict.ask(stranger, '192.0.2.1', { url }), 200)
    }
    const notified = { url: '/payment-notifications', method: 'POST' } as const
    assert.equal(await strict.ask(here, 'localhost', notified), 401)
    assert.match(String(await strict.ask(stranger, 'shop.example', notified)), /^https:/)
  })
  test('is what it says, whatever somebody who is no trusted proxy says', async () => {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': here }
    assert.match(String(await shop.ask(stranger, 'shop.example', { headers })), /^https:/)
  })
})

test('an https BASE_URL is where hosts that are not known are sent, and its port rules', async () => {
  const baseUrl = 'https://shop.example:8443'
  for (const httpsPolicy of [
    { plain: 'redirect', https, baseUrl },
    { plain: 'redirect', trusts, baseUrl },
  ] as const) {
    const { app, ask } = await opened(httpsPolicy)
    const headers = { 'x-forwarded-proto': 'http', 'x-forwarded-for': stranger }
    for (const host of ['shop.example', 'evil.example', 'shop.example:80']) {
      assert.equal(await ask('10.0.0.1', host, { headers }), `${baseUrl}/products?q=x`)
    }
    await app.dispose()
  }
})

test('no host that somebody else writes is where a request is sent', async () => {
  const baseUrl = 'https://shop.example'
  const forwarded = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.example' }
  const cases: readonly (readonly [HttpsPolicy, string])[] = [
    [{ plain: 'loopback', trusts, baseUrl }, baseUrl],
    [{ plain: 'loopback', trusts, https, baseUrl }, baseUrl],
    [{ plain: 'loopback', https, baseUrl }, baseUrl],
    [{ plain: 'loopback', trusts, baseUrl: 'http://shop.example:8080' }, 'https://shop.example'],
    [{ plain: 'loopback', trusts }, 'https://localhost'],
    [{ plain: 'loopback', trusts, https }, 'https://shop.example:3443'],
    [{ plain: 'loopback' }, 'https://localhost'],
  ]
  for (const [httpsPolicy, origin] of cases) {
    const { app, ask } = await opened(httpsPolicy)
    for (const peer of ['10.0.0.1', stranger]) {
      for (const headers of [forwarded, { ...forwarded, 'x-forwarded-for': stranger }]) {
        assert.equal(await ask(peer, 'evil.example', { headers }), `${origin}/products?q=x`)
      }
    }
    await app.dispose()
  }
})

test('without HTTPS of its own, loopback lets in this machine, and allow everybody', async () => {
  const { app, ask } = await opened({ plain: 'loopback' })
  assert.equal(await ask(here, 'localhost'), 200)
  assert.equal(await ask(stranger, 'shop.example'), 'https://localhost/products?q=x')
  await app.dispose()
  const baseUrl = 'https://shop.example'
  for (const httpsPolicy of [{}, { https }, { https, baseUrl }, { trusts, baseUrl }]) {
    const open = await opened({ plain: 'allow', ...httpsPolicy })
    assert.equal(await open.ask(stranger, 'shop.example'), 200)
    const headers = { 'x-forwarded-proto': 'http', 'x-forwarded-for': stranger }
    assert.equal(await open.ask('10.0.0.1', 'shop.example', { headers }), 200)
    await open.app.dispose()
  }
})

test('a trusted proxy that does not say how its client came is served', async () => {
  const { app, ask } = await opened({ plain: 'loopback', trusts, baseUrl: 'https://shop.example' })
  const headers = { 'x-forwarded-for': stranger }
  assert.equal(await ask('10.0.0.1', 'shop.example', { headers }), 200)
  assert.match(String(await ask(stranger, 'shop.example', { headers })), /^https:/)
  await app.dispose()
})

test('where nobody is answered over plain HTTP, a proxy that says nothing is nobody', async () => {
  const { app, ask } = await opened({ plain: 'redirect', trusts })
  assert.equal(await ask('10.0.0.1', 'localhost'), 'https://localhost/products?q=x')
  const headers = { 'x-forwarded-proto': 'https' }
  assert.equal(await ask('10.0.0.1', 'shop.example', { headers }), 200)
  await app.dispose()
})
