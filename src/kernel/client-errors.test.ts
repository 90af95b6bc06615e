import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { startTestApp, type TestApp } from '#test/app.ts'

describe('over a socket', () => {
  let shop: TestApp
  let port: number
  before(async () => {
    const patience = { headersMs: 100, requestMs: 200, sweepMs: 20 }
    shop = await startTestApp('sqlite', { composition: { patience } })
    await shop.app.listen({ port: 0, host: '127.0.0.1' })
    port = (shop.app.server.address() as AddressInfo).port
  })
  after(() => shop.dispose())

  /** All that is answered until the server hangs up, and the status and code of the last answer. */
  const exchange = async (sent: string) => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(sent)
    const all = await text(socket)
    const heads = [...all.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)
    return { all, heads, code: /"error_code":"(\d+)"/.exec(all)?.[1] }
  }
  const host = 'Host: shop.example\r\n'
  const cases: readonly (readonly [string, string, string])[] = [
    ['no HTTP', 'hello\r\n\r\n', '4002'],
    [
      'an address that is too long',
      `GET /products?q=${'a'.repeat(9000)} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
      '4141',
    ],
    ['an address beyond all limits', `GET /${'a'.repeat(40_000)} HTTP/1.1\r\n${host}\r\n`, '4141'],
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
      'a body that says it is too large',
      `POST /users HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 99999999\r\n\r\n`,
      '4131',
    ],
    [
      'two lengths',
      `POST /users HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`,
      '4002',
    ],
    [
      'a length and chunks',
      `POST /users HTTP/1.1\r\n${host}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      '4002',
    ],
    [
      'chunks that are not last',
      `POST /users HTTP/1.1\r\n${host}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`,
      '4002',
    ],
    ['a space before the colon', `GET / HTTP/1.1\r\n${host}X : y\r\n\r\n`, '4002'],
    ['a folded header field', `GET / HTTP/1.1\r\n${host}X: y\r\n z\r\n\r\n`, '4002'],
  ]
  for (const [what, sent, code] of cases) {
    test(`${what} is refused once with ${code}, and the connection ends`, async () => {
      const { all, heads, code: told } = await exchange(sent)
      assert.deepEqual([heads, told], [[code.slice(0, 3)], code], all.slice(0, 2000))
      assert.match(all, /x-content-type-options: nosniff/)
      assert.match(all, /cache-control: no-store/)
    })
  }
})
