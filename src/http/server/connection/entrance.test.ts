import assert from 'node:assert/strict'
import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2'
import { connect, Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { requestHttp2, type SecureApp, startSecureApp } from '#test/support/https-app.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { freePieces, minMeanBytes } from './body-budget.ts'
import { defaultTimeouts } from './client-errors.ts'
import { createEntrance, maxPipelined } from './entrance.ts'
import { createRequestTurns, requestsPerTurn, waitingBytesOfNetwork } from './request-turns.ts'

/** Requests with bodies: without a credential, with one, streamed, and never read. */
const targets = [
  ['POST', '/guests', 'application/json'],
  ['POST', '/payment-notifications', 'application/json'],
  ['QUERY', '/products', 'application/x-www-form-urlencoded'],
  ['GET', '/products', 'application/json'],
  ['POST', '/imports?resource=products', 'text/csv'],
  ['POST', '/oauth/token', 'application/x-www-form-urlencoded'],
] as const

describe('the entrance', () => {
  let secure: SecureApp
  let token: string
  before(async () => {
    secure = await startSecureApp()
    token = String((await secure.app.signInAs('admin')).token)
  })
  after(() => secure.dispose())

  const open = async (listener: 'http' | 'https'): Promise<Socket> => {
    const { port, tlsPort: tls, identity } = secure
    const socket =
      listener === 'http'
        ? connect(port, '127.0.0.1')
        : connectTls({ port: tls, host: 'localhost', ca: identity.cert })
    await once(socket, listener === 'http' ? 'connect' : 'secureConnect')
    return socket.on('error', () => undefined)
  }
  const headOf = (method: string, path: string, type: string, more: string) =>
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
    `Content-Type: ${type}\r\n${more}\r\n\r\n`
  const isServing = async () => {
    const { statusCode } = await secure.app.app.inject({ url: '/health/ready' })
    assert.equal(statusCode, 200)
  }

  for (const listener of ['http', 'https'] as const) {
    for (const [method, path, type] of targets) {
      test(`ends ${method} ${path} in chunks of a byte over ${listener}`, async () => {
        const socket = await open(listener)
        const closed = once(socket, 'close')
        socket.resume()
        // Less than any limit of bytes, and no end; at once, for GET is answered without it.
        const head = headOf(method, path, type, 'Transfer-Encoding: chunked')
        socket.write(head + '1\r\na\r\n'.repeat(2000))
        await closed
      })
    }
  }

  // HTTP/2 resets the stream of a body that a response does not wait for.
  const awaited = targets.filter(([method]) => method !== 'GET')
  for (const [method, path, type] of awaited) {
    test(`ends ${method} ${path} in frames of a byte over HTTP/2`, async () => {
      const session = await secure.session()
      session.on('error', () => undefined)
      const closed = once(session, 'close')
      const stream = session.request(
        {
          ':method': method,
          ':path': path,
          'content-type': type,
          authorization: `Bearer ${token}`,
        },
        { endStream: false },
      )
      stream.on('error', () => undefined).resume()
      for (let sent = 0; sent < 2000 && !stream.destroyed; sent += 1) {
        stream.write('a')
        await new Promise(setImmediate)
      }
      await closed
    })
  }

  test('lets a body pass whose pieces are small, and a large one in pieces of a line', async () => {
    const bodies = [Array(freePieces - 1).fill('a'), Array(2000).fill('a'.repeat(minMeanBytes))]
    for (const pieces of bodies) {
      const socket = await open('http')
      const length = pieces.join('').length + 2
      socket.write(headOf('POST', '/guests', 'application/json', `Content-Length: ${length}`))
      socket.write('"')
      for (const piece of pieces) {
        socket.write(piece)
        await new Promise(setImmediate)
      }
      socket.write('"')
      const [answer] = await once(socket, 'data')
      assert.match(String(answer), /^HTTP\/1\.1 4\d\d /)
      socket.destroy()
    }
    await isServing()
  })

  test('ends a connection with more requests unanswered than it may have', async () => {
    for (const listener of ['http', 'https'] as const) {
      const socket = await open(listener)
      const closed = once(socket, 'close')
      socket.resume().write('GET /nope HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(1000))
      await closed
    }
  })

  test('answers as many requests as may wait on a connection', async () => {
    const socket = await open('http')
    let text = ''
    socket.on('data', (piece) => {
      text += piece
    })
    const one = 'GET /nope HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const last = 'GET /nope HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
    socket.write(one.repeat(maxPipelined - 1) + last)
    await once(socket, 'close')
    assert.equal(text.match(/HTTP\/1\.1 404/g)?.length, maxPipelined)
  })

  test('answers all streams that HTTP/2 allows at once', async () => {
    const session: ClientHttp2Session = await secure.session()
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => requestHttp2(session, { ':path': '/nope' })),
    )
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [404])
  })

  test('ends the oldest responses of a client that reads none of its streams', async () => {
    const session = connectHttp2(`https://localhost:${secure.tlsPort}`, {
      ca: secure.identity.cert,
      settings: { initialWindowSize: 0 },
    })
    const request = async () => {
      const stream = session.request({ ':path': '/openapi.json' })
      stream.on('error', () => undefined)
      await once(stream, 'response')
      return stream
    }
    const first = await request()
    for (let sent = 1; sent < 100; sent += 1) await request()
    await pollUntil(
      async () => first.closed,
      (isClosed) => isClosed,
    )
    session.destroy()
  })
})

test('a network begins a number of requests in each turn; another one does not wait for it', async () => {
  const takeTurn = createRequestTurns()
  const begun: string[] = []
  for (let at = 0; at < 3 * requestsPerTurn; at += 1) takeTurn('a', () => begun.push('a'))
  takeTurn('b', () => begun.push('b'))
  const first = [...Array(requestsPerTurn).fill('a'), 'b']
  assert.deepEqual(begun, first)
  await new Promise(setImmediate)
  takeTurn('b', () => begun.push('b'))
  const second = [...Array(requestsPerTurn).fill('a'), 'b']
  assert.deepEqual(begun, [...first, ...second])
  await new Promise(setImmediate)
  assert.equal(begun.length, 3 * requestsPerTurn + 2)
})

test('a request whose connection has ended when its turn comes is dropped', async () => {
  let routed = 0
  const server = createEntrance(
    {},
    defaultTimeouts,
    undefined,
  )(() => {
    routed += 1
  })
  let address: string | undefined = '192.0.2.1'
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { get: () => address })
  for (let at = 0; at < 2 * requestsPerTurn; at += 1) {
    const request = Object.assign(new IncomingMessage(socket), { httpVersionMajor: 2 })
    server.emit('request', request, new ServerResponse(request))
  }
  address = undefined
  await new Promise(setImmediate)
  assert.equal(routed, requestsPerTurn)
})

test('requests of a network that wait for a turn take a number of bytes, beside those of others', async () => {
  const takeTurn = createRequestTurns()
  const take = (network: string) => takeTurn(network, () => undefined, waitingBytesOfNetwork / 4)
  const takeTurns = (network: string, count: number) =>
    Array.from({ length: count }, () => take(network)).filter(Boolean).length
  assert.equal(takeTurns('a', requestsPerTurn + 10), requestsPerTurn + 4)
  for (const network of ['b', 'c', 'd']) assert.ok(takeTurns(network, requestsPerTurn + 10) > 4)
  assert.ok(take('honest'))
  await new Promise(setImmediate)
  assert.ok(take('a'))
})

test('many networks together begin a number of requests in each turn, each at least one', async () => {
  const takeTurn = createRequestTurns()
  let begun: string[] = []
  const begin = (network: string) => takeTurn(network, () => begun.push(network))
  for (let at = 0; at < 100 * requestsPerTurn; at += 1) begin(`hostile ${at % 100}`)
  begin('honest')
  assert.equal(begun.length, 64)
  begun = []
  await new Promise(setImmediate)
  assert.equal(begun.length, 101)
  assert.ok(begun.includes('honest'))
})
