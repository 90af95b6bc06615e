import assert from 'node:assert/strict'
import { once } from 'node:events'
import { constants } from 'node:http2'
import { connect as connectTcp } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { connect } from 'node:tls'
import { defaultTimeouts } from '#http/server/connection/client-errors.ts'
import {
  createIdentity,
  requestHttp2,
  type SecureApp,
  startSecureApp,
} from '#test/support/https-app.ts'

const hsts = 'max-age=31536000'

describe('over HTTPS', () => {
  let shop: SecureApp
  before(async () => {
    const timeouts = { ...defaultTimeouts, headersMs: 400, requestMs: 600, checkIntervalMs: 20 }
    shop = await startSecureApp({ composition: { timeouts, responseCacheBytes: 1_000_000 } })
    const { request } = await shop.app.signInAs('admin')
    await request('POST', '/products', { name: 'Lamp', price: 19.99 })
  })
  after(() => shop.dispose())

  test('HTTP/2 and HTTP/1.1 answer as plain HTTP does, with Strict-Transport-Security', async () => {
    // The second response comes from the response cache.
    for (const path of ['/products/1', '/products/1', '/health/live', '/nowhere', '/docs']) {
      const session = await shop.session()
      const second = await requestHttp2(session, { ':path': path })
      const first = await shop.requestHttp1(path)
      const plain = await fetch(`http://127.0.0.1:${shop.port}${path}`, {
        headers: { 'accept-encoding': 'identity' },
      })
      const withoutIds = (body: string) => body.replace(/"(request_id|timestamp)":"[^"]+"/g, '')
      const body = await plain.text()
      for (const { status, headers, text } of [first, second]) {
        assert.equal(status, plain.status)
        assert.equal(headers['strict-transport-security'], hsts, path)
        assert.equal(headers['etag'] ?? null, plain.headers.get('etag'))
        assert.equal(withoutIds(text), withoutIds(body))
        assert.equal(headers['x-content-type-options'], 'nosniff')
      }
      assert.equal(second.headers['connection'], undefined)
      assert.equal(plain.headers.get('strict-transport-security'), null)
      session.close()
    }
  })

  test('a client without ALPN gets HTTP/1.1', async () => {
    const socket = connect({ port: shop.tlsPort, host: '127.0.0.1', ca: shop.identity.cert })
    await once(socket, 'secureConnect')
    socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    assert.match(await text(socket), /^HTTP\/1\.1 200 OK\r\n[\s\S]*\{"status":"live"\}$/)
  })

  test('a malformed request is answered as over plain HTTP', async () => {
    const socket = connect({ port: shop.tlsPort, host: '127.0.0.1', ca: shop.identity.cert })
    await once(socket, 'secureConnect')
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nX : y\r\n\r\n')
    const all = await text(socket)
    assert.match(all, /^HTTP\/1\.1 400 [\s\S]*strict-transport-security: max-age[\s\S]*"4002"/)
  })

  test('an incomplete TLS handshake is closed', async () => {
    for (const sent of ['', 'GET / HTTP/1.1\r\n\r\n']) {
      const socket = connectTcp(shop.tlsPort, '127.0.0.1')
      socket.on('error', () => undefined)
      await once(socket, 'connect')
      socket.resume().write(sent)
      await once(socket, 'close')
    }
    assert.equal((await shop.requestHttp1('/health/live')).status, 200)
  })

  test('HTTP/2 answers errors as HTTP/1.1 does', async () => {
    const session = await shop.session()
    const json = { 'content-type': 'application/json' }
    const post = { ':method': 'POST', ':path': '/users', ...json }
    const large = Buffer.alloc(1_200_000, ' ')
    const cases: readonly (readonly [
      Record<string, string>,
      string | Buffer | undefined,
      string,
    ])[] = [
      [{ ':path': '/nowhere' }, undefined, '404 4042'],
      [{ ':path': '/users' }, undefined, '401 4011'],
      [{ ':path': '/users', authorization: 'Bearer x' }, undefined, '401 4012'],
      [{ ':method': 'PATCH', ':path': '/products' }, undefined, '405 4051'],
      [{ ':method': 'TRACE', ':path': '/products' }, undefined, '405 4051'],
      [{ ':method': 'FOO', ':path': '/products' }, undefined, '405 4051'],
      [{ ':method': 'get', ':path': '/products' }, undefined, '405 4051'],
      [{ ':method': 'FOO', ':path': '/nowhere' }, undefined, '404 4042'],
      [post, '{', '400 4002'],
      [{ ...post, 'content-type': 'text/plain' }, 'x', '415 4151'],
      [post, large, '413 4131'],
      [{ ...post, 'content-length': String(large.length) }, large, '413 4131'],
      [{ ':path': `/products?q=${'a'.repeat(9000)}` }, undefined, '414 4141'],
      [{ ':path': '/', 'x-long': 'a'.repeat(20_000) }, undefined, '431 4311'],
      [{ ':path': '/', ':authority': 'bad[host' }, undefined, '400 4002'],
      [{ ':path': '/', ':authority': 'a.example', host: 'b.example' }, undefined, '400 4002'],
      [{ ':path': '/products/%' }, undefined, '400 4001'],
      [{ ':path': '/products/1', accept: 'image/png' }, undefined, '406 4061'],
    ]
    for (const [headers, body, expected] of cases) {
      const answer = await requestHttp2(session, headers, body)
      const result = `${answer.status} ${answer.json?.error_code}`
      assert.equal(result, expected, JSON.stringify(headers).slice(0, 200))
      assert.equal(answer.headers['cache-control'], 'no-store')
      assert.equal(answer.headers['strict-transport-security'], hsts)
      const { ':method': method = 'GET' } = headers
      if (answer.status === 405) assert.match(answer.json.details, new RegExp(`^${method} `))
      if (answer.status === 405)
        assert.equal(answer.headers['allow'], 'GET, HEAD, QUERY, POST, OPTIONS')
    }
    const head = await requestHttp2(session, { ':method': 'HEAD', ':path': '/products/1' })
    assert.deepEqual([head.status, head.text], [200, ''])
    const options = await requestHttp2(session, { ':method': 'OPTIONS', ':path': '/products/1' })
    assert.deepEqual([options.status, options.text], [204, ''])
    assert.match(String(options.headers['allow']), /PATCH/)
    session.close()
  })

  test('one session serves many requests at once', async () => {
    const session = await shop.session()
    const all = Array.from({ length: 150 }, () =>
      requestHttp2(session, { ':path': '/products?limit=1' }),
    )
    assert.deepEqual([...new Set((await Promise.all(all)).map(({ status }) => status))], [200])
    session.close()
  })

  test('an HTTP/2 body that does not arrive answers 4081', async () => {
    const session = await shop.session()
    const stream = session.request({
      ':method': 'POST',
      ':path': '/users',
      'content-type': 'application/json',
    })
    stream.on('error', () => undefined).write('{')
    const [headers] = await once(stream, 'response')
    assert.equal(headers[':status'], 408)
    assert.match(await text(stream), /"4081"/)
    session.close()
  })

  test('a session without requests is closed, even if it sends pings', async () => {
    const session = await shop.session()
    const pinging = setInterval(() => {
      if (!session.destroyed) session.ping(() => undefined)
    }, 20)
    await once(session, 'close')
    clearInterval(pinging)
  })

  test('a client that floods the server with cancelled requests is disconnected, and others are served', async () => {
    const session = await shop.session()
    session.on('error', () => undefined)
    const closed = new Promise((resolve) => session.once('close', resolve))
    for (let count = 0; count < 2000 && !session.destroyed; count += 1) {
      const stream = session.request({ ':path': '/products?limit=1' })
      stream.on('error', () => undefined).close(constants.NGHTTP2_CANCEL)
      if (count % 50 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    await closed
    assert.equal((await shop.requestHttp1('/health/live')).status, 200)
  })

  test('a reset stream leaves its session usable', async () => {
    const session = await shop.session()
    session.on('error', () => undefined)
    for (const code of [0, 1, 2, 3, 5, 8, 11, 13]) {
      const stream = session.request({
        ':method': 'POST',
        ':path': '/users',
        'content-type': 'application/json',
      })
      stream.on('error', () => undefined).write('{"name":')
      await new Promise((resolve) => setImmediate(resolve))
      stream.close(code)
      await new Promise((resolve) => stream.once('close', resolve))
    }
    assert.equal((await requestHttp2(session, { ':path': '/health/live' })).status, 200)
    session.close()
  })

  test('a renewed certificate applies to new connections; existing ones stay open', async () => {
    const session = await shop.session()
    const next = await createIdentity()
    shop.listener.renew(next)
    const target = { port: shop.tlsPort, host: '127.0.0.1', ca: next.cert }
    const socket = connect(target)
    await once(socket, 'secureConnect')
    assert.ok(socket.authorized)
    socket.destroy()
    assert.equal((await requestHttp2(session, { ':path': '/health/live' })).status, 200)
    session.close()
    shop.listener.renew(shop.identity)
  })
})

test('a server that shuts down answers pending requests on every connection', async () => {
  const guard = Promise.withResolvers<void>()
  let arrived = 0
  const shop = await startSecureApp({
    composition: {
      // Every request of a limited route waits here.
      limits: {
        defaultAllowance: { limit: 100, windowMs: 60_000 },
        counters: {
          spend: async () => {
            arrived += 1
            await guard.promise
            return { allowed: true, remaining: 9, resetMs: 0, retryAfterMs: 0 }
          },
        },
      },
    },
  })
  const [session, idle] = [await shop.session(), await shop.session()]
  const goaway = once(session, 'goaway')
  const pending = [requestHttp2(session, { ':path': '/products' }), shop.requestHttp1('/products')]
  while (arrived < pending.length) await new Promise((resolve) => setTimeout(resolve, 5))
  const drained = shop.app.drain([shop.listener])
  await goaway
  // This client has not received the GOAWAY frame yet.
  const late = requestHttp2(idle, { ':path': '/health/live' }).catch(() => undefined)
  guard.resolve()
  for (const answer of await Promise.all(pending)) assert.equal(answer.status, 200)
  await late
  await drained
  await assert.rejects(shop.requestHttp1('/health/live'), { code: 'ECONNREFUSED' })
  await shop.dispose()
})
