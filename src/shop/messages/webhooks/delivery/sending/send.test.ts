import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { after, before, describe, test } from 'node:test'
import { createDestinationPolicy } from '#shop/outbound/destinations.ts'
import { type ResolveHost, resolveHost } from '#shop/outbound/resolve.ts'
import { createIdentity } from '#test/support/https-app.ts'
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from '#test/support/services/doubles/webhook-receiver.ts'
import { createSender } from './send.ts'

const loopback = createDestinationPolicy(['127.0.0.0/8'])
const publicOnly = createDestinationPolicy([])
const body = '{"type":"order.paid"}'
const headers = { 'content-type': 'application/json', 'webhook-id': 'evt_1' }

describe('a webhook request', () => {
  let receiver: WebhookReceiver
  before(async () => {
    receiver = await startWebhookReceiver()
  })
  after(() => receiver.close())

  const send = (timeoutMs?: number) =>
    createSender({ destinations: loopback, ...(timeoutMs === undefined ? {} : { timeoutMs }) })({
      url: `${receiver.url}/in?token=1`,
      headers,
      body,
    })

  test('is a POST with the given fields and body', async () => {
    receiver.respond = (response) => {
      response.writeHead(202).end('thanks')
    }
    const { durationMs, ...result } = await send()
    assert.deepEqual(result, {
      status: 202,
      response: 'thanks',
      error: null,
      retryAfter: undefined,
    })
    assert.ok(durationMs >= 0)
    const got = receiver.received.at(-1)
    assert.equal(got?.path, '/in?token=1')
    assert.equal(got?.body, body)
    assert.partialDeepStrictEqual(got?.headers, headers)
  })

  test('does not follow a redirect', async () => {
    const count = receiver.received.length
    receiver.respond = (response) => {
      response.writeHead(307, { location: '/elsewhere', 'retry-after': '120' }).end()
    }
    const { status, error, ...rest } = await send()
    assert.deepEqual([status, error], [307, null])
    assert.equal('retryAfter' in rest ? rest.retryAfter : undefined, '120')
    assert.equal(receiver.received.length, count + 1)
  })

  test('keeps the first KiB of an endless response, without a part of a character', async () => {
    receiver.respond = (response) => {
      response.write(`x${'é'.repeat(600)}`)
    }
    const { response } = await send()
    assert.equal(response, `x${'é'.repeat(511)}`)
  })

  test('keeps a compressed or binary response as text that every database stores', async () => {
    receiver.respond = (response) => {
      response.setHeader('content-encoding', 'gzip')
      response.end(Buffer.from([0x1f, 0x8b, 0x00, 0x41]))
    }
    const { response } = await send()
    assert.equal(response, '\u001f\u{FFFD}\u{FFFD}A')
  })

  test('has the status even if the body of the response does not end', async () => {
    receiver.respond = (response) => {
      response.writeHead(200)
      response.write('so far')
    }
    const { status, response } = await send(200)
    assert.deepEqual([status, response], [200, 'so far'])
  })

  test('without a response in time fails', async () => {
    receiver.respond = () => undefined
    const { status, error, response } = await send(100)
    assert.deepEqual([status, error, response], [null, 'timeout', null])
  })

  for (const [name, respond, expected] of [
    ['a lost connection', (r) => r.destroy(), /^connection_lost$/],
    ['no HTTP', (r) => r.socket?.end('nonsense\r\n\r\n'), /^invalid_response: HPE_/],
    [
      'another protocol',
      (r) => r.writeHead(101, { connection: 'upgrade', upgrade: 'chat' }).end(),
      /^invalid_response$/,
    ],
  ] as const satisfies readonly (readonly [string, WebhookReceiver['respond'], RegExp])[]) {
    test(`with ${name} fails`, async () => {
      receiver.respond = respond
      const { status, error } = await send()
      assert.equal(status, null)
      assert.match(error ?? '', expected)
    })
  }
})

describe('a webhook request to an address', () => {
  const names: Record<string, readonly string[]> = {
    'private.example': ['10.0.0.1'],
    'mapped.example': ['::ffff:127.0.0.1'],
    'both.example': ['169.254.169.254', '127.0.0.1'],
  }
  const toFound = (address: string): LookupAddress => ({
    address,
    family: address.includes(':') ? 6 : 4,
  })
  const resolve: ResolveHost = async (hostname) => (names[hostname] ?? []).map(toFound)
  const sendTo = async (url: string, destinations = publicOnly, using = resolve) =>
    (await createSender({ destinations, resolve: using })({ url, headers, body })).error

  for (const url of [
    'https://private.example/',
    'https://mapped.example/',
    'https://both.example/',
    'https://nowhere.example/',
    'https://127.0.0.1/',
    'https://10.0.0.1/',
    'https://169.254.169.254/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'http://1.1.1.1/',
    'http://public.example/',
  ]) {
    test(`${url} fails without a connection`, async () => {
      assert.equal(await sendTo(url), 'address_not_allowed')
    })
  }

  test('of a name that resolves to a public and then to a private address fails', async () => {
    const receiver = await startWebhookReceiver()
    const answers = ['127.0.0.2', '127.0.0.1']
    // 127.0.0.2 stands for the public address.
    const destinations = createDestinationPolicy(['127.0.0.2/32'])
    const rebinding = async () => [toFound(answers.shift() ?? '')]
    const { port } = new URL(receiver.url)
    const url = `http://rebinding.example:${port}/`
    const send = createSender({ destinations, resolve: rebinding })
    const results = [await send({ url, headers, body }), await send({ url, headers, body })]
    assert.deepEqual(
      results.map(({ error }) => error),
      ['connection_refused', 'address_not_allowed'],
    )
    assert.equal(receiver.received.length, 0)
    await receiver.close()
  })

  test('of a name with one allowed address goes there', async () => {
    const receiver = await startWebhookReceiver()
    const { port } = new URL(receiver.url)
    assert.equal(await sendTo(`http://both.example:${port}/`, loopback), null)
    assert.equal(await sendTo(`http://localhost:${port}/`, loopback, resolveHost), null)
    await receiver.close()
  })
})

describe('a webhook request by HTTPS', () => {
  test('requires a certificate of a trusted authority for the host', async () => {
    const identity = await createIdentity()
    const receiver = await startWebhookReceiver(identity)
    const sendWith = async (options: { ca?: string }, url = receiver.url) => {
      const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
      const send = createSender({ destinations: loopback, resolve, ...options })
      return (await send({ url, headers, body })).error
    }
    const ca = String(identity.cert)
    assert.equal(await sendWith({ ca }), null)
    assert.match((await sendWith({})) ?? '', /^tls_failed: /)
    const other = receiver.url.replace('127.0.0.1', 'other.example')
    assert.equal(await sendWith({ ca }, other), 'tls_failed: ERR_TLS_CERT_ALTNAME_INVALID')
    const { port } = new URL(receiver.url)
    assert.equal(await sendWith({ ca }, `https://localhost:${port}/`), null)
    await receiver.close()
  })
})
