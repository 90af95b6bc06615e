import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { createLog } from '#src/observability/log.ts'
import { startTestApp, type TestApp } from '#test/support/app.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { defaultTimeouts } from './client-errors.ts'

describe('a rejected request', () => {
  let shop: TestApp
  let port: number
  const lines: Record<string, unknown>[] = []
  before(async () => {
    const timeouts = { ...defaultTimeouts, headersMs: 100, requestMs: 200, checkIntervalMs: 20 }
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
    const log = createLog('info', destination)
    shop = await startTestApp('sqlite', { composition: { timeouts, log } })
    await shop.app.listen({ port: 0, host: '127.0.0.1' })
    port = (shop.app.server.address() as AddressInfo).port
  })
  after(() => shop.dispose())

  /**
   * Sends bytes; returns all responses until the connection closes, with statuses and error code.
   */
  const exchange = async (sent: string) => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(sent)
    const all = await text(socket)
    const statuses = [...all.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)
    return { all, statuses, code: /"error_code":"(\d+)"/.exec(all)?.[1] }
  }
  const host = 'Host: shop.example\r\n'
  const cases: readonly (readonly [name: string, sent: string, code: string])[] = [
    ['text that is no HTTP', 'hello\r\n\r\n', '4002'],
    [
      'a target that is too long',
      `GET /products?q=${'a'.repeat(9000)} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
      '4141',
    ],
    [
      'a target beyond the header limit',
      `GET /${'a'.repeat(40_000)} HTTP/1.1\r\n${host}\r\n`,
      '4141',
    ],
    [
      'header fields that are too large',
      `GET / HTTP/1.1\r\n${host}X: ${'a'.repeat(20_000)}\r\n\r\n`,
      '4311',
    ],
    ['a request without Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', '4002'],
    ['header fields that do not end', `GET / HTTP/1.1\r\n${host}`, '4081'],
    [
      'a body that does not come',
      `POST /users HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
      '4081',
    ],
    [
      'a Content-Length that is too large',
      `POST /users HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 99999999\r\n\r\n`,
      '4131',
    ],
    [
      'two Content-Length fields',
      `POST /users HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`,
      '4002',
    ],
    [
      'Content-Length and Transfer-Encoding',
      `POST /users HTTP/1.1\r\n${host}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      '4002',
    ],
    [
      'chunked that is not the last transfer coding',
      `POST /users HTTP/1.1\r\n${host}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`,
      '4002',
    ],
    ['a space before the colon', `GET / HTTP/1.1\r\n${host}X : y\r\n\r\n`, '4002'],
    ['a folded header field', `GET / HTTP/1.1\r\n${host}X: y\r\n z\r\n\r\n`, '4002'],
  ]
  for (const [name, sent, expected] of cases) {
    test(`with ${name} gets one response with ${expected}, then the connection closes`, async () => {
      const { all, statuses, code } = await exchange(sent)
      assert.deepEqual([statuses, code], [[expected.slice(0, 3)], expected], all.slice(0, 2000))
      assert.match(all, /x-content-type-options: nosniff/)
      assert.match(all, /cache-control: no-store/)
    })
  }

  const methods: readonly (readonly [string, string, string | undefined])[] = [
    ['FOO /products', '4051', 'GET, HEAD, QUERY, POST, OPTIONS'],
    ['get /products', '4051', 'GET, HEAD, QUERY, POST, OPTIONS'],
    ['GETX /v2/products/1?x=1', '4051', 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS'],
    ['DESCRIBE http://shop.example/login', '4051', 'POST, OPTIONS'],
    ['FOO /oauth/token', '4051', 'POST, OPTIONS'],
    ['FOO /nowhere', '4042', undefined],
    ['FOO /products/', '4042', undefined],
    ['F(O /products', '4002', undefined],
    ['FOO  /products', '4002', undefined],
    ['FOO products', '4002', undefined],
    ['FOO /pro\u0001ducts', '4002', undefined],
    [`${'A'.repeat(65)} /products`, '4002', undefined],
  ]
  for (const [line, expected, allow] of methods) {
    test(`with the line ${line.slice(0, 40)} gets ${expected}`, async () => {
      const { all, statuses, code } = await exchange(`${line} HTTP/1.1\r\n${host}\r\n`)
      assert.deepEqual([statuses, code], [[expected.slice(0, 3)], expected], all)
      assert.equal(/^allow: (.*)\r$/m.exec(all)?.[1], allow)
    })
  }
  test('with an unknown method gets 405 after another request, and 4002 in HTTP/3.0', async () => {
    const first = `GET /health HTTP/1.1\r\n${host}\r\n`
    const socket = connect(port, '127.0.0.1')
    socket.write(first)
    await once(socket, 'data')
    socket.write(`FOO /products HTTP/1.1\r\n${host}\r\n`)
    assert.match(await text(socket), /HTTP\/1\.1 405 .*allow: GET, HEAD, QUERY, POST, OPTIONS/s)
    const { code } = await exchange(`FOO /products HTTP/3.0\r\n${host}\r\n`)
    assert.equal(code, '4002')
  })
  test('is answered after the earlier requests on its connection', async () => {
    const { token, id } = await shop.signInAs('admin')
    const own = `GET /users/${id} HTTP/1.1\r\n${host}Authorization: Bearer ${token}\r\n\r\n`
    for (const [sent, expected] of [
      [`${own}FOO /products HTTP/1.1\r\n${host}\r\n`, ['200', '405']],
      [`${own}${own}GET / HTTP/1.1\r\n${host}X : y\r\n\r\n`, ['200', '200', '400']],
      [`${own}CONNECT a.example:80 HTTP/1.1\r\n${host}\r\n`, ['200', '405']],
      [`${own.replace('Host', 'Connection: close\r\nHost')}FOO / HTTP/1.1\r\n\r\n`, ['200']],
    ] as const) {
      const { statuses, all } = await exchange(sent)
      assert.deepEqual(statuses, expected, all)
    }
  })
  test('is logged and counted without its content', async () => {
    const readCount = async () => {
      const { text } = await shop.request('GET', '/metrics')
      return Number(/^http_unread_requests_total\{status="400"\} (\d+)$/m.exec(text)?.[1] ?? 0)
    }
    const reject = async () => {
      const sent = `GET /?api_key=hidden HTTP/1.1\r\n${host}X : hidden\r\n\r\n`
      const { all } = await exchange(sent)
      const requestId = /"request_id":"([^"]+)"/.exec(all)?.[1]
      return lines.find((entry) => entry['request_id'] === requestId)
    }
    const before = await readCount()
    await reject()
    assert.equal(await readCount(), before + 1)
    // One line a second is written, and the tests before have written some.
    const line = await pollUntil(reject, (found) => found !== undefined)
    assert.partialDeepStrictEqual(line, {
      msg: 'request unread',
      status: 400,
      error_code: '4002',
      address: '127.0.0.0',
    })
    assert.doesNotMatch(JSON.stringify(line), /hidden/)
  })
})
