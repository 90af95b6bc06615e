import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '#db/database.ts'
import { fixedWindow } from '#http/rate-limit/algorithms/fixed-window.ts'
import { memoryCounters } from '#http/rate-limit/memory-counters.ts'
import { trustIn } from '#http/server/network/proxies.ts'
import { recordPurchases } from '#resources/purchases/store.ts'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { insertOrder, insertProduct } from '#test/support/rows.ts'
import { skipReason } from '#test/support/services/databases.ts'

const responseCacheBytes = 4_000_000

interface Got {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** Asks over the wire: what is ready is answered before the router, which `inject` begins at. */
async function ask(
  { app }: TestApp,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<Got> {
  const { port } = app.server.address() as AddressInfo
  const request = send({ port, host: '127.0.0.1', path, method, headers }).end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const body = Buffer.concat(await response.toArray())
  return { status: response.statusCode ?? 0, headers: response.headers, body }
}

async function startReadyApp(kind: Parameters<typeof startTestApp>[0]): Promise<TestApp> {
  const shop = await startTestApp(kind, { composition: { responseCacheBytes } })
  await shop.app.listen({ port: 0, host: '127.0.0.1' })
  await until(() => shop.store.changes.isConnected())
  return shop
}

/** How many statements it takes to be answered: none for what is ready. */
async function cost(shop: TestApp, path: string, headers = {}): Promise<number> {
  shop.takeCount()
  await ask(shop, path, headers)
  return shop.takeCount()
}

eachDatabase((kind) => {
  let shop: TestApp
  /** The same shop on the same store, without a response cache. */
  let uncached: TestApp
  let admin: TestCaller
  let buyer: TestCaller
  let ids: number[]
  before(async () => {
    shop = await startReadyApp(kind)
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

  /** Compares what is answered with what the usual way answers, asked twice so that it is kept. */
  async function assertTrue(after: string): Promise<void> {
    uncached.now = shop.now
    for (const path of reads()) {
      for (const form of forms) {
        if (path.startsWith('/v2') && 'accept' in form && form.accept.includes('v2')) continue
        const usual = await uncached.app.inject({ url: path, headers: form })
        for (const turn of ['first', 'second']) {
          const { status, headers, body } = await ask(shop, path, form)
          const where = `${turn} ${path} ${JSON.stringify(form)} after ${after}`
          assert.equal(status, usual.statusCode, where)
          assert.equal(headers.etag, usual.headers['etag'], where)
          if (status === 200)
            assert.equal(body.toString('latin1'), usual.rawPayload.toString('latin1'), where)
        }
      }
    }
  }

  test('what is ready takes no statement, whatever its form', async () => {
    for (const path of reads()) {
      for (const form of forms.slice(0, 2)) {
        await ask(shop, path, form)
        assert.equal(await cost(shop, path, form), 0, path)
      }
    }
  })

  test('an answer is the same field by field, ready or not', async () => {
    const form = { accept: 'application/json;q=0.7' }
    for (const path of reads()) {
      const usual = await ask(shop, path, form)
      const ready = await ask(shop, path, form)
      const { 'x-request-id': one, date: _, ...expected } = usual.headers
      const { 'x-request-id': other, date: __, ...got } = ready.headers
      assert.deepEqual(got, expected)
      assert.notEqual(one, other)
    }
  })

  test('every act that changes the catalogue is seen by the next reader', async () => {
    const [tea = 0, cup = 0, pot = 0] = ids
    const acts: Readonly<Record<string, () => Promise<{ status: number; text: string }>>> = {
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
    await assertTrue('the start')
    for (const [name, act] of Object.entries(acts)) {
      const { status, text } = await act()
      assert.ok(status < 300, `${name}: ${text}`)
      await assertTrue(name)
    }
  })

  test('reviews and what is bought together are seen by the next reader', async () => {
    const [tea = 0, , pot = 0] = ids
    const products = await shop.db
      .selectFrom('products')
      .selectAll()
      .where('id', 'in', [tea, pot])
      .execute()
    await assertTrue('the start')
    const order = await insertOrder(shop.db, buyer.id, products)
    await shop.store.transaction((db) =>
      recordPurchases(db, { id: order, user_id: buyer.id }, shop.now),
    )
    await assertTrue('a purchase')
    const review = await buyer.request('POST', `/products/${tea}/reviews`, { rating: 4 })
    assert.equal(review.status, 201)
    await assertTrue('a review')
    assert.equal((await buyer.request('DELETE', `/users/${buyer.id}`)).status, 204)
    await assertTrue('its author has gone')
  })

  test('a client that has the answer is told so, in the coding that it has', async () => {
    const path = `/products/${ids[0]}/reviews`
    const list = '/products?limit=100'
    for (const [where, form] of [
      [path, {}],
      [list, { 'accept-encoding': 'gzip' }],
      [list, {}],
    ] as const) {
      const { headers } = await ask(shop, where, form)
      const known = { ...form, 'if-none-match': `"x", W/${headers.etag}` }
      const unchanged = await ask(shop, where, known)
      assert.equal(unchanged.status, 304)
      assert.equal(unchanged.headers.etag, headers.etag)
      assert.equal(unchanged.headers['content-type'], undefined)
      assert.equal(unchanged.headers['cache-control'], headers['cache-control'])
      assert.equal(unchanged.body.length, 0)
      assert.equal((await ask(shop, where, { ...form, 'if-none-match': '"x"' })).status, 200)
    }
    const plain = await ask(shop, list)
    const both = { 'accept-encoding': 'gzip', 'if-none-match': String(plain.headers.etag) }
    await ask(shop, list, { 'accept-encoding': 'gzip' })
    const unchanged = await ask(shop, list, both)
    assert.deepEqual([unchanged.status, unchanged.headers.etag], [304, plain.headers.etag])
  })

  test('a conditional request fills the cache for every form of the same media type', async () => {
    const path = `/products/${(await insertProduct(shop.db, { name: 'Jar' })).id}`
    const etag = String((await uncached.app.inject({ url: path })).headers['etag'])
    const form = { accept: 'application/json;q=0.8' }
    const known = { ...form, 'if-none-match': etag }
    const first = await ask(shop, path, known)
    shop.takeCount()
    const second = await ask(shop, path, known)
    assert.equal(shop.takeCount(), 0)
    assert.deepEqual([first.status, second.status, second.body.length], [304, 304, 0])
    const each = { date: '', 'x-request-id': '' }
    assert.deepEqual({ ...second.headers, ...each }, { ...first.headers, ...each })
    const coded = { ...form, 'accept-encoding': 'gzip' }
    assert.deepEqual([await cost(shop, path), await cost(shop, path, coded)], [0, 0])
    const change = await admin.request('PATCH', path, { description: 'Another.' })
    assert.equal(change.status, 200)
    assert.equal((await ask(shop, path, known)).status, 200)
  })

  test('what is told to clients that have it in one coding is not told to others', async () => {
    const list = '/products?limit=99'
    const form = { 'accept-encoding': 'gzip' }
    const coded = String((await ask(shop, list, form)).headers.etag)
    const plain = String((await ask(shop, list)).headers.etag)
    assert.notEqual(plain, coded)
    const same = { ...form, accept: 'application/json' }
    for (const etag of [plain, plain, coded, plain, coded]) {
      const unchanged = await ask(shop, list, { ...same, 'if-none-match': etag })
      assert.deepEqual([unchanged.status, unchanged.headers.etag], [304, etag])
    }
    const head = await ask(shop, list, same, 'HEAD')
    assert.equal(head.headers['content-encoding'], 'gzip')
    assert.deepEqual([head.status, head.headers.etag], [200, coded])
    await ask(shop, list, same)
    await ask(shop, list, { ...same, 'if-none-match': plain })
    assert.equal(await cost(shop, list, same), 0)
  })

  test('If-Modified-Since and HEAD are answered from what is ready', async () => {
    // Past the second of the last change, so that its date is good for a copy.
    shop.now += 1000
    const path = `/products/${ids[0]}?version=1`
    const { headers, body } = await ask(shop, path)
    const since = { 'if-modified-since': String(headers['last-modified']) }
    assert.equal((await ask(shop, path, since)).status, 304)
    const earlier = { 'if-modified-since': 'Thu, 01 Jan 2015 00:00:00 GMT' }
    assert.equal((await ask(shop, path, earlier)).status, 200)
    shop.takeCount()
    const head = await ask(shop, path, {}, 'HEAD')
    assert.equal(shop.takeCount(), 0)
    assert.equal(head.headers['content-length'], String(body.length))
    assert.equal(head.body.length, 0)
  })

  test('a caller with a credential gets no cached response', async () => {
    const path = `/products/${ids[0]}`
    await ask(shop, path)
    const known = await ask(shop, path, { authorization: `Bearer ${admin.token}` })
    assert.equal(known.headers['cache-control'], 'private, no-cache')
    assert.ok(JSON.parse(known.body.toString())._links.edit)
    assert.equal((await ask(shop, path, { authorization: 'Bearer x' })).status, 401)
  })

  test('who wrote reads what was written, whoever reads meanwhile', async () => {
    const path = `/products/${ids[0]}`
    let isOver = false
    const reader = async () => {
      while (!isOver) await ask(shop, path)
    }
    const readers = [reader(), reader(), reader()]
    for (let price = 1; price <= 40; price += 1) {
      const written = await admin.request('PATCH', path, { price })
      assert.equal(written.status, 200)
      const { body } = await ask(shop, path)
      assert.equal(JSON.parse(body.toString()).price, price)
    }
    isOver = true
    await Promise.all(readers)
  })
})

describe('an unchanged answer', () => {
  test('costs its caller nothing where it is ready, and as much as any where it is made', async (t) => {
    const limits = { usual: { limit: 20, windowMs: 60_000 }, counters: memoryCounters(fixedWindow) }
    const shop = await startTestApp('memory', { composition: { responseCacheBytes, limits } })
    t.after(() => shop.dispose())
    await shop.app.listen({ port: 0, host: '127.0.0.1' })
    const { id } = await insertProduct(shop.db)
    const left = ({ headers }: Got) => headers['x-ratelimit-remaining']
    for (const path of ['/products', `/products/${id}`]) {
      const { etag = '' } = (await ask(shop, path)).headers
      for (let turn = 0; turn < 30; turn += 1) {
        const answer = await ask(shop, path, { 'if-none-match': etag, 'accept-encoding': 'gzip' })
        assert.equal(answer.status, 304)
        assert.equal(left(answer), '19', path)
      }
    }
    shop.now += 60_000
    const all = { 'if-none-match': '*' }
    const statuses = []
    for (let turn = 0; turn < 21; turn += 1) {
      statuses.push((await ask(shop, '/products?include=reviews', all)).status)
    }
    assert.deepEqual([statuses[0], statuses[19], statuses[20]], [304, 304, 429])
  })
})

describe('behind a proxy that is believed', () => {
  test('what is ready is answered as it would be the usual way, on the account of the client', async (t) => {
    const limits = { usual: { limit: 5, windowMs: 60_000 }, counters: memoryCounters(fixedWindow) }
    const httpsPolicy = { plain: 'loopback', trusts: trustIn(['loopback']) } as const
    const shop = await startTestApp('memory', {
      composition: { responseCacheBytes, limits, httpsPolicy },
    })
    t.after(() => shop.dispose())
    await shop.app.listen({ port: 0, host: '127.0.0.1' })
    const { id } = await insertProduct(shop.db)
    const from = (client: string, proto: string) =>
      ask(shop, `/products/${id}`, { 'x-forwarded-for': client, 'x-forwarded-proto': proto })
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
    const direct = await ask(shop, `/products/${id}`)
    assert.equal(direct.headers['strict-transport-security'], undefined)
  })
})

describe('several processes on one database', () => {
  test('on PostgreSQL, each hears what the others change', {
    skip: skipReason('postgres'),
  }, async (t) => {
    const shop = await startReadyApp('postgres')
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
    await until(() => store.changes.isConnected())
    for (let price = 1; price <= 20; price += 1) {
      await ask(other, path)
      assert.equal((await admin.request('PATCH', path, { price })).status, 200)
      await until(async () => JSON.parse((await ask(other, path)).body.toString()).price === price)
    }
  })

  test('on SQLite, what another program writes to the file is noticed', async (t) => {
    const shop = await startReadyApp('sqlite')
    t.after(() => shop.dispose())
    const { id } = await insertProduct(shop.db)
    await ask(shop, `/products/${id}`)
    const store = await openStore(shop.url)
    t.after(() => store.close())
    await store.db.updateTable('products').set({ price_minor: 1 }).where('id', '=', id).execute()
    await until(async () => {
      const { body } = await ask(shop, `/products/${id}`)
      return JSON.parse(body.toString()).price === 0.01
    })
  })
})

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(10)
}
