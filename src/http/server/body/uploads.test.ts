import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { Type } from 'typebox'
import { noAuthentication } from '#http/declare/policy.ts'
import { collection, item } from '#http/declare/resource.ts'
import { created } from '#http/declare/results.ts'
import { upload } from '#http/declare/upload.ts'
import { createNetworkWork, type NetworkWork } from '#http/rate-limit/network-work.ts'
import { mount } from '#http/server/mount.ts'
import { createActor } from '#shop/scopes.ts'
import { startedAt, startTestApp, type TestApp } from '#test/support/app.ts'

const limitBytes = 100_000
const largeLimitBytes = 50_000_000

interface Note {
  readonly id: number
  readonly bytes: number
}

let shop: TestApp
let app: ReturnType<typeof mount>['app']
const received: { bytes: number; problem?: string }[] = []

const note = item({
  name: 'note',
  description: 'A note.',
  path: '/notes/:noteId',
  schema: Type.Object({ id: Type.Integer(), bytes: Type.Integer() }),
  load: async (): Promise<Note | undefined> => undefined,
  present: (entity) => entity,
  pathParams: ({ id }) => ({ noteId: id }),
  revision: () => 1,
})
const notes = upload(collection({ name: 'notes', path: '/notes', item: note }), {
  summary: 'Uploads a note.',
  access: noAuthentication,
  rateLimit: 'uploads',
  mediaTypes: { 'text/plain': { type: 'string' }, 'text/csv': { type: 'string' } },
  limitBytes,
  filters: Type.Object({ kind: Type.Optional(Type.String({ maxLength: 3 })) }),
  receive: async (_, { body }) => {
    const seen: { bytes: number; problem?: string } = { bytes: 0 }
    received.push(seen)
    try {
      for await (const chunk of body.content) seen.bytes += chunk.length
    } catch (error) {
      seen.problem = String((error as { code?: unknown }).code)
      throw error
    }
    return { bytes: seen.bytes, type: body.mediaType }
  },
  handle: async (_, { body }) => created({ id: body.type === 'text/csv' ? 2 : 1, ...body }),
})
const large = upload(collection({ name: 'large', path: '/large', item: note }), {
  summary: 'Uploads a large note.',
  access: noAuthentication,
  rateLimit: 'uploads',
  mediaTypes: { 'text/plain': { type: 'string' } },
  limitBytes: largeLimitBytes,
  filters: Type.Object({}),
  receive: async (_, { body }) => {
    let bytes = 0
    for await (const chunk of body.content) bytes += chunk.length
    return { bytes }
  },
  handle: async (_, { body }) => created({ id: 1, ...body }),
})
const networkWork = createNetworkWork(undefined)
let places = 0
const work: NetworkWork = {
  ...networkWork,
  begin: (...request) => {
    places += 1
    return networkWork.begin(...request)
  },
}
const guarded = upload(collection({ name: 'guarded', path: '/guarded', item: note }), {
  summary: 'Uploads a note of an administrator.',
  access: { kind: 'admin', scope: 'files:write' },
  rateLimit: 'uploads',
  mediaTypes: { 'text/plain': { type: 'string' } },
  limitBytes,
  filters: Type.Object({}),
  receive: async () => {
    received.push({ bytes: -1 })
  },
  handle: async () => created({ id: 1, bytes: 0 }),
})

before(async () => {
  shop = await startTestApp('memory')
  const customer = createActor({
    userId: 1,
    role: 'customer',
    scopes: new Set(),
    credential: null,
  })
  const mounted = mount({
    routes: [notes, guarded, large],
    work,
    db: shop.db,
    transaction: shop.store.transaction,
    openSnapshot: shop.store.openSnapshot,
    authentication: {
      challenge: () => '',
      identify: async () => ({ actor: customer }),
    },
    representationOptions: { version: 1, currency: 'USD', currencyDigits: 2, linksField: '_links' },
    errors: { shape: 'standard', baseUrl: '' },
    clock: () => startedAt,
    isUnavailable: () => false,
  })
  app = mounted.app
  await app.listen({ port: 0, host: '127.0.0.1' })
})
after(async () => {
  await app.close()
  await shop.dispose()
})
beforeEach(() => {
  received.length = 0
})

const send = async (
  payload: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
  url = '/notes',
) => {
  const response = await app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'text/plain', ...headers },
    payload,
  })
  const { error_code: code, bytes, id } = response.json()
  return { status: response.statusCode, code, bytes, id, headers: response.headers }
}
const digest = (algorithm: 'sha256' | 'sha512', content: string | Buffer) =>
  `${algorithm.replace('sha', 'sha-')}=:${createHash(algorithm).update(content).digest('base64')}:`

test('an upload gets the media type and the bytes of the body', async () => {
  const { status, bytes, id, headers } = await send('a,b\n', { 'content-type': 'Text/CSV; x=y' })
  assert.deepEqual([status, bytes, id, headers['location']], [201, 4, 2, '/notes/2'])
})

test('another media type, or none, gets 4151 and nothing is read', async () => {
  for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plainer']) {
    assert.deepEqual((await send('{}', { 'content-type': type })).code, '4151', type)
  }
  assert.deepEqual(received, [])
})

test('an empty body has no bytes; no body at all gets 4002', async () => {
  assert.equal((await send('')).bytes, 0)
  const { statusCode } = await app.inject({ method: 'POST', url: '/notes' })
  assert.equal(statusCode, 400)
})

test('an invalid query gets 4003 before the body is read', async () => {
  assert.equal((await send('x', {}, '/notes?kind=long')).code, '4003')
  assert.equal((await send('x', {}, '/notes?other=1')).code, '4003')
  assert.deepEqual(received, [])
})

test('a caller whom the route does not admit gets 401 or 403 before the body is read', async () => {
  assert.equal((await send('x', {}, '/guarded')).code, '4011')
  assert.equal((await send('x', { authorization: 'Bearer x' }, '/guarded')).code, '4031')
  assert.deepEqual(received, [])
})

test('a body above the limit gets 4131, compressed or not', async () => {
  assert.equal((await send(Buffer.alloc(limitBytes))).bytes, limitBytes)
  assert.equal((await send(Buffer.alloc(limitBytes + 1))).code, '4131')
  const bomb = gzipSync(Buffer.alloc(50_000_000))
  const { code } = await send(bomb, { 'content-encoding': 'gzip' })
  assert.equal(code, '4131')
  assert.ok((received.at(-1)?.bytes ?? 0) <= limitBytes)
})

test('a compressed body becomes at most 200 times as long as it was sent, beyond 16 MiB', async () => {
  const br = { 'content-encoding': 'br' }
  const sendLarge = (content: Buffer) => send(brotliCompressSync(content), br, '/large')
  assert.equal((await sendLarge(Buffer.alloc(16_777_216))).bytes, 16_777_216)
  assert.equal((await sendLarge(Buffer.alloc(16_777_217))).code, '4131')
  const dense = randomBytes(100_000)
  const mixed = Buffer.concat([dense, Buffer.alloc(19_900_000)])
  assert.equal((await sendLarge(mixed)).bytes, 20_000_000)
})

test('each part of a compressed body is work of its network once it is decompressed', async () => {
  const encoded = brotliCompressSync(Buffer.alloc(1_000_000))
  places = 0
  const { bytes } = await send(encoded, { 'content-encoding': 'br' }, '/large')
  assert.equal(bytes, 1_000_000)
  assert.ok(encoded.length < 1000 && places >= 10, `${places} places`)
})

test('a content coding is undone; an unknown or wrong one gets 4152 or 4002', async () => {
  const content = Buffer.from('kettle\n'.repeat(1000))
  const encoded = gzipSync(content)
  assert.equal((await send(encoded, { 'content-encoding': 'gzip' })).bytes, content.length)
  assert.equal((await send(encoded, { 'content-encoding': 'compress' })).code, '4152')
  assert.equal((await send('x', { 'content-encoding': 'gzip' })).code, '4002')
  const cut = encoded.subarray(0, -9)
  assert.equal((await send(cut, { 'content-encoding': 'gzip' })).code, '4002')
})

test('a body without its Content-Digest gets 4001', async () => {
  const content = 'name,price\n'
  for (const algorithm of ['sha256', 'sha512'] as const) {
    const right = { 'content-digest': digest(algorithm, content) }
    assert.equal((await send(content, right)).status, 201)
    assert.equal((await send(`${content} `, right)).code, '4001')
  }
  const both = `${digest('sha256', content)}, ${digest('sha512', 'x')}`
  assert.equal((await send(content, { 'content-digest': both })).code, '4001')
  const unknown = 'md5=:x::, unixsum=:AA==:'
  assert.equal((await send(content, { 'content-digest': unknown })).code, '4001')
  for (const other of ['md5', 'constructor']) {
    assert.equal((await send(content, { 'content-digest': `${other}=:AA==:` })).status, 201, other)
  }
})

test('the digest is that of the encoded content (RFC 9530 section 2)', async () => {
  const content = 'name,price\n'.repeat(50)
  const encoded = gzipSync(content)
  const headers = { 'content-encoding': 'gzip' }
  const ofEncoded = { ...headers, 'content-digest': digest('sha256', encoded) }
  assert.equal((await send(encoded, ofEncoded)).bytes, content.length)
  const ofContent = { ...headers, 'content-digest': digest('sha256', content) }
  assert.equal((await send(encoded, ofContent)).code, '4001')
})

test('a client that goes away ends the upload', async () => {
  const { port } = app.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    'POST /notes HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 900\r\n\r\nabc',
  )
  while (received[0]?.bytes !== 3) await new Promise((resolve) => setTimeout(resolve, 5))
  socket.destroy()
  while (received[0]?.problem === undefined) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.equal(received[0].problem, '4002')
})

test('a connection serves further requests after a body above the limit', async (t) => {
  const { port } = app.server.address() as { port: number }
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  const sockets = new Set()
  for (const bytes of [10 * limitBytes, 3]) {
    const headers = { 'content-type': 'text/plain' }
    const sent = request({ agent, port, method: 'POST', path: '/notes', headers, timeout: 5000 })
    sent.once('timeout', () => sent.destroy()).end(Buffer.alloc(bytes))
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    sockets.add(response.socket)
    await once(response.resume(), 'end')
    assert.equal(response.statusCode, bytes > limitBytes ? 413 : 201)
  }
  assert.equal(sockets.size, 1)
})
