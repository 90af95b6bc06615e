import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { connect as connectSecurely } from 'node:tls'
import * as zlib from 'node:zlib'
import { defaultTimeouts } from '#http/server/connection/client-errors.ts'
import { type SecureApp, startSecureApp } from '#test/support/https-app.ts'

const host = 'Host: shop.example\r\n'
const person = '{"name":"A","password":"correct horse battery","username":"'
const post = `POST /users HTTP/1.1\r\n${host}Content-Type: application/json\r\n`
const close = 'Connection: close\r\n'
const chunked = `${post}Transfer-Encoding: chunked\r\n`

/** Requests with an unsupported transfer coding, with and without a media type. */
function unknownCoding(coding: string): [string, string, string][] {
  const rest = `Transfer-Encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\nGET / HTTP/1.1\r\n${host}\r\n`
  return ['', 'Content-Type: application/json\r\n'].map((type) => [
    `${coding} ${type}`,
    `POST /users HTTP/1.1\r\n${host}${type}${rest}`,
    '4002',
  ])
}

/** Malformed requests: name, bytes and the expected error code. */
const rejected: readonly (readonly [string, string, string])[] = [
  [
    'a length and chunks',
    `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    '4002',
  ],
  ['chunks and a length', `${chunked}Content-Length: 5\r\n\r\n0\r\n\r\n`, '4002'],
  ['two lengths', `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, '4002'],
  ['the same length twice', `${post}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`, '4002'],
  ['a list of lengths', `${post}Content-Length: 2, 2\r\n\r\n{}`, '4002'],
  ['a length with a sign', `${post}Content-Length: +2\r\n\r\n{}`, '4002'],
  ['a negative length', `${post}Content-Length: -1\r\n\r\n{}`, '4002'],
  [
    'a length above the integer range',
    `${post}Content-Length: ${'9'.repeat(20)}\r\n\r\n{}`,
    '4002',
  ],
  ['a folded field', `GET / HTTP/1.1\r\n${host}X: a\r\n b\r\n\r\n`, '4002'],
  ['a folded coding', `${post}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n`, '4002'],
  ['a first line that ends in LF', `GET / HTTP/1.1\n${host}\r\n`, '4002'],
  ['a field that ends in LF', 'GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n', '4002'],
  ['a field that ends in CR', 'GET / HTTP/1.1\r\nHost: a\rX: y\r\n\r\n', '4002'],
  ['a coding similar to chunked', `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`, '4002'],
  ['chunked twice', `${post}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`, '4002'],
  ['two codings', `${chunked}Transfer-Encoding: identity\r\n\r\n0\r\n\r\n`, '4002'],
  ['no coding', `${post}Transfer-Encoding: identity\r\n\r\n0\r\n\r\n`, '4002'],
  ['a coding after a tab', `${post}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n`, '4002'],
  ['a space before a colon', `${post}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`, '4002'],
  ['a chunk size above the integer range', `${chunked}\r\n${'F'.repeat(17)}\r\nabc`, '4002'],
  ['a negative chunk size', `${chunked}\r\n-1\r\nabc`, '4002'],
  ['a chunk longer than its size', `${chunked}\r\n2\r\n{}X0\r\n\r\n`, '4002'],
  ['a chunk whose size ends in LF', `${chunked}\r\n2\n{}\r\n0\r\n\r\n`, '4002'],
  [
    'chunks in HTTP/1.0',
    `${chunked.replace('1.1', '1.0')}Connection: keep-alive\r\n\r\n0\r\n\r\nGET /health/live HTTP/1.0\r\n\r\n`,
    '4002',
  ],
  [
    'a request after a broken one',
    `GET / HTTP/1.1\r\n${host}X : y\r\n\r\nGET /health/live HTTP/1.1\r\n${host}\r\n`,
    '4002',
  ],
  ['HTTP/0.9', 'GET /products\r\n\r\n', '4002'],
  ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '4002'],
  ['an unknown method', `FOO /products HTTP/1.1\r\n${host}\r\n`, '4051'],
  ['NUL in the path', `GET /pro\0ducts HTTP/1.1\r\n${host}\r\n`, '4002'],
  ['NUL in a field', `GET / HTTP/1.1\r\n${host}X: a\0b\r\n\r\n`, '4002'],
  ['a handshake of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc', '4002'],
  ['no Host', `GET /products HTTP/1.1\r\n${close}\r\n`, '4002'],
  ['two Hosts', `GET /products HTTP/1.1\r\nHost: a\r\nHost: a\r\n${close}\r\n`, '4002'],
  ['an invalid Host', `GET /products HTTP/1.1\r\nHost: a b\r\n${close}\r\n`, '4002'],
  ['a tunnel', `CONNECT shop.example:80 HTTP/1.1\r\n${host}\r\n`, '4051'],
  ['TRACE', `TRACE /products HTTP/1.1\r\n${host}${close}\r\n`, '4051'],
  ['a host as the target', `GET shop.example:80 HTTP/1.1\r\n${host}${close}\r\n`, '4002'],
  ['another scheme', `GET ftp://shop.example/ HTTP/1.1\r\n${host}${close}\r\n`, '4001'],
  ['an invalid host in the target', `GET http://a@b/ HTTP/1.1\r\n${host}${close}\r\n`, '4002'],
  ['nothing', '', '4081'],
  ['half a line', 'GET /pro', '4081'],
  ['a body shorter than its length', `${post}Content-Length: 500\r\n\r\n{}`, '4081'],
  ...['xchunked', 'gzip', 'identity', '"chunked"', 'chunked;q=1'].flatMap(unknownCoding),
  ...['gzip, chunked', 'chunked, chunked', 'xchunked, chunked'].flatMap(unknownCoding),
  ['an incomplete chunk', `${chunked}\r\n${'F'.repeat(16)}\r\nabc`, '4081'],
]

const inflatedBytes = 64 * 1024 * 1024

describe('hostile bytes', () => {
  let shop: SecureApp
  const bomb = Buffer.alloc(inflatedBytes, ' ')
  before(async () => {
    const timeouts = { ...defaultTimeouts, headersMs: 300, requestMs: 500, checkIntervalMs: 20 }
    shop = await startSecureApp({ composition: { timeouts, responseCacheBytes: 1_000_000 } })
    await shop.app.request('GET', '/products')
  })
  after(() => shop.dispose())

  const transports: Readonly<Record<string, () => Promise<Socket>>> = {
    'plain HTTP': async () => {
      const socket = connect((shop.app.app.server.address() as AddressInfo).port, '127.0.0.1')
      await once(socket, 'connect')
      return socket
    },
    TLS: async () => {
      const { tlsPort: port, identity } = shop
      const socket = connectSecurely({ port, host: '127.0.0.1', ca: identity.cert })
      await once(socket, 'secureConnect')
      return socket
    },
  }

  /** Sends bytes; `answer` is everything received until the server closes the connection. */
  const send = async (open: () => Promise<Socket>, sent: string | Buffer) => {
    const socket = await open()
    const closed = new Promise((resolve) => socket.once('close', resolve))
    let all = ''
    socket.on('error', () => undefined).setEncoding('latin1')
    socket.on('data', (text: string) => {
      all += text
    })
    socket.write(typeof sent === 'string' ? Buffer.from(sent, 'latin1') : sent)
    return { answer: closed.then(() => all) }
  }
  const exchange = async (...sent: Parameters<typeof send>): Promise<string> =>
    (await send(...sent)).answer
  const statuses = (all: string) => [...all.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, one]) => one)
  const codeIn = (all: string) => /"error_code":"(\d+)"/.exec(all)?.[1]

  for (const [transport, open] of Object.entries(transports)) {
    test(`over ${transport}, a malformed request answers one catalogued error and closes the connection`, async () => {
      // One handshake at a time: the time that a connection has for its request begins before.
      const exchanges = []
      for (const [what, sent, code] of rejected) {
        exchanges.push({ what, code, ...(await send(open, sent)) })
      }
      const failures = await Promise.all(
        exchanges.map(async ({ what, code, answer }) => {
          const all = await answer
          const isExpected =
            statuses(all).join() === code.slice(0, 3) &&
            codeIn(all) === code &&
            /\r\ncontent-type: application\/json/.test(all) &&
            /\r\nx-content-type-options: nosniff/.test(all) &&
            /\r\ncache-control: no-store/.test(all)
          return isExpected ? [] : [`${what}: ${all.slice(0, 300)}`]
        }),
      )
      assert.deepEqual(failures.flat(), [])
    })
  }

  const plain = transports['plain HTTP'] ?? assert.fail()

  const answered: readonly (readonly [string, string, string])[] = [
    ['HTTP/1.0 needs no Host', 'GET /health/live HTTP/1.0\r\n\r\n', '200'],
    [
      'an absolute target is accepted',
      `GET http://shop.example/health/live HTTP/1.1\r\n${host}${close}\r\n`,
      '200',
    ],
    ['an empty Host is accepted', `GET /health/live HTTP/1.1\r\nHost:\r\n${close}\r\n`, '200'],
    ['OPTIONS * answers 204', `OPTIONS * HTTP/1.1\r\n${host}${close}\r\n`, '204'],
    [
      'an upgrade is ignored',
      `GET /health/live HTTP/1.1\r\n${host}Connection: upgrade, close\r\nUpgrade: h2c\r\n\r\n`,
      '200',
    ],
    [
      'Expect: 100-continue is answered',
      `${post}Expect: 100-continue\r\nContent-Length: 2\r\n${close}\r\n{}`,
      '100,400',
    ],
    [
      'other expectations are ignored',
      `${post}Expect: 200-ok\r\nContent-Length: 2\r\n${close}\r\n{}`,
      '400',
    ],
    [
      'chunk extensions and trailers are ignored',
      `${chunked}${close}\r\n2;a=b\r\n{}\r\n0\r\nX: y\r\n\r\n`,
      '400',
    ],
    [
      'the body of a GET is not parsed as a request',
      `GET /health/live HTTP/1.1\r\n${host}Content-Length: 26\r\n\r\nGET /products HTTP/1.1\r\n\r\nGET /health/live HTTP/1.1\r\n${host}${close}\r\n`,
      '200,200',
    ],
  ]
  for (const [what, sent, expected] of answered) {
    test(what, async () => {
      assert.equal(statuses(await exchange(plain, sent)).join(), expected)
    })
  }

  test('a forged host in the target does not change the redirect', async () => {
    const strict = await startSecureApp({
      composition: {
        httpsPolicy: {
          plain: 'redirect',
          https: { port: 3443, coversHost: () => false, name: 'shop.example' },
        },
      },
    })
    const open = async () => {
      const socket = connect(strict.port, '127.0.0.1')
      await once(socket, 'connect')
      return socket
    }
    for (const target of [
      'http://evil.example/products',
      '//evil.example/products',
      'http://evil.example',
    ]) {
      const all = await exchange(open, `GET ${target} HTTP/1.1\r\n${host}${close}\r\n`)
      assert.match(all, /^HTTP\/1\.1 301 [\s\S]*\r\nlocation: https:\/\/shop\.example:3443\//, all)
    }
    await strict.dispose()
  })

  const codings: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
    gzip: zlib.gzipSync,
    deflate: zlib.deflateSync,
    br: (bytes) =>
      zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }),
  }
  const coded = (coding: string, bytes: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from(
        `${post}Content-Encoding: ${coding}\r\nContent-Length: ${bytes.length}\r\n${close}\r\n`,
      ),
      bytes,
    ])

  for (const [coding, encode] of Object.entries(codings)) {
    test(`a ${coding} bomb of 64 MiB is rejected without being buffered`, async () => {
      const sent = coded(coding, encode(bomb))
      const before = process.memoryUsage().arrayBuffers
      assert.equal(codeIn(await exchange(plain, sent)), '4131')
      assert.ok(process.memoryUsage().arrayBuffers - before < inflatedBytes / 8)
    })
    test(`data after the end of a ${coding} body is rejected`, async () => {
      const whole = encode(Buffer.from(`${person}${coding}"}`))
      for (const rest of [Buffer.from('GET / HTTP/1.1'), encode(Buffer.from(' '))]) {
        assert.equal(
          codeIn(await exchange(plain, coded(coding, Buffer.concat([whole, rest])))),
          '4002',
        )
      }
      assert.equal(statuses(await exchange(plain, coded(coding, whole))).join(), '201')
    })
  }

  test('an endless chunked body answers 4131 and the connection is closed', async () => {
    for (const open of Object.values(transports)) {
      const socket = await open()
      const closed = new Promise((resolve) => socket.once('close', resolve))
      let all = ''
      socket
        .on('error', () => undefined)
        .on('data', (bytes: Buffer) => {
          all += bytes.toString()
        })
      socket.write(`${chunked}\r\n`)
      const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
      const sendMore = (): void => {
        if (!socket.destroyed) socket.write(chunk, () => setImmediate(sendMore))
      }
      sendMore()
      await closed
      assert.equal(codeIn(all), '4131', all)
    }
  })

  test('the server is still ready afterwards', async () => {
    assert.equal((await shop.requestHttp1('/health/ready')).status, 200)
  })
})
