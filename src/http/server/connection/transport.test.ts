import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as zlib from 'node:zlib'
import { bodyLimitBytes } from '#http/server/request-body.ts'
import { startTestApp, type TestApp } from '#test/support/app.ts'

type Headers = Readonly<Record<string, string>>

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: zlib.gunzipSync,
  deflate: zlib.inflateSync,
  br: zlib.brotliDecompressSync,
  zstd: zlib.zstdDecompressSync,
}

describe('what goes over the wire', () => {
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

  const ask = async (path: string, headers: Headers, method = 'GET') => {
    const answer = await shop.app.inject({ method: method as 'GET', url: path, headers })
    const told = answer.headers as Record<string, string>
    return { status: answer.statusCode, headers: told, bytes: answer.rawPayload }
  }

  const send = async (payload: Buffer, coding: string) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': coding }
    const answer = await shop.app.inject({ method: 'POST', url: '/users', payload, headers })
    return { status: answer.statusCode, headers: answer.headers, json: answer.json() }
  }
  const person = (username: string) =>
    Buffer.from(JSON.stringify({ name: 'Ann', username, password: 'correct horse battery' }))

  for (const [coding, decode] of Object.entries(decoders)) {
    test(`an answer in ${coding} decodes to the plain one, under an ETag of its own`, async () => {
      for (const path of [url, '/openapi.json', '/docs/reference.js']) {
        const plain = await ask(path, {})
        const coded = await ask(path, { 'accept-encoding': coding })
        assert.equal(coded.headers['content-encoding'], coding)
        assert.ok(decode(coded.bytes).equals(plain.bytes))
        assert.ok(coded.bytes.length < plain.bytes.length)
        assert.notEqual(coded.headers['etag'], plain.headers['etag'])
        for (const { headers } of [plain, coded]) {
          assert.match(headers['vary'] ?? '', /\bAccept-Encoding\b/)
        }
      }
    })
    test(`HEAD tells what GET in ${coding} does`, async () => {
      const sent = { 'accept-encoding': coding }
      const [got, head] = [await ask(url, sent), await ask(url, sent, 'HEAD')]
      for (const name of ['etag', 'content-encoding', 'content-length', 'vary']) {
        assert.equal(head.headers[name], got.headers[name], name)
      }
      assert.equal(head.bytes.length, 0)
    })
    test(`the ETag in ${coding} is revalidated in it alone, and any changes the state`, async () => {
      const sent = { 'accept-encoding': coding }
      const etag = (await ask(url, sent)).headers['etag'] ?? ''
      const fresh = await ask(url, { ...sent, 'if-none-match': etag })
      assert.equal(fresh.status, 304)
      assert.equal(fresh.headers['etag'], etag)
      const other = coding === 'gzip' ? 'br' : 'gzip'
      const stale = await ask(url, { 'accept-encoding': other, 'if-none-match': etag })
      assert.equal(stale.status, 200)
      assert.equal((await ask(url, { 'if-none-match': etag })).status, 200)
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
      ['*', 'zstd'],
      ['*;q=0.1, zstd;q=0', 'br'],
      ['identity, gzip;q=0.5', undefined],
      ['gzip;q=0', undefined],
      ['compress', undefined],
      ['', undefined],
      ['gzip;q=nonsense', undefined],
    ]
    for (const [accepted, coding] of expected) {
      const { status, headers } = await ask(url, { 'accept-encoding': accepted })
      assert.equal(status, 200)
      assert.equal(headers['content-encoding'], coding, accepted)
    }
  })

  test('less than a kibibyte is coded only for whoever takes nothing plain', async () => {
    const small = await ask('/health/live', { 'accept-encoding': 'gzip' })
    assert.equal(small.headers['content-encoding'], undefined)
    const coded = await ask('/health/live', { 'accept-encoding': 'gzip, identity;q=0' })
    assert.equal(String(zlib.gunzipSync(coded.bytes)), '{"status":"live"}')
  })

  test('whoever takes no coding that is had, and nothing plain, gets 406', async () => {
    for (const accepted of ['identity;q=0', '*;q=0', 'compress, identity;q=0']) {
      assert.equal((await ask(url, { 'accept-encoding': accepted })).status, 406, accepted)
    }
  })

  test('bodies are read in gzip, deflate and br', async () => {
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

  test('another coding of a body is refused with 4152, and told which are taken', async () => {
    for (const coding of ['zstd', 'compress', 'gzip, gzip', 'constructor']) {
      const { status, json, headers } = await send(person('nobody'), coding)
      assert.equal(`${status} ${json.error_code}`, '415 4152', coding)
      assert.equal(headers['accept-encoding'], 'gzip, deflate, br')
    }
  })

  test('a body that is not in its coding, or cut off, is refused with 4002', async () => {
    const whole = zlib.gzipSync(person('nobody'))
    for (const bytes of [person('nobody'), whole.subarray(0, -9), Buffer.from([31])]) {
      const { status, json } = await send(bytes, 'gzip')
      assert.equal(`${status} ${json.error_code}`, '400 4002')
    }
    const { json } = await send(person('nobody'), 'br')
    assert.equal(json.error_code, '4002')
  })

  test('a body that grows beyond the limit is refused with 4131', async () => {
    const bomb = Buffer.alloc(bodyLimitBytes * 50, ' ')
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

  test('every answer tells browsers to trust it with nothing', async () => {
    for (const path of [url, '/nowhere', '/products/%', '/docs', '/health/live']) {
      const { headers } = await ask(path, {})
      assert.equal(headers['x-content-type-options'], 'nosniff', path)
      assert.equal(headers['referrer-policy'], 'no-referrer', path)
      assert.match(headers['content-security-policy'] ?? '', /default-src 'none'/, path)
    }
    const { headers } = await ask('/docs', {})
    assert.match(headers['content-security-policy'] ?? '', /script-src 'self'/)
  })

  test('documentation tells until when it is fresh', async () => {
    const { headers } = await ask('/openapi.json', {})
    assert.equal(headers['expires'], new Date(shop.now + 300_000).toUTCString())
  })

  test('a write whose client prefers no body is answered without', async () => {
    const { request } = await shop.signInAs('admin')
    const prefer = { prefer: 'respond-async, return=minimal; x=1' }
    const body = { name: 'Chair', price: 5 }
    const made = await request('POST', '/products', body, prefer)
    assert.deepEqual([made.status, made.text], [201, ''])
    assert.equal(made.headers['preference-applied'], 'return=minimal')
    assert.match(made.headers['vary'] ?? '', /\bPrefer\b/)
    const location = made.headers['location'] ?? ''
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

  test('a body that is no UTF-8 is refused and not mended', async () => {
    const { token } = await shop.signInAs('admin')
    const bodies = [
      ['application/json', '{"name":"', '","price":1}'],
      ['application/xml', '<product><name>', '</name><price>1</price></product>'],
    ] as const
    for (const [type, before, after] of bodies) {
      const answer = await shop.app.inject({
        method: 'POST',
        url: '/products',
        headers: { authorization: `Bearer ${token}`, 'content-type': type },
        payload: Buffer.concat([Buffer.from(before), Buffer.of(0xff), Buffer.from(after)]),
      })
      assert.equal(answer.statusCode, 400, answer.payload)
      assert.equal(answer.json().error_code, '4002')
    }
  })
  test('a patch in a form that is not read is told which are', async () => {
    const { token } = await shop.signInAs('admin')
    const answer = await shop.app.inject({
      method: 'PATCH',
      url,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json-patch+json',
      },
      payload: '[]',
    })
    assert.equal(answer.statusCode, 415)
    const types = String(answer.headers['accept-patch'])
    assert.match(types, /^application\/merge-patch\+json, .*application\/json, application\/xml$/)
    assert.equal(answer.json().details, `Supported media types: ${types}.`)
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
