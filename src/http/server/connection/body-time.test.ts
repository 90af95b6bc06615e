import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { hourMs } from '#values/instant.ts'
import { watchPace } from './body-time.ts'
import { defaultTimeouts } from './client-errors.ts'

const requestMs = 1000
const pauseMs = 150
const pieces = 10
const piece = `${'x'.repeat(262_143)}\n`

describe('an upload over a slow line', () => {
  let shop: TestApp
  let admin: TestCaller
  before(async () => {
    const timeouts = { ...defaultTimeouts, requestMs }
    shop = await startTestApp('sqlite', { composition: { timeouts } })
    await shop.app.listen({ port: 0, host: '127.0.0.1' })
    admin = await shop.signInAs('admin')
  })
  after(() => shop.dispose())

  /** Sends the head of an upload and returns its connection, and all that it will receive. */
  const open = async (
    path: string,
    type: string,
    length: number,
    { connection = 'close', server = shop, token = admin.token } = {},
  ) => {
    const socket = connect((server.app.server.address() as AddressInfo).port, '127.0.0.1')
    await once(socket, 'connect')
    const fields = [
      `POST ${path} HTTP/1.1`,
      'Host: 127.0.0.1',
      `Authorization: Bearer ${token}`,
      `Content-Type: ${type}`,
      `Content-Length: ${length}`,
      `Connection: ${connection}`,
    ]
    socket.on('error', () => undefined).write(`${fields.join('\r\n')}\r\n\r\n`)
    return { socket, received: text(socket) }
  }
  /** Sends pieces with pauses until all are sent or the server closes the connection. */
  const drip = async (socket: Socket, parts: Iterable<string>) => {
    for (const part of parts) {
      if (socket.destroyed || socket.readableEnded) return
      socket.write(part)
      await sleep(pauseMs)
    }
  }

  test('that advances may take longer than another request', async () => {
    const head = 'sku\n'
    const length = head.length + pieces * piece.length
    const { socket, received } = await open('/imports?resource=products', 'text/csv', length)
    await drip(socket, [head, ...Array.from({ length: pieces }, () => piece)])
    assert.match(await received, /^HTTP\/1\.1 202 /)
  })

  test('that sends a few bytes now and then is ended by 408', async () => {
    for (const [path, type] of [
      ['/imports?resource=products', 'text/csv'],
      ['/users', 'application/json'],
    ] as const) {
      const { socket, received } = await open(path, type, 1000)
      await drip(socket, Array(100).fill('x'))
      assert.match(await received, /^HTTP\/1\.1 408 .*connection: close.*"4081"/is, path)
    }
    const parts = await shop.db.selectFrom('operation_parts').select('operation_id').execute()
    assert.equal(new Set(parts.map((part) => part.operation_id)).size, 1, 'only that of the first')
  })

  test('that trickles in is ended by 408 before its time is over, unless it has sent much', async () => {
    const bodyPace = { bytesPerSecond: 1000, graceMs: 2 * pauseMs }
    const timeouts = { ...defaultTimeouts, requestMs: hourMs, bodyPace }
    const slow = await startTestApp('memory', { composition: { timeouts } })
    try {
      await slow.app.listen({ port: 0, host: '127.0.0.1' })
      const { token } = await slow.signInAs('admin')
      for (const [path, type] of [
        ['/imports?resource=products', 'text/csv'],
        ['/users', 'application/json'],
      ] as const) {
        const { socket, received } = await open(path, type, 1000, { server: slow, token })
        await drip(socket, Array(100).fill('x'))
        assert.match(await received, /^HTTP\/1\.1 408 .*connection: close.*"4081"/is, path)
      }
      const head = 'sku\n'
      const rest = Array(4).fill('\n')
      const length = head.length + piece.length + rest.length
      const upload = await open('/imports?resource=products', 'text/csv', length, {
        server: slow,
        token,
      })
      await drip(upload.socket, [`${head}${piece}`, ...rest])
      assert.match(await upload.received, /^HTTP\/1\.1 202 /)
    } finally {
      await slow.dispose()
    }
  })

  test('that goes on after its response is cut off', async () => {
    const { socket, received } = await open('/nowhere', 'text/csv', 1000, {
      connection: 'keep-alive',
    })
    const closed = once(socket, 'close')
    const ended = received.catch(() => 'reset')
    const [response] = await once(socket, 'data')
    assert.match(String(response), /^HTTP\/1\.1 404 /)
    assert.ok(!socket.destroyed)
    await drip(socket, Array(100).fill('x'))
    await Promise.all([closed, ended])
  })

  test('that is too large gets 413', async () => {
    const { id } = (await admin.request('POST', '/products', { name: 'Kettle', price: 1 })).json
    const length = 11 * 2 ** 20
    const { socket, received } = await open(`/products/${id}/images`, 'image/png', length)
    socket.write(Buffer.alloc(length))
    assert.match(await received, /^HTTP\/1\.1 413 /)
  })
})

test('a body that waits to be read need not go on', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let nowMs = 0
  let isRejected = false
  const body = { readableLength: 1 }
  const pace = { bytesPerSecond: 1024, graceMs: 10_000 }
  const reject = () => {
    isRejected = true
  }
  const tick = (milliseconds: number) => {
    nowMs += milliseconds
    t.mock.timers.tick(milliseconds)
    return isRejected
  }
  watchPace(body, pace, reject, () => nowMs)
  for (let turn = 0; turn < 10; turn += 1) assert.equal(tick(10_000), false)
  body.readableLength = 0
  assert.equal(tick(9_999), false)
  assert.equal(tick(1), true)
})
