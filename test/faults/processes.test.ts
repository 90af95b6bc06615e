import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { openStore } from '#store/database.ts'
import type { TestResponse } from '#test/support/app.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { skipReason } from '#test/support/services/databases.ts'
import { type OwnRedis, redisServerSkipReason, startRedis } from '#test/support/services/redis.ts'
import {
  type Caller,
  createCaller,
  type Deployment,
  openDeployment,
  shopAdmin,
  signIn,
} from '#test/support/services/server.ts'
import { type LoadBalancer, loadBalancerSkipReason, startLoadBalancer } from './scenarios/front.ts'

const skip = skipReason('postgres') || loadBalancerSkipReason() || redisServerSkipReason()
const password = 'correct horse battery staple'

describe('two processes on one PostgreSQL and Redis behind nginx', { skip }, () => {
  let deployment: Deployment
  let redis: OwnRedis
  let loadBalancer: LoadBalancer
  let ports: readonly number[]
  const callers: Caller[] = []
  const callAt = (url: string, token?: string) => {
    const caller = createCaller(url, token)
    callers.push(caller)
    return caller.request
  }
  const requestWith = (token?: string) => callAt(loadBalancer.url, token)

  before(async () => {
    redis = await startRedis()
    deployment = await openDeployment('postgres', {
      settings: {
        REDIS_URL: redis.url,
        RATE_LIMIT: '100/60s',
        TRUST_PROXY: 'loopback',
        BASE_URL: 'http://localhost:8080',
      },
    })
    const urls = await Promise.all([deployment.start().url, deployment.start().url])
    ports = urls.map((url) => Number(new URL(url).port))
    loadBalancer = await startLoadBalancer(ports)
  })
  after(async () => {
    for (const caller of callers) caller.close()
    await loadBalancer?.stop()
    await deployment?.dispose()
    await redis?.kill()
  })

  async function createUser() {
    const credentials = { username: `person-${randomUUID()}`, password }
    const made = await requestWith()('POST', '/users', { name: 'Somebody', ...credentials })
    assert.equal(made.status, 201, made.text)
    const { json } = await requestWith()('POST', '/login', credentials)
    return { id: made.json.id, refreshToken: json.refresh_token, request: requestWith(json.token) }
  }
  const counts = (answers: readonly TestResponse[]) =>
    Object.fromEntries(
      [...Map.groupBy(answers, ({ status }) => status)].map(([s, a]) => [s, a.length]),
    )
  const sendAll = (count: number, ask: (index: number) => Promise<TestResponse>) =>
    Promise.all(Array.from({ length: count }, (_, index) => ask(index)))

  test('one idempotency key sent to all processes at once creates one order', async () => {
    const admin = requestWith(await signIn(requestWith(), shopAdmin))
    const made = await admin('POST', '/products', { name: 'Kettle', price: 5, stock: 9 })
    const { id, request } = await createUser()
    const key = { 'idempotency-key': randomUUID() }
    const body = { items: [{ product_id: made.json.id, quantity: 1 }] }
    const answers = await sendAll(12, () => request('POST', `/users/${id}/orders`, body, key))
    for (const { status, json } of answers) {
      assert.ok(status === 201 || json.error_code === '4094', `${status}`)
    }
    const { json } = await request('GET', `/users/${id}/orders`)
    assert.equal(json.pagination.total_items, 1)
  })

  test('a refresh token that is sent several times at once is renewed, by every process', async () => {
    const { refreshToken } = await createUser()
    const renew = (refresh_token: string) => requestWith()('POST', '/login', { refresh_token })
    const answers = await sendAll(4, () => renew(refreshToken))
    for (const { status, json } of answers) {
      assert.equal(status, 200, JSON.stringify(counts(answers)))
      assert.equal((await renew(json.refresh_token)).status, 200)
    }
  })

  test('a change at one process is read at the other', async () => {
    const admin = requestWith(await signIn(requestWith(), shopAdmin))
    const { json } = await admin('POST', '/products', { name: 'Cup', price: 1 })
    const readers = ports.map((port) => callAt(`http://127.0.0.1:${port}`))
    for (const price of [2, 3]) {
      for (const read of readers) await read('GET', `/products/${json.id}`)
      await admin('PATCH', `/products/${json.id}`, { price })
      for (const read of readers) {
        await pollUntil(
          () => read('GET', `/products/${json.id}`),
          (answer) => answer.json.price === price,
        )
      }
    }
  })

  test('the longest addresses are answered, with the links that proxies have room for', async () => {
    const list = async (length: number) => {
      const q = encodeURIComponent('\u6c49'.repeat(length))
      const { status, headers } = await requestWith()('GET', `/products?q=${q}`)
      return [status, headers['link'] !== undefined]
    }
    assert.deepEqual(await list(50), [200, true])
    assert.deepEqual(await list(400), [200, false])
    assert.deepEqual(await list(800), [200, false])
    assert.deepEqual(await list(1000), [414, false])
  })

  test('an expired order is cancelled once', async () => {
    const admin = requestWith(await signIn(requestWith(), shopAdmin))
    const made = await admin('POST', '/products', { name: 'Pot', price: 5, stock: 5 })
    const { id, request } = await createUser()
    const body = { items: [{ product_id: made.json.id, quantity: 2 }] }
    const placed = await request('POST', `/users/${id}/orders`, body)
    const store = await openStore(deployment.databaseUrl)
    await store.db.updateTable('orders').set({ expires_at: 1 }).where('user_id', '=', id).execute()
    // Read from the database, since polling a loaded machine over HTTP would reach the rate limit.
    await pollUntil(
      () => store.db.selectFrom('orders').select('status').where('user_id', '=', id).execute(),
      ([order]) => order?.status === 'cancelled',
    )
    const stock = await store.db
      .selectFrom('products')
      .select('stock')
      .where('id', '=', made.json.id)
      .execute()
    await store.close()
    assert.deepEqual(stock, [{ stock: 5 }])
    const { json } = await request('GET', `/orders/${placed.json.id}`)
    assert.equal(json.status, 'cancelled')
  })

  test('processes share the rate limit of a caller; without Redis each counts alone', async () => {
    const { request } = await createUser()
    const ask = () => request('GET', '/orders')
    const answers = await sendAll(120, ask)
    const { 200: accepted = 0, 429: rejected } = counts(answers)
    // An overloaded process lowers its limit, as its responses say.
    const limits = answers.map(({ headers }) => Number(headers['x-ratelimit-limit']))
    assert.ok(accepted <= Math.max(...limits) && accepted >= Math.min(...limits), `${accepted}`)
    assert.ok(Math.max(...limits) <= 100)
    assert.equal(rejected, 120 - accepted)
    await redis.kill()
    const withoutRedis = await sendAll(20, ask)
    assert.ok(withoutRedis.every(({ status }) => status === 200 || status === 429))
    assert.ok(withoutRedis.some(({ status }) => status === 200))
  })
})
