import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, type TestContext, test } from 'node:test'
import { anonymous } from '#http/declare/actor.ts'
import { noAuthentication, noStore, optionalAuthentication } from '#http/declare/policy.ts'
import { document } from '#http/declare/resource.ts'
import { type Route, readDocument } from '#http/declare/route.ts'
import { mount } from '#http/server/mount.ts'
import {
  startedAt,
  startTestApp,
  type TestApp,
  type TestResponse,
  testPassword,
} from '#test/support/app.ts'
import { type OwnRedis, redisServerSkipReason, startRedis } from '#test/support/services/redis.ts'
import { minuteMs, secondMs } from '#values/instant.ts'
import { algorithms } from './algorithms/algorithms.ts'
import type { Counters } from './counters.ts'
import { memoryCounters } from './memory-counters.ts'
import { type RedisCounters, redisCounters } from './redis-counters.ts'

const defaultAllowance = { limit: 5, windowMs: minuteMs }
const slidingWindow = algorithms['sliding-window']
const inMemory = () => ({ defaultAllowance, counters: memoryCounters(slidingWindow) })

const limitHeadersOf = ({ headers }: Pick<TestResponse, 'headers'>) => ({
  policy: headers['ratelimit-policy'],
  now: headers['ratelimit'],
  limit: headers['x-ratelimit-limit'],
  remaining: headers['x-ratelimit-remaining'],
  reset: headers['x-ratelimit-reset'],
})

/** Sends a request from an address. */
const sendFrom = async (shop: TestApp, address: string, url: string, body?: object) => {
  const { statusCode, headers } = await shop.app.inject({
    method: body ? 'POST' : 'GET',
    url,
    remoteAddress: address,
    ...(body ? { payload: body } : {}),
  })
  return { status: statusCode, headers: headers as Record<string, string> }
}

const statusesOf = async (count: number, send: () => Promise<{ readonly status: number }>) => {
  const statuses: number[] = []
  for (let sent = 0; sent < count; sent += 1) statuses.push((await send()).status)
  return statuses
}

describe('rate limits', () => {
  let shop: TestApp
  beforeEach(async () => {
    shop = await startTestApp('memory', { composition: { limits: inMemory() } })
  })
  afterEach(() => shop.dispose())

  const products = () => shop.request('GET', '/products')

  test('are stated in every response', async () => {
    assert.deepEqual(limitHeadersOf(await products()), {
      policy: '"default";q=5;w=60',
      now: '"default";r=4;t=60',
      limit: '5',
      remaining: '4',
      reset: String((startedAt + minuteMs) / secondMs),
    })
    const customer = await shop.signInAs('customer')
    const bad = { authorization: 'Bearer nonsense' }
    const requests: readonly (readonly [number, Promise<TestResponse>])[] = [
      [400, shop.request('GET', '/products?page=0')],
      [401, shop.request('GET', '/profile')],
      [401, shop.request('GET', '/products', undefined, bad)],
      [403, customer.request('GET', '/users')],
      [404, shop.request('GET', '/products/999999')],
      [400, shop.request('POST', '/users', {})],
      [415, shop.request('POST', '/users', {}, { 'content-type': 'text/plain' })],
      [201, shop.request('POST', '/users', { name: 'Ada' })],
    ]
    for (const [status, pending] of requests) {
      const response = await pending
      assert.equal(response.status, status)
      assert.match(response.headers['ratelimit'] ?? '', /^"default";r=\d;t=60$/)
      assert.equal(response.headers['x-ratelimit-limit'], '5')
    }
  })

  test('answer 429 with Retry-After over the limit', async () => {
    assert.deepEqual(await statusesOf(3, products), [200, 200, 200])
    shop.now += 20 * secondMs
    assert.deepEqual(await statusesOf(2, products), [200, 200])
    shop.now += 10.5 * secondMs
    shop.takeCount()
    const rejected = await products()
    assert.equal(shop.takeCount(), 0)
    assert.equal(rejected.status, 429)
    assert.equal(rejected.json.error_code, '4291')
    assert.equal(rejected.json.details, 'The limit is 5 requests in 60 seconds.')
    assert.equal(rejected.headers['retry-after'], '30')
    assert.equal(rejected.headers['ratelimit'], '"default";r=0;t=30')
    assert.equal(rejected.headers['cache-control'], 'no-store')
    shop.now += Number(rejected.headers['retry-after']) * secondMs
    assert.equal((await products()).status, 200)
  })

  test('are per endpoint', async () => {
    assert.deepEqual((await statusesOf(6, products)).at(-1), 429)
    assert.equal((await shop.request('HEAD', '/products')).status, 429)
    assert.equal((await shop.request('GET', '/')).status, 200)
    assert.equal((await shop.request('POST', '/products', {})).status, 401)
    // All products share an endpoint.
    const first = await shop.request('GET', '/products/1')
    const second = await shop.request('GET', '/products/2')
    assert.equal(first.headers['x-ratelimit-remaining'], '4')
    assert.equal(second.headers['x-ratelimit-remaining'], '3')
  })

  test('are per user at any address, and per network for anonymous callers', async () => {
    const ada = await shop.signInAs('customer')
    const bob = await shop.signInAs('customer')
    assert.deepEqual((await statusesOf(6, () => ada.request('GET', '/profile'))).at(-1), 429)
    assert.equal((await bob.request('GET', '/profile')).status, 200)
    assert.deepEqual((await statusesOf(6, products)).at(-1), 429)
    assert.equal((await sendFrom(shop, '192.0.2.1', '/products')).status, 200)
    // An IPv6 client has 64 bits of the address to itself.
    const addresses = Array.from({ length: 6 }, (_, at) => `2001:db8:1:2::${at}`)
    const statuses = await Promise.all(
      addresses.map(async (address) => (await sendFrom(shop, address, '/products')).status),
    )
    assert.deepEqual(statuses.toSorted(), [200, 200, 200, 200, 200, 429])
    assert.equal((await sendFrom(shop, '2001:db8:1:3::1', '/products')).status, 200)
  })

  test('count invalid credentials against the network', async () => {
    const bad = { authorization: 'Bearer nonsense' }
    const guess = () => shop.request('GET', '/products', undefined, bad)
    assert.deepEqual(await statusesOf(6, guess), [401, 401, 401, 401, 401, 429])
  })

  test('count a request with two credentials against the network', async () => {
    const bad = { authorization: 'Bearer nonsense' }
    const send = () => shop.request('GET', '/products?api_key=x', undefined, bad)
    assert.deepEqual(await statusesOf(6, send), [400, 400, 400, 400, 400, 429])
  })

  test('are not spent by a 304', async () => {
    const customer = await shop.signInAs('customer')
    for (const path of ['/products', '/profile']) {
      const { headers } = await customer.request('GET', path)
      const held = { 'if-none-match': headers['etag'] ?? '' }
      for (let turn = 0; turn < 10; turn += 1) {
        const unchanged = await customer.request('GET', path, undefined, held)
        assert.equal(unchanged.status, 304)
        assert.equal(unchanged.headers['x-ratelimit-remaining'], '4')
      }
      const next = await customer.request('GET', path)
      assert.equal(next.headers['x-ratelimit-remaining'], '3')
    }
  })

  test('are spent by a 304 for any copy', async () => {
    const customer = await shop.signInAs('customer')
    const star = { 'if-none-match': '*' }
    const inFuture = { 'if-modified-since': new Date(shop.now + minuteMs).toUTCString() }
    for (const [path, copies] of [
      ['/products', [star, { 'if-none-match': '"x", *' }]],
      ['/profile', [star, inFuture]],
    ] as const) {
      for (const any of copies) {
        const send = () => customer.request('GET', path, undefined, any)
        const { status, headers } = await send()
        const again = await send()
        assert.deepEqual([status, again.status], [304, 304])
        const left = (fields: typeof headers) => Number(fields['x-ratelimit-remaining'])
        assert.equal(left(again.headers), left(headers) - 1)
      }
    }
  })

  test('do not apply to health checks', async () => {
    const statuses = await statusesOf(20, () => shop.request('GET', '/health/live'))
    assert.deepEqual([...new Set(statuses)], [200])
    const { headers } = await shop.request('GET', '/metrics')
    assert.equal(headers['ratelimit'], undefined)
  })

  test('are documented: every limited operation may answer 429', () => {
    for (const { route, fragments } of shop.operations) {
      const problems = fragments.flatMap((fragment) => fragment.problems ?? [])
      assert.equal(problems.includes('4291'), route.rateLimit !== 'unlimited', route.path)
    }
  })
})

/** Serves one document, whose callers have the number of their user as credential. */
async function serveDocument(
  t: TestContext,
  {
    isConfirmed = true,
    ...policy
  }: Pick<Route, 'access' | 'rateLimit'> & { isConfirmed?: boolean },
) {
  const shop = await startTestApp('memory')
  t.after(() => shop.dispose())
  const text = document({ name: 'x', description: 'x', path: '/x', mediaType: 'text/plain' })
  const route = { ...policy, cache: noStore, summary: 'x', render: async () => 'stored' } as const
  const { app } = mount({
    routes: [readDocument(text, route)],
    db: shop.db,
    transaction: shop.store.transaction,
    openSnapshot: shop.store.openSnapshot,
    authentication: {
      challenge: () => '',
      identify: async (_, { text: user }) => ({
        actor: { ...anonymous, userId: Number(user), role: 'customer', isConfirmed },
      }),
    },
    representationOptions: { version: 1, currency: 'USD', currencyDigits: 2, linksField: '_links' },
    errors: { shape: 'standard', baseUrl: '' },
    clock: () => startedAt,
    isUnavailable: () => false,
    limits: inMemory(),
  })
  t.after(() => app.close())
  return app
}

for (const [people, isConfirmed, times] of [
  ['confirmed users', true, 50],
  ['strangers', false, 10],
] as const) {
  test(`${people} of one network have ${times} times the limit of one`, async (t) => {
    const app = await serveDocument(t, {
      access: optionalAuthentication,
      rateLimit: 'default',
      isConfirmed,
    })
    const ask = async (user: number, remoteAddress = '127.0.2.1') => {
      const headers = { authorization: `Bearer ${user}` }
      return (await app.inject({ url: '/x', headers, remoteAddress })).statusCode
    }
    for (let user = 1; user <= times; user += 1) {
      for (let sent = 0; sent < defaultAllowance.limit; sent += 1)
        assert.equal(await ask(user), 200)
    }
    assert.equal(await ask(1), 429)
    assert.equal(await ask(times + 1), 429)
    assert.equal(await ask(times + 2, '127.0.2.2'), 200)
    const { statusCode } = await app.inject({ url: '/x', remoteAddress: '127.0.2.1' })
    assert.equal(statusCode, 200)
  })
}

test('uploads are limited to ten a minute, whatever the default limit', async (t) => {
  const app = await serveDocument(t, { access: noAuthentication, rateLimit: 'uploads' })
  const { headers } = await app.inject('/x')
  assert.equal(headers['ratelimit-policy'], '"uploads";q=10;w=60')
  const responses = await Promise.all(Array.from({ length: 10 }, () => app.inject('/x')))
  assert.deepEqual(
    responses
      .map(({ statusCode }) => statusCode)
      .toSorted()
      .slice(-2),
    [200, 429],
  )
})

describe('signing in', () => {
  let shop: TestApp
  before(async () => {
    const limits = {
      defaultAllowance: { limit: 100, windowMs: minuteMs },
      counters: memoryCounters(slidingWindow),
    }
    const loginLimits = {
      defaultAllowance: { limit: 10, windowMs: minuteMs },
      counters: memoryCounters(slidingWindow),
    }
    shop = await startTestApp('memory', { composition: { limits, loginLimits } })
  })
  after(() => shop.dispose())

  const login = (username: string, password: string, address: string) =>
    sendFrom(shop, address, '/login', { username, password })

  test('is limited to ten attempts a minute per network and name, successful or not', async () => {
    const { username } = await shop.signUp()
    const { username: other } = await shop.signUp()
    const [here, elsewhere] = ['127.0.2.1', '127.0.2.2']
    const first = await login(username, testPassword, here)
    assert.equal(first.status, 200)
    assert.deepEqual(limitHeadersOf(first), {
      policy: '"credentials";q=10;w=60',
      now: '"credentials";r=9;t=60',
      limit: '10',
      remaining: '9',
      reset: String((shop.now + minuteMs) / secondMs),
    })
    const wrong = await statusesOf(9, () => login(username, 'wrong', here))
    assert.deepEqual([...new Set(wrong)], [401])
    shop.takeCount()
    const rejected = await login(username.toUpperCase(), testPassword, here)
    assert.equal(rejected.status, 429)
    assert.equal(rejected.headers['retry-after'], '60')
    assert.equal(shop.takeCount(), 0)
    assert.equal((await login(other, testPassword, here)).status, 200)
    assert.equal((await login(username, testPassword, elsewhere)).status, 200)
    shop.now += minuteMs
    assert.equal((await login(username, testPassword, here)).status, 200)
  })

  test('with many names from one network is limited like any endpoint', async () => {
    let name = 0
    for (let at = 0; at < 10; at += 1) await shop.signUp({ username: `name-${at}` })
    const statuses = await statusesOf(101, () => {
      name += 1
      return login(`name-${name % 10}`, testPassword, '127.0.2.3')
    })
    assert.deepEqual([statuses.at(99), statuses.at(100)], [200, 429])
  })

  test('by refresh token is limited per token', async () => {
    const { refreshToken } = await shop.signInAs('customer')
    const renew = (refresh_token: string) =>
      sendFrom(shop, '127.0.2.4', '/login', { refresh_token })
    const statuses = await statusesOf(11, () => renew('not a token'))
    assert.deepEqual([statuses.at(9), statuses.at(10)], [401, 429])
    assert.equal((await renew(refreshToken)).status, 200)
  })
})

describe('a process under load', () => {
  let share = 1
  let isOverloaded = false
  let shop: TestApp
  before(async () => {
    const load = { share: () => share, isOverloaded: () => isOverloaded }
    shop = await startTestApp('memory', { composition: { limits: inMemory(), load } })
  })
  after(() => shop.dispose())
  beforeEach(() => {
    share = 1
    isOverloaded = false
    shop.now += 10 * minuteMs
  })
  const products = () => shop.request('GET', '/products')

  test('reduces the limits down to one request, and restores them after the load', async () => {
    share = 0.5
    const { headers } = await products()
    assert.equal(headers['x-ratelimit-limit'], '2')
    assert.equal(headers['ratelimit-policy'], '"default";q=5;w=60')
    assert.deepEqual(await statusesOf(2, products), [200, 429])
    share = 0.1
    assert.equal((await shop.request('GET', '/')).status, 200)
    assert.equal((await shop.request('GET', '/')).status, 429)
    share = 1
    assert.deepEqual(await statusesOf(4, products), [200, 200, 200, 429])
  })

  test('sheds requests with 503 and Retry-After, except health checks and metrics', async () => {
    const customer = await shop.signInAs('customer')
    isOverloaded = true
    shop.takeCount()
    for (const response of [await products(), await customer.request('GET', '/profile')]) {
      assert.equal(response.status, 503)
      assert.equal(response.json.error_code, '5031')
      assert.equal(response.headers['retry-after'], '2')
      assert.equal(response.headers['ratelimit'], undefined)
    }
    assert.equal(shop.takeCount(), 0)
    for (const url of ['/health/live', '/health/ready', '/metrics']) {
      assert.equal((await shop.request('GET', url)).status, 200)
    }
    isOverloaded = false
    assert.equal((await products()).headers['x-ratelimit-remaining'], '4')
  })
})

describe('two processes with one Redis', { skip: redisServerSkipReason() }, () => {
  let redis: OwnRedis
  let counters: readonly RedisCounters[]
  let shops: readonly TestApp[]
  let warnings = 0

  const startWith = (shared: Counters) =>
    startTestApp('memory', {
      composition: {
        limits: { defaultAllowance: { limit: 50, windowMs: minuteMs }, counters: shared },
      },
    })
  before(async () => {
    redis = await startRedis()
    const warn = () => {
      warnings += 1
    }
    const logger = { warn, info: () => undefined }
    // By the test's clock, which stands still, all requests fall into one minute.
    const options = { url: redis.url, logger, trustsCallersClock: true }
    counters = await Promise.all([1, 2].map(() => redisCounters(slidingWindow, options)))
    shops = await Promise.all(counters.map(startWith))
  })
  after(async () => {
    await Promise.all(shops.map((shop) => shop.dispose()))
    for (const each of counters) each.close()
    await redis.kill()
  })

  const askAll = async (count: number, url: string): Promise<readonly number[]> => {
    const pending = Array.from({ length: count }, (_, at) => shops[at % 2]?.request('GET', url))
    return (await Promise.all(pending)).map((response) => response?.status ?? 0)
  }

  test('share one limit', async () => {
    const statuses = await askAll(120, '/products')
    assert.equal(statuses.filter((status) => status === 200).length, 50)
    assert.equal(statuses.filter((status) => status === 429).length, 70)
  })

  test('continue without it when it is killed under load, with one warning each', async () => {
    const load = askAll(400, '/products/1')
    await redis.kill()
    const statuses = new Set([...(await load), ...(await askAll(400, '/products/1'))])
    assert.deepEqual([...statuses].toSorted(), [404, 429])
    assert.equal(warnings, 2)
  })
})
