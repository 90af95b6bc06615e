import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import Fastify from 'fastify'
import { startTestApp, type TestApp } from '#test/support/app.ts'
import { compileAddressMatcher } from './addresses.ts'

test('a list matches its addresses, networks and loopback, and no other address', () => {
  const isTrustedProxy = compileAddressMatcher([
    'loopback',
    '10.0.0.0/8',
    '192.0.2.7',
    '2001:db8::/32',
  ])
  const ipv4 = ['127.0.0.9', '10.9.9.9', '192.0.2.7', '::ffff:127.0.0.1']
  for (const address of [...ipv4, '::1', '2001:db8::5']) assert.ok(isTrustedProxy(address), address)
  for (const address of ['11.0.0.1', '192.0.2.8', '2001:db9::1', '']) {
    assert.ok(!isTrustedProxy(address), address)
  }
})

test('the client is the first address from the right that is no trusted proxy', async () => {
  const app = Fastify({ trustProxy: compileAddressMatcher(['loopback', '10.0.0.0/8']) })
  app.get('/', (request) => request.ip)
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
    const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
    const { payload } = await app.inject({ url: '/', remoteAddress: peer, headers })
    assert.equal(payload, client)
  }
  await app.close()
})

describe('behind a proxy', () => {
  let shop: TestApp
  let strict: TestApp
  before(async () => {
    const behind = {
      isTrustedProxy: compileAddressMatcher(['loopback', '10.0.0.0/8']),
      baseUrl: 'https://shop.example',
    }
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

  const get = async (app: TestApp, remoteAddress: string, headers: Record<string, string>) => {
    const sent = { host: 'shop.example:80', ...headers }
    const answer = await app.app.inject({ url: '/products?q=x', remoteAddress, headers: sent })
    return { status: answer.statusCode, headers: answer.headers }
  }
  const from = (client: string, proto: string) => ({
    'x-forwarded-for': client,
    'x-forwarded-proto': proto,
  })

  test('clients over plain HTTP are redirected to the same path over HTTPS', async () => {
    const { status, headers } = await get(shop, '10.0.0.1', from('198.51.100.1', 'http'))
    assert.equal(status, 301)
    assert.equal(headers['location'], 'https://shop.example/products?q=x')
  })
  test('clients over HTTPS are served with Strict-Transport-Security', async () => {
    const { status, headers } = await get(shop, '10.0.0.1', from('198.51.100.1', 'https'))
    assert.equal(status, 200)
    assert.equal(headers['strict-transport-security'], 'max-age=31536000')
  })
  test('clients on this machine are served over plain HTTP, unless all are redirected', async () => {
    assert.equal((await get(shop, '127.0.0.1', from('127.0.0.1', 'http'))).status, 200)
    assert.equal((await get(strict, '127.0.0.1', from('127.0.0.1', 'http'))).status, 301)
    assert.equal((await get(shop, '127.0.0.1', from('198.51.100.1', 'http'))).status, 301)
  })
  test('forwarded header fields of an untrusted peer are ignored', async () => {
    for (const proto of ['http', 'https']) {
      const { status, headers } = await get(shop, '198.51.100.9', from('127.0.0.1', proto))
      assert.equal(status, 301)
      assert.equal((await get(strict, '198.51.100.9', from('127.0.0.1', proto))).status, 301)
      assert.equal(headers['strict-transport-security'], undefined)
    }
  })
})
