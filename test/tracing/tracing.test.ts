import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { eachDatabase, type TestRequest } from '#test/support/app.ts'
import { testShipping } from '#test/support/callers/paying.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { createEmptyDatabase, type StoreKind } from '#test/support/services/databases.ts'
import {
  type OtlpReceiver,
  startOtlpReceiver,
} from '#test/support/services/doubles/otlp-receiver.ts'
import { startWebhookReceiver } from '#test/support/services/doubles/webhook-receiver.ts'
import { createCaller, shopAdmin, signIn } from '#test/support/services/server.ts'
import { start } from '#test/support/services/server-process.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const parentId = 'b7ad6b7169203331'
const traceparent = `00-${traceId}-${parentId}-01`

/** Starts a server that sends its traces, and its other calls, to servers of this test. */
async function startTraced(t: TestContext, kind: StoreKind, settings: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-traces-'))
  const { url: DATABASE_URL, remove } = await createEmptyDatabase(kind)
  const collector = await startOtlpReceiver()
  const provider = await startWebhookReceiver()
  const server = start(folder, {
    DATABASE_URL,
    SECRET_KEY: 'a secret key that only tests sign with',
    ADMIN_USERNAME: shopAdmin.username,
    ADMIN_PASSWORD: shopAdmin.password,
    DEMO_DATA: 'off',
    PAYMENT_PROVIDER_URL: provider.url,
    PAYMENT_PROVIDER_SECRET: 'the secret of a provider of tests',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    ...settings,
  })
  const { close, request } = createCaller(await server.url)
  // A machine that is busy with other tests makes the server shed load.
  const caller = {
    request: (...sent: Parameters<TestRequest>) =>
      pollUntil(
        () => request(...sent),
        ({ status }) => status !== 503,
      ),
    close,
  }
  t.after(async () => {
    caller.close()
    await server.stop()
    await Promise.all([collector.close(), provider.close(), remove()])
    await rm(folder, { recursive: true, force: true })
  })
  return { server, caller, collector, provider }
}

const spanOf = (collector: OtlpReceiver, name: string) =>
  pollUntil(
    async () => collector.spans.find((span) => span.name === name && span.traceId === traceId),
    (span) => span !== undefined,
  )

eachDatabase((kind) => {
  test('a request, its statements and its calls are one trace, which others pass on', async (t) => {
    const { caller, collector, provider } = await startTraced(t, kind)
    const token = await signIn(caller.request, shopAdmin)
    const authorization = { authorization: `Bearer ${token}` }
    const product = { name: 'Kettle', price: 10 }
    const { json: kettle } = await caller.request('POST', '/products', product, authorization)
    const order = {
      items: [{ product_id: kettle.id, quantity: 1 }],
      shipping: { ...testShipping, recipient: 'Ada Secretname' },
    }
    const placed = await caller.request('POST', '/orders', order, { ...authorization, traceparent })
    assert.equal(placed.status, 201, placed.text)
    const request = await spanOf(collector, 'POST /orders')
    assert.ok(request)
    assert.equal(request.service, 'cartwright')
    assert.deepEqual([request.parentSpanId, request.kind, request.status], [parentId, 2, 0])
    const { attributes } = request
    assert.equal(attributes['http.request.method'], 'POST')
    assert.equal(attributes['http.route'], '/orders')
    assert.equal(attributes['http.response.status_code'], 201)
    const children = collector.spans.filter((span) => span.parentSpanId === request.spanId)
    const system = kind === 'postgres' ? 'postgresql' : 'sqlite'
    assert.ok(children.some((span) => span.name === 'commit'))
    assert.ok(children.some((span) => /"products"/.test(String(span.attributes['db.query.text']))))
    for (const { attributes: stated, traceId: childTrace } of children) {
      assert.equal(childTrace, traceId)
      assert.equal(stated['db.system.name'], system)
    }

    provider.respond = (response) => response.writeHead(503).end()
    const path = `/users/${placed.json.user_id}/orders/${placed.json.id}/payment`
    const body = { method: 'card', token: 'tok_visa' }
    const paid = await caller.request('POST', path, body, { ...authorization, traceparent })
    assert.equal(paid.status, 502, paid.text)
    const payment = await spanOf(collector, 'POST /users/:id/orders/:orderId/payment')
    assert.equal(payment?.status, 2)
    const call = provider.received.find(({ headers }) => headers['traceparent'] !== undefined)
    const [, callTrace, callSpan] = call?.headers['traceparent']?.toString().split('-') ?? []
    assert.equal(callTrace, traceId)
    const sent = collector.spans.find((span) => span.spanId === callSpan)
    assert.deepEqual([sent?.parentSpanId, sent?.kind, sent?.status], [payment?.spanId, 3, 2])
    assert.equal(sent?.attributes['http.response.status_code'], 503)
    assert.equal(call?.headers['baggage'], undefined)
  })

  test('no personal data, secret or query reaches the collector, and calls to it have no spans', async (t) => {
    const { caller, collector, server } = await startTraced(t, kind, {
      OTEL_SERVICE_NAME: 'my-shop',
    })
    const person = {
      name: 'Grace Secretname',
      email: 'grace@hidden.example',
      password: 'a hidden passphrase',
    }
    assert.equal((await caller.request('POST', '/users', person)).status, 201)
    await caller.request(
      'GET',
      '/products?api_key=cw_hiddenhiddenhiddenhiddenhiddenhidden&q=hidden',
    )
    const asked = { baggage: 'hidden=1', traceparent }
    assert.equal(
      (await caller.request('PUT', '/password-resets/hiddentoken', {}, asked)).status,
      400,
    )
    await spanOf(collector, 'PUT /password-resets/:token')
    assert.equal(await server.stop(), 0)
    assert.ok(collector.spans.some((span) => span.service === 'my-shop'))
    assert.doesNotMatch(collector.text(), /hidden|secretname/i)
    assert.deepEqual(
      collector.spans.filter((span) => span.kind === 3 && !('db.system.name' in span.attributes)),
      [],
    )
    // The jobs ran statements all the time.
    assert.deepEqual(
      collector.spans.filter((span) => span.parentSpanId === '' && span.kind === 3),
      [],
    )
  })
})

describe('a collector', () => {
  test('gets the last spans when the server stops', async (t) => {
    const slow = { OTEL_BSP_SCHEDULE_DELAY: '60000' }
    const { caller, collector, server } = await startTraced(t, 'memory', slow)
    await caller.request('GET', '/products', undefined, { traceparent })
    assert.equal(collector.spans.length, 0)
    assert.equal(await server.stop(), 0)
    assert.ok(collector.spans.some(({ name }) => name === 'GET /products'))
  })

  test('samples as OTEL_TRACES_SAMPLER says', async (t) => {
    const sampler = { OTEL_TRACES_SAMPLER: 'always_off' }
    const { caller, collector, server } = await startTraced(t, 'memory', sampler)
    await caller.request('GET', '/products', undefined, { traceparent })
    assert.equal(await server.stop(), 0)
    assert.deepEqual(collector.spans, [])
  })

  const faults: Readonly<Record<string, OtlpReceiver['respond']>> = {
    garbage: (response) => response.writeHead(200).end(Buffer.alloc(9000, 0xff)),
    errors: (response) => response.writeHead(400).end('no'),
    'broken connections': (response) => response.destroy(),
    silence: () => undefined,
  }
  test('costs no request its response, whatever it does, and the server stops in time', async (t) => {
    const { caller, collector, server } = await startTraced(t, 'memory')
    for (const [fault, respond] of Object.entries(faults)) {
      collector.respond = respond
      const received = collector.text().length
      for (let count = 0; count < 10; count += 1)
        assert.equal((await caller.request('GET', '/products')).status, 200, fault)
      await pollUntil(
        async () => collector.text().length,
        (length) => length > received || fault === 'silence',
      )
    }
    assert.equal(await server.stop(), 0, server.output())
    assert.doesNotMatch(server.output(), /"level":"(?:error|fatal)"/)
    assert.match(server.output(), /did not take the traces/)
  })
})
