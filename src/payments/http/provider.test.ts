import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { test } from 'node:test'
import type { PaymentProvider, ProviderLookup } from '#src/payments/provider.ts'
import { httpProvider } from './provider.ts'

const SECRET = 'a test secret'
const REQUEST = {
  key: 'order-1-a',
  token: 'tok_visa',
  amountMinor: 1999,
  currency: 'USD',
  callbackUrl: 'http://127.0.0.1:1/callbacks',
}
const MESSAGE = {
  key: 'order-1-a',
  status: 'succeeded',
  reference: 'ch_1',
  amount_minor: 1999,
  currency: 'USD',
  sequence: 1,
}

function unknown(because: string): object {
  return { kind: 'unknown', because }
}

function json(body: unknown, status = '200 OK', type = 'application/json'): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const length = Buffer.byteLength(text)
  return `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n${text}`
}

async function withServer(
  server: Server,
  use: (provider: PaymentProvider) => Promise<void>,
  timeoutMs = 5_000,
): Promise<void> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = httpProvider({ baseUrl, secret: SECRET, timeoutMs, name: 'test' })
  try {
    await use(provider)
  } finally {
    await provider.close()
    for (const socket of sockets) socket.destroy()
    server.close()
  }
}

/** A provider that sends these bytes for every request and optionally closes the connection. */
function answering(bytes: string, hangUp = false): Server {
  return createServer((socket) => {
    socket.on('data', () => (hangUp ? socket.end(bytes) : socket.write(bytes)))
  })
}

test('a valid response is the charge without unknown fields', async () => {
  await withServer(answering(json({ ...MESSAGE, network: 'visa' }, '201 Created')), async (it) => {
    const { amount_minor: amountMinor, ...charge } = MESSAGE
    const expected = { kind: 'answered', charge: { ...charge, amountMinor } }
    assert.deepEqual(await it.charge(REQUEST), expected)
    assert.deepEqual(await it.find(REQUEST.key), expected)
  })
})

const GARBAGE: Record<string, string> = {
  'not HTTP': 'SSH-2.0-OpenSSH_9.9\r\n',
  'an empty body': json(''),
  'HTML as JSON': json('<html></html>'),
  'JSON cut short': json(JSON.stringify(MESSAGE).slice(0, -1)),
  'JSON null': json(null),
  'an array': json([MESSAGE]),
  'another content type': json(MESSAGE, '200 OK', 'text/html'),
  'a body without end': `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n8000\r\n${' '.repeat(32_768)}\r\n`,
  'headers without end': `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(40_000)}`,
  'a redirect': `HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 0\r\n\r\n`,
  'an unexpected status': json(MESSAGE, '202 Accepted'),
  'a server error': json({ error: 'internal_error' }, '500 Internal Server Error'),
  'an error': json({ error: 'unauthorized' }, '401 Unauthorized'),
  'a 404 of another server': json({ error: 'not_found' }, '404 Not Found'),
  'another key': json({ ...MESSAGE, key: 'order-2-a' }),
  'no key': json({ ...MESSAGE, key: undefined }),
  'an unknown status': json({ ...MESSAGE, status: 'SUCCEEDED' }),
  'no reference': json({ ...MESSAGE, reference: '' }),
  'an amount as a string': json({ ...MESSAGE, amount_minor: '1999' }),
  'a broken amount': json({ ...MESSAGE, amount_minor: 19.99 }),
  'a negative amount': json({ ...MESSAGE, amount_minor: -1999 }),
  'a currency in lower case': json({ ...MESSAGE, currency: 'usd' }),
  'no sequence': json({ ...MESSAGE, sequence: undefined }),
  'a sequence of zero': json({ ...MESSAGE, sequence: 0 }),
  'a reason that is no text': json({ ...MESSAGE, reason: { code: 5 } }),
}

for (const [what, bytes] of Object.entries(GARBAGE)) {
  test(`${what} is garbage for every method`, async () => {
    await withServer(answering(bytes), async (it) => {
      const { key } = REQUEST
      for (const ask of [it.charge(REQUEST), it.find(key), it.void(key), it.refund(key)]) {
        assert.deepEqual(await (ask as Promise<ProviderLookup>), unknown('garbage'))
      }
    })
  })
}

test('a charge of another amount or currency is garbage for the charge request', async () => {
  for (const change of [{ amount_minor: 199_900 }, { currency: 'EUR' }]) {
    await withServer(answering(json({ ...MESSAGE, ...change })), async (it) => {
      assert.deepEqual(await it.charge(REQUEST), unknown('garbage'))
    })
  }
})

test('bytes after a response are garbage or discarded', async () => {
  await withServer(answering(`${json(MESSAGE)}HTTP/1.1 trailing rubbish`), async (it) => {
    assert.deepEqual(await it.find(REQUEST.key), unknown('garbage'))
    assert.deepEqual(await it.find(REQUEST.key), unknown('garbage'))
  })
  const second = json({ error: 'no_such_charge' }, '404 Not Found')
  await withServer(answering(json(MESSAGE) + second), async (it) => {
    for (let call = 0; call < 3; call += 1) {
      assert.notEqual((await it.find(REQUEST.key)).kind, 'absent')
    }
  })
})

test('a missing or incomplete response is a timeout', async () => {
  for (const bytes of ['', 'HTTP/1.1 200 OK\r\n', json(MESSAGE).slice(0, -1)]) {
    const server = answering(bytes)
    const left = new Promise<void>((resolve) => {
      server.on('connection', (socket: Socket) => socket.on('close', () => resolve()))
    })
    await withServer(
      server,
      async (it) => {
        assert.deepEqual(await it.charge(REQUEST), unknown('timeout'))
        await left
      },
      50,
    )
  }
})

test('a connection refused, reset or ended early is unreachable', async () => {
  for (const bytes of ['', json(MESSAGE).slice(0, -1)]) {
    await withServer(answering(bytes, true), async (it) => {
      assert.deepEqual(await it.charge(REQUEST), unknown('unreachable'))
    })
  }
  const gone = createServer()
  await withServer(gone, async (it) => {
    gone.close()
    await once(gone, 'close')
    assert.deepEqual(await it.charge(REQUEST), unknown('unreachable'))
  })
})

test('closing ends a call in flight as unreachable', async () => {
  await withServer(answering(''), async (it) => {
    const call = it.charge(REQUEST)
    await it.close()
    assert.deepEqual(await call, unknown('unreachable'))
  })
})

test('a pooled connection closed by the provider is replaced transparently', async () => {
  const served = new WeakSet<Socket>()
  let resets = 0
  const server = createHttpServer((request, response) => {
    if (served.has(request.socket)) {
      resets += 1
      request.socket.destroy()
      return
    }
    served.add(request.socket)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(MESSAGE))
  })
  await withServer(server, async (it) => {
    for (let call = 0; call < 4; call += 1) {
      assert.equal((await it.charge(REQUEST)).kind, 'answered')
    }
    assert.ok(resets > 0)
  })
})

test('every request carries the secret and names the key in its path', async () => {
  const seen: string[] = []
  const server = createHttpServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    response.end()
  })
  await withServer(server, async (it) => {
    const key = 'a/b?c'
    await it.charge({ ...REQUEST, key })
    await it.find(key)
    await it.void(key)
    await it.refund(key)
  })
  assert.deepEqual(seen, [
    `PUT /charges/a%2Fb%3Fc Bearer ${SECRET}`,
    `GET /charges/a%2Fb%3Fc Bearer ${SECRET}`,
    `DELETE /charges/a%2Fb%3Fc Bearer ${SECRET}`,
    `PUT /charges/a%2Fb%3Fc/refund Bearer ${SECRET}`,
  ])
})

test('only an authentic and recent callback is accepted', () => {
  const baseUrl = 'http://127.0.0.1:1'
  const it = httpProvider({ baseUrl, secret: SECRET, timeoutMs: 50, name: 'test' })
  const now = 1_700_000_000_000
  const sign = (text: string, secret = SECRET, t = '1700000000') =>
    `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${text}`).digest('hex')}`
  const text = JSON.stringify(MESSAGE)
  const body = Buffer.from(text)
  const good = sign(text)
  const charge = it.verifyCallback(body, good, now)
  assert.equal(charge?.amountMinor, 1999)
  assert.deepEqual(it.verifyCallback(body, good, now + 300_000), charge)
  assert.deepEqual(it.verifyCallback(body, good, now - 300_000), charge)

  const rejected: [Buffer, string | undefined, number][] = [
    [body, undefined, now],
    [body, '', now],
    [body, good.slice(0, -1), now],
    [body, `${good}0`, now],
    [body, good.replace('v1=', 'v0='), now],
    [body, good.replace('t=1700000000', 't=1700000001'), now],
    [body, sign(text, 'another secret'), now],
    [Buffer.from(text.replace('1999', '1')), good, now],
    [body, good, now + 300_001],
    [body, good, now - 300_001],
    [Buffer.from('{}'), sign('{}'), now],
    [Buffer.from('not JSON'), sign('not JSON'), now],
    [Buffer.from(text + ' '.repeat(20_000)), sign(text + ' '.repeat(20_000)), now],
  ]
  for (const [given, signature, at] of rejected) {
    assert.equal(it.verifyCallback(given, signature, at), undefined)
  }
})
