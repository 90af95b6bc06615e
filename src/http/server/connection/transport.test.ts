import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as zlib from 'node:zlib'
import { maxBodyBytes } from '#http/server/body/body-limit.ts'
import { startTestApp, type TestApp } from '#test/support/app.ts'

type Headers = Readonly<Record<string, string>>

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: zlib.gunzipSync,
  deflate: zlib.inflateSync,
  br: zlib.brotliDecompressSync,
  zstd: zlib.zstdDecompressSync,
}

describe('the transport', () => {
  let shop: TestApp
  let url: string
  before(async () => {
    shop = await startTestApp('sqlite')
    const { request } = await shop.signInAs('admin')
    const body = { name: 'Lamp', description: 'bright '.repeat(500), price: 19.99 }
    const { status, headers, text } = await request('POST', '/products', body)
    assert.equal(status, 201, text)
    url = headers['location'] ?? ''
  })
  after(() => shop.dispose())

  const get = async (path: string, headers: Headers, method = 'GET') => {
    const response = await shop.app.inject({ method: method as 'GET', url: path, headers })
    const { statusCode: status, rawPayload: bytes } = response
    return { status, headers: response.headers as Record<string, string>, bytes }
  }

  const send = async (payload: Buffer, coding: string) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': coding }
    const response = await shop.app.inject({ method: 'POST', url: '/users', payload, headers })
    return { status: response.statusCode, headers: response.headers, json: response.json() }
  }
  const person = (username: string) =>
    Buffer.from(JSON.stringify({ name: 'Ann', username, password: 'correct horse battery' }))

  for (const [coding, decode] of Object.entries(decoders)) {
    test(`a response in ${coding} decodes to the plain one and has its own ETag`, async () => {
      for (const path of [url, '/openapi.json', '/docs/reference.js']) {
        const plain = await get(path, {})
        const coded = await get(path, { 'accept-encoding': coding })
        assert.equal(coded.headers['content-encoding'], coding)
        assert.ok(decode(coded.bytes).equals(plain.bytes))
        assert.ok(coded.bytes.length < plain.bytes.length)
        assert.notEqual(coded.headers['etag'], plain.headers['etag'])
        for (const { headers } of [plain, coded]) {
          assert.match(headers['vary'] ?? '', /\bAccept-Encoding\b/)
        }
      }
    })
    test(`HEAD has the header fields of GET in ${coding}`, async () => {
      const sent = { 'accept-encoding': coding }
      const [read, head] = [await get(url, sent), await get(url, sent, 'HEAD')]
      for (const name of ['etag', 'content-encoding', 'content-length', 'vary']) {
        assert.equal(head.headers[name], read.headers[name], name)
      }
      assert.equal(head.bytes.length, 0)
    })
    test(`the ETag in ${coding} gets 304 in that coding only, and is accepted in If-Match`, async () => {
      const sent = { 'accept-encoding': coding }
      const etag = (await get(url, sent)).headers['etag'] ?? ''
      const fresh = await get(url, { ...sent, 'if-none-match': etag })
      assert.equal(fresh.status, 304)
      assert.equal(fresh.headers['etag'], etag)
      const other = coding === 'gzip' ? 'br' : 'gzip'
      const stale = await get(url, { 'accept-encoding': other, 'if-none-match': etag })
      assert.equal(stale.status, 200)
      assert.equal((await get(url, { 'if-none-match': etag })).status, 200)
      const { request } = await shop.signInAs('admin')
      const changed = await request('PATCH', url, { name: coding }, { 'if-match': etag })
      assert.equal(changed.status, 200)
      assert.equal((await request('PATCH', url, { name: 'x' }, { 'if-match': etag })).status, 412)
    })
  }

  test('the coding with the highest quality is chosen', async () => {
    const expected: readonly (readonly [string, string | undefined])[] = [
      ['gzip, deflate, br, zstd', 'zstd'],
      ['gzip;q=1, br;q=0.5', 'gzip'],
      ['GZIP;Q=0.1', 'gzip'],
      ['x-gzip', 'gzip'],
      ['*', 'gzip'],
      ['*, br', 'br'],
      ['*;q=0.1, gzip;q=0', 'deflate'],
      ['identity, gzip;q=0.5', undefined],
      ['gzip;q=0', undefined],
      ['compress', undefined],
      ['', undefined],
      ['gzip;q=nonsense', undefined],
    ]
    for (const [accepted, coding] of expected) {
      const { status, headers } = await get(url, { 'accept-encoding': accepted })
      assert.equal(status, 200)
      assert.equal(headers['content-encoding'], coding, accepted)
    }
  })

  test('a body below 1 KiB is coded only if the client rejects identity', async () => {
    const small = await get('/health/live', { 'accept-encoding': 'gzip' })
    assert.equal(small.headers['content-encoding'], undefined)
    const coded = await get('/health/live', { 'accept-encoding': 'gzip, identity;q=0' })
    assert.equal(String(zlib.gunzipSync(coded.bytes)), '{"status":"live"}')
  })

  test('a client that accepts no supported coding and no identity gets 406', async () => {
    for (const accepted of ['identity;q=0', '*;q=0', 'compress, identity;q=0']) {
      assert.equal((await get(url, { 'accept-encoding': accepted })).status, 406, accepted)
    }
  })

  test('bodies are decoded from gzip, deflate and br', async () => {
    const codings = {
      gzip: zlib.gzipSync,
      deflate: zlib.deflateSync,
      br: zlib.brotliCompressSync,
      identity: (bytes: Buffer) => bytes,
    }
    for (const [coding, encode] of Object.entries(codings)) {
      const { status, json } = await send(encode(person(`coded-${coding}`)), coding)
      assert.equal(status, 201, JSON.stringify(json))
    }
  })

  test('another coding of a body gets 4152 and Accept-Encoding', async () => {
    for (const coding of ['zstd', 'compress', 'gzip, gzip', 'constructor']) {
      const { status, json, headers } = await send(person('nobody'), coding)
      assert.equal(`${status} ${json.error_code}`, '415 4152', coding)
      assert.equal(headers['accept-encoding'], 'gzip, deflate, br')
    }
  })

  test('a body that cannot be decoded, or is truncated, gets 4002', async () => {
    const whole = zlib.gzipSync(person('nobody'))
    for (const bytes of [person('nobody'), whole.subarray(0, -9), Buffer.from([31])]) {
      const { status, json } = await send(bytes, 'gzip')
      assert.equal(`${status} ${json.error_code}`, '400 4002')
    }
    const { BROTLI_PARAM_LGWIN } = zlib.constants
    const wide = zlib.brotliCompressSync(person('nobody'), { params: { [BROTLI_PARAM_LGWIN]: 24 } })
    for (const bytes of [person('nobody'), wide]) {
      assert.equal((await send(bytes, 'br')).json.error_code, '4002')
    }
  })

  test('a body that exceeds the limit when decoded gets 4131', async () => {
    const bomb = Buffer.alloc(maxBodyBytes * 50, ' ')
    for (const [coding, bytes] of [
      ['gzip', zlib.gzipSync(bomb)],
      [
        'br',
        zlib.brotliCompressSync(bomb, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }),
      ],
    ] as const) {
      const { status, json } = await send(bytes, coding)
      assert.equal(`${status} ${json.error_code}`, '413 4131')
    }
  })

  test('every response has the security header fields', async () => {
    for (const path of [url, '/nowhere', '/products/%', '/docs', '/health/live']) {
      const { headers } = await get(path, {})
      assert.equal(headers['x-content-type-options'], 'nosniff', path)
      assert.equal(headers['referrer-policy'], 'no-referrer', path)
      assert.match(headers['content-security-policy'] ?? '', /default-src 'none'/, path)
    }
    const { headers } = await get('/docs', {})
    assert.match(headers['content-security-policy'] ?? '', /script-src 'self'/)
  })

  test('documentation has Expires', async () => {
    const { headers } = await get('/openapi.json', {})
    assert.equal(headers['expires'], new Date(shop.now + 300_000).toUTCString())
  })

  test('a response that alone shows a secret has its body despite Prefer', async () => {
    const admin = await shop.signInAs('admin')
    const prefer = { prefer: 'return=minimal' }
    const key = await admin.request('POST', '/api-keys', { name: 'Minimal' }, prefer)
    assert.deepEqual([key.status, typeof key.json.key], [201, 'string'])
    assert.equal(key.headers['preference-applied'], undefined)
    const rotated = await admin.request('POST', `/api-keys/${key.json.id}/rotations`, {}, prefer)
    assert.equal(typeof rotated.json.key, 'string')
    const guest = await shop.request('POST', '/guests', {}, prefer)
    assert.equal(typeof guest.json.token, 'string')
  })

  test('a write with Prefer: return=minimal gets no body', async () => {
    const { request } = await shop.signInAs('admin')
    const prefer = { prefer: 'respond-async, return=minimal; x=1' }
    const body = { name: 'Chair', price: 5 }
    const created = await request('POST', '/products', body, prefer)
    assert.deepEqual([created.status, created.text], [201, ''])
    assert.equal(created.headers['preference-applied'], 'return=minimal')
    assert.match(created.headers['vary'] ?? '', /\bPrefer\b/)
    const location = created.headers['location'] ?? ''
    const changed = await request('PATCH', location, { name: 'Stool' }, prefer)
    assert.deepEqual([changed.status, changed.text], [204, ''])
    assert.ok(changed.headers['etag'])
    assert.equal((await request('GET', location)).json.name, 'Stool')
    const whole = await request(
      'PATCH',
      location,
      { name: 'Sofa' },
      { prefer: 'return=representation' },
    )
    assert.deepEqual([whole.status, whole.json.name], [200, 'Sofa'])
    const wrong = await request('PATCH', location, { name: 7 }, prefer)
    assert.equal(wrong.status, 422)
    assert.notEqual(wrong.text, '')
  })

  test('a body that is not UTF-8 gets 4002', async () => {
    const { token } = await shop.signInAs('admin')
    const bodies = [
      ['application/json', '{"name":"', '","price":1}'],
      ['application/xml', '<product><name>', '</name><price>1</price></product>'],
    ] as const
    for (const [type, before, after] of bodies) {
      const response = await shop.app.inject({
        method: 'POST',
        url: '/products',
        headers: { authorization: `Bearer ${token}`, 'content-type': type },
        payload: Buffer.concat([Buffer.from(before), Buffer.of(0xff), Buffer.from(after)]),
      })
      assert.equal(response.statusCode, 400, response.payload)
      assert.equal(response.json().error_code, '4002')
    }
  })
  test('a PATCH in an unsupported media type gets 415 and Accept-Patch', async () => {
    const { token } = await shop.signInAs('admin')
    const response = await shop.app.inject({
      method: 'PATCH',
      url,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json-patch+json',
      },
      payload: '[]',
    })
    assert.equal(response.statusCode, 415)
    const types = String(response.headers['accept-patch'])
    assert.match(types, /^application\/merge-patch\+json, .*application\/json, application\/xml$/)
    assert.equal(response.json().details, `Supported media types: ${types}.`)
    const posted = await shop.app.inject({
      method: 'POST',
      url: '/products',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/merge-patch' },
      payload: '{}',
    })
    const others = types.replace('application/merge-patch+json, ', '')
    assert.equal(posted.json().details, `Supported media types: ${others}.`)
    assert.equal(posted.headers['accept-patch'], undefined)
  })
})
