import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { compileAddressMatcher } from '#http/message/addresses.ts'
import { fixedWindow } from '#http/rate-limit/algorithms/fixed-window.ts'
import { memoryCounters } from '#http/rate-limit/memory-counters.ts'
import { openStore } from '#store/database.ts'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { insertOrder, insertProduct, recordPurchases } from '#test/support/rows.ts'
import { skipReason } from '#test/support/services/databases.ts'

const responseCacheBytes = 4_000_000

interface RawResponse {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** Sends a request over a socket: the response cache answers before the router, where `inject` starts. */
async function request(
  { app }: TestApp,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<RawResponse> {
  const { port } = app.server.address() as AddressInfo
  const sent = send({ port, host: '127.0.0.1', path, method, headers }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const body = Buffer.concat(await response.toArray())
  return { status: response.statusCode ?? 0, headers: response.headers, body }
}

async function startCachingApp(kind: Parameters<typeof startTestApp>[0]): Promise<TestApp> {
  const shop = await startTestApp(kind, { composition: { responseCacheBytes } })
  await shop.app.listen({ port: 0, host: '127.0.0.1' })
  await waitUntil(() => shop.store.changes.isConnected())
  return shop
}

/** The number of statements that a request runs; 0 for a cached response. */
async function countStatements(shop: TestApp, path: string, headers = {}): Promise<number> {
  shop.takeCount()
  await request(shop, path, headers)
  return shop.takeCount()
}

eachDatabase((kind) => {
  let shop: TestApp
  /** The same shop on the same store without a response cache. */
  let uncached: TestApp
  let admin: TestCaller
  let buyer: TestCaller
  let ids: number[]
  before(async () => {
    shop = await startCachingApp(kind)
    const { store, url } = shop
    uncached = await startTestApp(kind, { temporary: { store, url, dispose: async () => {} } })
    admin = await shop.signInAs('admin')
    buyer = await shop.signInAs('customer')
    ids = []
    for (const name of ['Tea', 'Cup', 'Pot', 'Tin']) {
      const stock = name === 'Tin' ? null : 20
      const { id } = await insertProduct(shop.db, { name, stock, category: 'kitchen' })
      ids.push(id)
    }
  })
  after(async () => {
    await uncached.dispose()
    await shop.dispose()
  })

  const reads = () => [
    ...ids.map((id) => `/products/${id}`),
    `/products/${ids[0]}/reviews`,
    `/products/${ids[0]}/related`,
    '/products',
    '/products?sort=name&order=desc&limit=2',
    '/products?availability=in_stock',
    '/products?sort=rating',
    '/products?sort=updated_at&limit=3',
    '/products?updated_since=2001-01-01T00:00:00Z&limit=3',
    '/products?q=tea',
    '/v2/products?limit=3',
    `/v2/products/${ids[1]}`,
  ]
  const forms = [
    {},
    { accept: 'application/xml' },
    { accept: 'application/vnd.cartwright.v2+json' },
    { 'accept-encoding': 'gzip' },
  ]

  /** Compares two responses of each read, of which the second is cached, with the uncached app. */
  async function assertUpToDate(after: string): Promise<void> {
    uncached.now = shop.now
    for (const path of reads()) {
      for (const form of forms) {
        if (path.startsWith('/v2') && 'accept' in form && form.accept.includes('v2')) continue
        const expected = await uncached.app.inject({ url: path, headers: form })
        for (const turn of ['first', 'second']) {
          const { status, headers, body } = await request(shop, path, form)
          const where = `${turn} ${path} ${JSON.stringify(form)} after ${after}`
          assert.equal(status, expected.statusCode, where)
          assert.equal(headers.etag, expected.headers['etag'], where)
          if (status === 200)
            assert.equal(body.toString('latin1'), expected.rawPayload.toString('latin1'), where)
        }
      }
    }
  }

  test('a cached response runs no statement, in JSON and XML', async () => {
    for (const path of reads()) {
      for (const form of forms.slice(0, 2)) {
        await request(shop, path, form)
        assert.equal(await countStatements(shop, path, form), 0, path)
      }
    }
  })

  test('a cached response has the same headers as an uncached one', async () => {
    const form = { accept: 'application/json;q=0.7' }
    for (const path of reads()) {
      const first = await request(shop, path, form)
      const second = await request(shop, path, form)
      const { 'x-request-id': one, date: _, ...expected } = first.headers
      const { 'x-request-id': other, date: __, ...got } = second.headers
      assert.deepEqual(got, expected)
      assert.notEqual(one, other)
    }
  })

  test('every change of the catalogue is seen by the next reader', async () => {
    const [tea = 0, cup = 0, pot = 0] = ids
    const changes: Readonly<Record<string, () => Promise<{ status: number; text: string }>>> = {
      'a price is changed': () => admin.request('PATCH', `/products/${tea}`, { price: 3.5 }),
      'a name is changed': () => admin.request('PATCH', `/products/${cup}`, { name: 'Mug' }),
      'a product is added': () => admin.request('POST', '/products', { name: 'Tea', price: 1 }),
      'an order takes stock': () =>
        buyer.request('POST', `/users/${buyer.id}/orders`, {
          items: [{ product_id: tea, quantity: 20 }],
        }),
      'stock is given back': async () => {
        const { json } = await buyer.request('GET', `/users/${buyer.id}/orders?status=pending`)
        return buyer.request(
          'DELETE',
          `/orders/${json.data[0].id}`.replace('/orders/', `/users/${buyer.id}/orders/`),
        )
      },
      'a product is replaced': () =>
        admin.request('PUT', `/products/${pot}`, { name: 'Kettle', price: 2, stock: 0 }),
      'a product is removed': () => admin.request('DELETE', `/products/${cup}`),
    }
    await assertUpToDate('the start')
    for (const [name, change] of Object.entries(changes)) {
      const { status, text } = await change()
      assert.ok(status < 300, `${name}: ${text}`)
      await assertUpToDate(name)
    }
  })

  test('new reviews and related products are seen by the next reader', async () => {
    const [tea = 0, , pot = 0] = ids
    const products = await shop.db
      .selectFrom('products')
      .selectAll()
      .where('id', 'in', [tea, pot])
      .execute()
    await assertUpToDate('the start')
    const order = await insertOrder(shop.db, buyer.id, products)
    await recordPurchases(shop.store, { id: order, user_id: buyer.id })
    await assertUpToDate('a purchase')
    const review = await buyer.request('POST', `/products/${tea}/reviews`, { rating: 4 })
    assert.equal(review.status, 201)
    await assertUpToDate('a review')
    const { id } = review.json
    for (const change of [{ rating: 2 }, { status: 'hidden' }, { status: 'published' }]) {
      const changed = await admin.request('PATCH', `/products/${tea}/reviews/${id}`, change)
      assert.equal(changed.status, 200, changed.text)
      await assertUpToDate(`a review is changed to ${JSON.stringify(change)}`)
    }
    await buyer.request('DELETE', `/products/${tea}/reviews/${id}`)
    await assertUpToDate('a review is removed')
    await buyer.request('POST', `/products/${tea}/reviews`, { rating: 4 })
    await assertUpToDate('another review')
    assert.equal((await buyer.request('DELETE', `/users/${buyer.id}`)).status, 204)
    await assertUpToDate('the removal of its author')
  })

  test('a conditional request answers 304 for the content coding of the client', async () => {
    const path = `/products/${ids[0]}/reviews`
    const list = '/products?limit=100'
    for (const [where, form] of [
      [path, {}],
      [list, { 'accept-encoding': 'gzip' }],
      [list, {}],
    ] as const) {
      const { headers } = await request(shop, where, form)
      const known = { ...form, 'if-none-match': `"x", W/${headers.etag}` }
      const unchanged = await request(shop, where, known)
      assert.equal(unchanged.status, 304)
      assert.equal(unchanged.headers.etag, headers.etag)
      assert.equal(unchanged.headers['content-type'], undefined)
      assert.equal(unchanged.headers['cache-control'], headers['cache-control'])
      assert.equal(unchanged.body.length, 0)
      assert.equal((await request(shop, where, { ...form, 'if-none-match': '"x"' })).status, 200)
    }
    const plain = await request(shop, list)
    const both = { 'accept-encoding': 'gzip', 'if-none-match': String(plain.headers.etag) }
    await request(shop, list, { 'accept-encoding': 'gzip' })
    const unchanged = await request(shop, list, both)
    assert.deepEqual([unchanged.status, unchanged.headers.etag], [304, plain.headers.etag])
  })

  test('a conditional request fills the cache for every form of the same media type', async () => {
    const path = `/products/${(await insertProduct(shop.db, { name: 'Jar' })).id}`
    const etag = String((await uncached.app.inject({ url: path })).headers['etag'])
    const form = { accept: 'application/json;q=0.8' }
    const known = { ...form, 'if-none-match': etag }
    const first = await request(shop, path, known)
    shop.takeCount()
    const second = await request(shop, path, known)
    assert.equal(shop.takeCount(), 0)
    assert.deepEqual([first.status, second.status, second.body.length], [304, 304, 0])
    const each = { date: '', 'x-request-id': '' }
    assert.deepEqual({ ...second.headers, ...each }, { ...first.headers, ...each })
    const coded = { ...form, 'accept-encoding': 'gzip' }
    assert.deepEqual(
      [await countStatements(shop, path), await countStatements(shop, path, coded)],
      [0, 0],
    )
    const change = await admin.request('PATCH', path, { description: 'Another.' })
    assert.equal(change.status, 200)
    assert.equal((await request(shop, path, known)).status, 200)
  })

  test('a cached 304 of one content coding is not sent for another', async () => {
    const list = '/products?limit=99'
    const form = { 'accept-encoding': 'gzip' }
    const coded = String((await request(shop, list, form)).headers.etag)
    const plain = String((await request(shop, list)).headers.etag)
    assert.notEqual(plain, coded)
    const same = { ...form, accept: 'application/json' }
    for (const etag of [plain, plain, coded, plain, coded]) {
      const unchanged = await request(shop, list, { ...same, 'if-none-match': etag })
      assert.deepEqual([unchanged.status, unchanged.headers.etag], [304, etag])
    }
    const head = await request(shop, list, same, 'HEAD')
    assert.equal(head.headers['content-encoding'], 'gzip')
    assert.deepEqual([head.status, head.headers.etag], [200, coded])
    await request(shop, list, same)
    await request(shop, list, { ...same, 'if-none-match': plain })
    assert.equal(await countStatements(shop, list, same), 0)
  })

  test('If-Modified-Since and HEAD are answered from the cache', async () => {
    // Last-Modified validates only after the second of the last change.
    shop.now += 1000
    const path = `/products/${ids[0]}?version=1`
    const { headers, body } = await request(shop, path)
    const since = { 'if-modified-since': String(headers['last-modified']) }
    assert.equal((await request(shop, path, since)).status, 304)
    const earlier = { 'if-modified-since': 'Thu, 01 Jan 2015 00:00:00 GMT' }
    assert.equal((await request(shop, path, earlier)).status, 200)
    shop.takeCount()
    const head = await request(shop, path, {}, 'HEAD')
    assert.equal(shop.takeCount(), 0)
    assert.equal(head.headers['content-length'], String(body.length))
    assert.equal(head.body.length, 0)
  })

  test('a caller with a credential gets no cached response', async () => {
    const path = `/products/${ids[0]}`
    await request(shop, path)
    const known = await request(shop, path, { authorization: `Bearer ${admin.token}` })
    assert.equal(known.headers['cache-control'], 'private, no-cache')
    assert.ok(JSON.parse(known.body.toString())._links.edit)
    assert.equal((await request(shop, path, { authorization: 'Bearer x' })).status, 401)
  })

  test('a writer reads its own write under concurrent reads', async () => {
    const path = `/products/${ids[0]}`
    let isDone = false
    const reader = async () => {
      while (!isDone) await request(shop, path)
    }
    const readers = [reader(), reader(), reader()]
    for (let price = 1; price <= 40; price += 1) {
      const written = await admin.request('PATCH', path, { price })
      assert.equal(written.status, 200)
      const { body } = await request(shop, path)
      assert.equal(JSON.parse(body.toString()).price, price)
    }
    isDone = true
    await Promise.all(readers)
  })
})

describe('a 304 response', () => {
  test('does not count against the rate limit, cached or not', async (t) => {
    const limits = {
      defaultAllowance: { limit: 20, windowMs: 60_000 },
      counters: memoryCounters(fixedWindow),
    }
    const shop = await startTestApp('memory', { composition: { responseCacheBytes, limits } })
    t.after(() => shop.dispose())
    await shop.app.listen({ port: 0, host: '127.0.0.1' })
    const { id } = await insertProduct(shop.db)
    const remainingOf = ({ headers }: RawResponse) => headers['x-ratelimit-remaining']
    for (const path of ['/products', `/products/${id}`]) {
      const { etag = '' } = (await request(shop, path)).headers
      for (let turn = 0; turn < 30; turn += 1) {
        const answer = await request(shop, path, {
          'if-none-match': etag,
          'accept-encoding': 'gzip',
        })
        assert.equal(answer.status, 304)
        assert.equal(remainingOf(answer), '19', path)
      }
    }
    shop.now += 60_000
    const uncached = '/products?include=reviews'
    const { etag = '' } = (await request(shop, uncached)).headers
    for (let turn = 0; turn < 21; turn += 1) {
      assert.equal((await request(shop, uncached, { 'if-none-match': etag })).status, 304)
    }
    // Any copy matches `*`, so that it would read for nothing.
    for (let turn = 0; turn < 20; turn += 1) {
      const { status } = await request(shop, uncached, { 'if-none-match': '*' })
      assert.equal(status, turn < 19 ? 304 : 429)
    }
  })
})

describe('behind a trusted proxy', () => {
  test('a cached response counts against the rate limit of the client and keeps the HTTPS policy', async (t) => {
    const limits = {
      defaultAllowance: { limit: 5, windowMs: 60_000 },
      counters: memoryCounters(fixedWindow),
    }
    const httpsPolicy = {
      plain: 'loopback',
      isTrustedProxy: compileAddressMatcher(['loopback']),
    } as const
    const shop = await startTestApp('memory', {
      composition: { responseCacheBytes, limits, httpsPolicy },
    })
    t.after(() => shop.dispose())
    await shop.app.listen({ port: 0, host: '127.0.0.1' })
    const { id } = await insertProduct(shop.db)
    const from = (client: string, proto: string) =>
      request(shop, `/products/${id}`, { 'x-forwarded-for': client, 'x-forwarded-proto': proto })
    for (const left of ['4', '3', '2']) {
      const { status, headers } = await from('203.0.113.9', 'https')
      assert.equal(status, 200)
      assert.equal(headers['x-ratelimit-remaining'], left)
      assert.equal(headers['strict-transport-security'], 'max-age=31536000')
    }
    shop.takeCount()
    const other = await from('203.0.113.10', 'https')
    assert.equal(other.headers['x-ratelimit-remaining'], '4')
    assert.equal(shop.takeCount(), 0)
    assert.equal((await from('203.0.113.10', 'http')).status, 301)
    for (const status of [200, 200, 429]) {
      assert.equal((await from('203.0.113.9', 'https')).status, status)
    }
    const direct = await request(shop, `/products/${id}`)
    assert.equal(direct.headers['strict-transport-security'], undefined)
  })
})

describe('several processes on one database', () => {
  test('on PostgreSQL, each process sees the changes of the others', {
    skip: skipReason('postgres'),
  }, async (t) => {
    const shop = await startCachingApp('postgres')
    t.after(() => shop.dispose())
    const store = await openStore(shop.url)
    const other = await startTestApp('postgres', { composition: { responseCacheBytes, store } })
    t.after(async () => {
      await other.dispose()
      await store.close()
    })
    await other.app.listen({ port: 0, host: '127.0.0.1' })
    const admin = await shop.signInAs('admin')
    const { id } = await insertProduct(shop.db)
    const path = `/products/${id}`
    await waitUntil(() => store.changes.isConnected())
    for (let price = 1; price <= 20; price += 1) {
      await request(other, path)
      assert.equal((await admin.request('PATCH', path, { price })).status, 200)
      await waitUntil(
        async () => JSON.parse((await request(other, path)).body.toString()).price === price,
      )
    }
  })

  test('on SQLite, a write by another program is noticed', async (t) => {
    const shop = await startCachingApp('sqlite')
    t.after(() => shop.dispose())
    const { id } = await insertProduct(shop.db)
    await request(shop, `/products/${id}`)
    const store = await openStore(shop.url)
    t.after(() => store.close())
    await store.db.updateTable('products').set({ price: 1 }).where('id', '=', id).execute()
    await waitUntil(async () => {
      const { body } = await request(shop, `/products/${id}`)
      return JSON.parse(body.toString()).price === 0.01
    })
  })
})

async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(10)
}
