import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestApp, type TestApp } from '#test/support/app.ts'
import { clientBehind, trustIn } from './proxies.ts'

test('addresses, networks and loopback are told from others', () => {
  const trusts = trustIn(['loopback', '10.0.0.0/8', '192.0.2.7', '2001:db8::/32'])
  for (const one of [
    '127.0.0.9',
    '::1',
    '::ffff:127.0.0.1',
    '10.9.9.9',
    '192.0.2.7',
    '2001:db8::5',
  ])
    assert.ok(trusts(one), one)
  for (const one of ['11.0.0.1', '192.0.2.8', '2001:db9::1', '']) assert.ok(!trusts(one), one)
})

test('the client is the first address from the right that no believed proxy has', () => {
  const trusts = trustIn(['loopback', '10.0.0.0/8'])
  const cases = [
    ['198.51.100.1', '203.0.113.9', '198.51.100.1'],
    ['10.0.0.1', undefined, '10.0.0.1'],
    ['10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['10.0.0.1', '192.0.2.1, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
    ['10.0.0.1', '10.0.0.3 ,10.0.0.2', '10.0.0.3'],
    ['10.0.0.1', '', '10.0.0.1'],
    ['10.0.0.1', 'unknown, 10.0.0.2', 'unknown'],
  ] as const
  for (const [peer, forwardedFor, client] of cases) {
    assert.equal(clientBehind(peer, forwardedFor, trusts), client)
  }
})

describe('behind a proxy', () => {
  let shop: TestApp
  let strict: TestApp
  before(async () => {
    const behind = { trusts: trustIn(['loopback', '10.0.0.0/8']), baseUrl: 'https://shop.example' }
    shop = await startTestApp('sqlite', {
      composition: { httpsPolicy: { ...behind, plain: 'loopback' } },
    })
    strict = await startTestApp('sqlite', {
      composition: { httpsPolicy: { ...behind, plain: 'redirect' } },
    })
  })
  after(async () => {
    await shop.dispose()
    await strict.dispose()
  })

  const ask = async (app: TestApp, remoteAddress: string, headers: Record<string, string>) => {
    const sent = { host: 'shop.example:80', ...headers }
    const answer = await app.app.inject({ url: '/products?q=x', remoteAddress, headers: sent })
    return { status: answer.statusCode, headers: answer.headers }
  }
  const from = (client: string, proto: string) => ({
    'x-forwarded-for': client,
    'x-forwarded-proto': proto,
  })

  test('clients over plain HTTP are sent to the same path over HTTPS', async () => {
    const { status, headers } = await ask(shop, '10.0.0.1', from('198.51.100.1', 'http'))
    assert.equal(status, 301)
    assert.equal(headers['location'], 'https://shop.example/products?q=x')
  })
  test('clients over HTTPS are served and told to stay with it', async () => {
    const { status, headers } = await ask(shop, '10.0.0.1', from('198.51.100.1', 'https'))
    assert.equal(status, 200)
    assert.equal(headers['strict-transport-security'], 'max-age=31536000')
  })
  test('clients of this machine are served over plain HTTP, unless nobody is', async () => {
    assert.equal((await ask(shop, '127.0.0.1', from('127.0.0.1', 'http'))).status, 200)
    assert.equal((await ask(strict, '127.0.0.1', from('127.0.0.1', 'http'))).status, 301)
    assert.equal((await ask(shop, '127.0.0.1', from('198.51.100.1', 'http'))).status, 301)
  })
  test('what others than trusted proxies say is not believed', async () => {
    for (const proto of ['http', 'https']) {
      const { status, headers } = await ask(shop, '198.51.100.9', from('127.0.0.1', proto))
      assert.equal(status, 301)
      assert.equal((await ask(strict, '198.51.100.9', from('127.0.0.1', proto))).status, 301)
      assert.equal(headers['strict-transport-security'], undefined)
    }
  })
})
