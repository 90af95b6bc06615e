import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { test } from 'node:test'
import type { CallbackRequest, PaymentProvider } from '#shop/providers/provider.ts'
import { storedPayment } from '#test/support/payments/stored-payment.ts'
import { httpProvider } from './http-provider.ts'

const SECRET = 'a test secret'
const PAYMENT = storedPayment()
const REQUEST = { ...PAYMENT, token: 'tok_visa', callbackUrl: 'http://127.0.0.1:1/callbacks' }
const REFUND = { key: 'refund-1', amountMinor: 1999 }
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

test('a valid response is the payment without unknown fields', async () => {
  await withServer(answering(json({ ...MESSAGE, network: 'visa' }, '201 Created')), async (it) => {
    const { amount_minor: amountMinor, sequence: _, ...charge } = MESSAGE
    const payment = { ...charge, amountMinor, refundedMinor: 0, refunds: [] }
    assert.deepEqual(await it.start(REQUEST), { kind: 'payment', payment })
    assert.deepEqual(await it.find(PAYMENT), { kind: 'payment', payment })
    assert.deepEqual(await it.confirm(PAYMENT, REQUEST), { kind: 'payment', payment })
  })
})

test('an action of the buyer and refunds are read', async () => {
  const action = { type: 'redirect', url: 'https://bank.example/3ds' }
  const asking = { ...MESSAGE, status: 'action_required', action }
  await withServer(answering(json(asking)), async (it) => {
    const outcome = await it.start(REQUEST)
    assert.deepEqual(outcome.kind === 'payment' && outcome.payment.action, action)
  })
  const made = { reference: 're_1', status: 'succeeded', amount_minor: 500 }
  const refunds = [
    { ...made, key: 'refund-1' },
    { ...made, amount_minor: 9, status: 'failed', reason: 'closed account' },
    { ...made, amount_minor: 7 },
  ]
  await withServer(answering(json({ ...MESSAGE, refunds })), async (it) => {
    const outcome = await it.find(PAYMENT)
    assert.ok(outcome.kind === 'payment')
    assert.equal(outcome.payment.refundedMinor, 507)
    assert.deepEqual(
      outcome.payment.refunds.map(({ key, status }) => [key, status]),
      [
        ['refund-1', 'succeeded'],
        [null, 'failed'],
        [null, 'succeeded'],
      ],
    )
  })
})

test('a provider without keys of refunds refunds whole payments only', async () => {
  const paths: string[] = []
  const server = createHttpServer((request, response) => {
    paths.push(`${request.method} ${request.url}`)
    const isOld = request.url?.endsWith('/refund') === true
    const body = isOld ? { ...MESSAGE, status: 'refunded' } : { error: 'no_such_path' }
    response.writeHead(isOld ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  })
  await withServer(server, async (it) => {
    const whole = await it.refund(PAYMENT, REFUND)
    assert.equal(whole.kind === 'refund' && whole.refund.status, 'succeeded')
    const part = await it.refund(PAYMENT, { ...REFUND, amountMinor: 1 })
    assert.equal(part.kind === 'refund' && part.refund.status, 'failed')
  })
  assert.deepEqual(paths, [
    'PUT /charges/order-1-a/refunds/refund-1',
    'PUT /charges/order-1-a/refund',
    'PUT /charges/order-1-a/refunds/refund-1',
  ])
})

const GARBAGE: Record<string, string> = {
  'not HTTP': 'SSH-2.0-OpenSSH_9.9\r\n',
  'an empty body': json(''),
  'HTML as JSON': json('<html></html>'),
  'JSON cut short': json(JSON.stringify(MESSAGE).slice(0, -1)),
  'JSON null': json(null),
  'an array': json([MESSAGE]),
  'another content type': json(MESSAGE, '200 OK', 'text/html'),
  'a body without end': `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n18000\r\n${' '.repeat(98_304)}\r\n`,
  'headers without end': `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(40_000)}`,
  'a redirect': `HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 0\r\n\r\n`,
  'an unexpected status': json(MESSAGE, '202 Accepted'),
  'a server error': json({ error: 'internal_error' }, '500 Internal Server Error'),
  'an error': json({ error: 'unauthorized' }, '401 Unauthorized'),
  'a 404 of another server': json({ error: 'not_found' }, '404 Not Found'),
  'another key': json({ ...MESSAGE, key: 'order-2-a' }),
  'no key': json({ ...MESSAGE, key: undefined }),
  'an unknown status': json({ ...MESSAGE, status: 'SUCCEEDED' }),
  'a reference that no database stores': json({ ...MESSAGE, reference: 'ch_\0' }),
  'no reference': json({ ...MESSAGE, reference: '' }),
  'an amount as a string': json({ ...MESSAGE, amount_minor: '1999' }),
  'a broken amount': json({ ...MESSAGE, amount_minor: 19.99 }),
  'a negative amount': json({ ...MESSAGE, amount_minor: -1999 }),
  'a currency in lower case': json({ ...MESSAGE, currency: 'usd' }),
  'an action without a page': json({ ...MESSAGE, status: 'action_required' }),
  'a page that is no web page': json({
    ...{ ...MESSAGE, status: 'action_required' },
    action: { type: 'redirect', url: 'javascript:alert(1)' },
  }),
  'refunds that are no list': json({ ...MESSAGE, refunds: {} }),
  'a refund without an amount': json({
    ...MESSAGE,
    refunds: [{ reference: 're_1', status: 'succeeded' }],
  }),
  'a reason that is no text': json({ ...MESSAGE, reason: { code: 5 } }),
}

for (const [what, bytes] of Object.entries(GARBAGE)) {
  test(`${what} is garbage for every method`, async () => {
    await withServer(answering(bytes), async (it) => {
      assert.deepEqual(await it.start(REQUEST), unknown('garbage'))
      assert.deepEqual(await it.find(PAYMENT), unknown('garbage'))
      assert.deepEqual(await it.cancel(PAYMENT), unknown('garbage'))
      assert.deepEqual(await it.refund(PAYMENT, REFUND), unknown('garbage'))
    })
  })
}

test('a charge of another amount or currency is garbage', async () => {
  for (const change of [{ amount_minor: 199_900 }, { currency: 'EUR' }]) {
    await withServer(answering(json({ ...MESSAGE, ...change })), async (it) => {
      assert.deepEqual(await it.start(REQUEST), unknown('garbage'))
    })
  }
})

test('bytes after a response are garbage or discarded', async () => {
  await withServer(answering(`${json(MESSAGE)}HTTP/1.1 trailing rubbish`), async (it) => {
    assert.deepEqual(await it.find(PAYMENT), unknown('garbage'))
    assert.deepEqual(await it.find(PAYMENT), unknown('garbage'))
  })
  const second = json({ error: 'no_such_charge' }, '404 Not Found')
  await withServer(answering(json(MESSAGE) + second), async (it) => {
    for (let call = 0; call < 3; call += 1) {
      assert.notEqual((await it.find(PAYMENT)).kind, 'absent')
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
        assert.deepEqual(await it.start(REQUEST), unknown('timeout'))
        await left
      },
      50,
    )
  }
})

test('a connection refused, reset or ended early is unreachable', async () => {
  for (const bytes of ['', json(MESSAGE).slice(0, -1)]) {
    await withServer(answering(bytes, true), async (it) => {
      assert.deepEqual(await it.start(REQUEST), unknown('unreachable'))
    })
  }
  const gone = createServer()
  await withServer(gone, async (it) => {
    gone.close()
    await once(gone, 'close')
    assert.deepEqual(await it.start(REQUEST), unknown('unreachable'))
  })
})

test('closing ends a call in flight as unreachable', async () => {
  await withServer(answering(''), async (it) => {
    const call = it.start(REQUEST)
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
      assert.equal((await it.start(REQUEST)).kind, 'payment')
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
    const payment = { ...PAYMENT, key: 'a/b?c' }
    await it.start({ ...REQUEST, ...payment })
    await it.find(payment)
    await it.cancel(payment)
    await it.refund(payment, REFUND)
  })
  assert.deepEqual(seen, [
    `PUT /charges/a%2Fb%3Fc Bearer ${SECRET}`,
    `GET /charges/a%2Fb%3Fc Bearer ${SECRET}`,
    `DELETE /charges/a%2Fb%3Fc Bearer ${SECRET}`,
    `PUT /charges/a%2Fb%3Fc/refunds/refund-1 Bearer ${SECRET}`,
  ])
})

test('only an authentic and recent callback is accepted', async () => {
  const baseUrl = 'http://127.0.0.1:1'
  const it = httpProvider({ baseUrl, secret: SECRET, timeoutMs: 50, name: 'test' })
  const now = 1_700_000_000_000
  const sign = (text: string, secret = SECRET, t = '1700000000') =>
    `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${text}`).digest('hex')}`
  const request = (text: string, signature: string | undefined): CallbackRequest => ({
    body: Buffer.from(text),
    header: (name) => (name === 'sandbox-signature' ? signature : undefined),
  })
  const text = JSON.stringify(MESSAGE)
  const good = sign(text)
  for (const at of [now, now + 300_000, now - 300_000]) {
    const expected = { kind: 'payment', key: 'order-1-a' }
    assert.deepEqual(await it.verifyCallback(request(text, good), at), expected)
  }
  const rejected: [text: string, signature: string | undefined, at: number][] = [
    [text, undefined, now],
    [text, '', now],
    [text, good.slice(0, -1), now],
    [text, `${good}0`, now],
    [text, good.replace('v1=', 'v0='), now],
    [text, good.replace('t=1700000000', 't=1700000001'), now],
    [text, sign(text, 'another secret'), now],
    [text.replace('1999', '1'), good, now],
    [text, good, now + 300_001],
    [text, good, now - 300_001],
    [text + ' '.repeat(70_000), sign(text + ' '.repeat(70_000)), now],
  ]
  for (const [given, signature, at] of rejected) {
    const outcome = await it.verifyCallback(request(given, signature), at)
    assert.deepEqual(outcome, { kind: 'invalid' })
  }
  for (const given of ['{}', 'not JSON', '{"key":5}']) {
    const outcome = await it.verifyCallback(request(given, sign(given)), now)
    assert.deepEqual(outcome, { kind: 'ignored' })
  }
})
