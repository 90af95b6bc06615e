import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Fixtures } from '#test/contract/setup/fixture-ids.ts'
import { createFixtures } from '#test/contract/setup/fixtures.ts'
import type { TestCaller } from '#test/support/app.ts'
import { type PayingApp, startPayingApp } from '#test/support/callers/paying.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import {
  type Cache,
  cacheSkipReason,
  caches,
  type Origin,
  type RawResponse,
  type RunningCache,
  sendRequest,
  startCache,
  startOrigin,
} from '#test/support/services/caches.ts'
import { seededRandom } from '#test/support/shop/random-changes.ts'

// How third-party shared caches handle the responses of the server.
for (const cache of caches) {
  describe(`behind ${cache.name}`, { skip: cacheSkipReason(cache) }, () => testCache(cache))
}

interface CachedShop {
  readonly shop: PayingApp
  readonly fixtures: Fixtures
  readonly origin: Origin
  readonly cache: RunningCache
  readonly admin: TestCaller
}

const bearer = ({ token }: TestCaller) => ({ authorization: `Bearer ${token}` })

function testCache(cache: Cache): void {
  let cachedShop: CachedShop
  before(async () => {
    const shop = await startPayingApp('memory', 5000)
    const admin = await shop.signInAs('admin')
    const fixtures = await createFixtures(shop, admin, { rowCount: 3 })
    const origin = await startOrigin(shop)
    cachedShop = { shop, fixtures, origin, admin, cache: await startCache(cache, origin.port) }
  })
  after(async () => {
    await cachedShop.cache.stop()
    await cachedShop.origin.stop()
    await cachedShop.shop.dispose()
  })
  afterEach(() => {
    cachedShop.origin.rewriteCacheControl = (control) => control
    cachedShop.origin.isDown = false
  })
  const getShop = () => cachedShop
  testCaching(getShop)
  testPrivacy(getShop)
  testVariants(getShop)
  testExpiry(getShop)
  if (cache.name === 'nginx') testOutage(getShop)
}

const request = (
  { cache }: CachedShop,
  path: string,
  headers = {},
  method = 'GET',
  body?: string,
) => sendRequest(cache.port, path, headers, method, body)

/** Asserts that two responses are equal except for headers that name the request. */
function assertSame(cached: RawResponse, direct: RawResponse, errorContext: string): void {
  const comparable = ({ status, headers, body }: RawResponse) => [
    status,
    ...[
      'content-type',
      'content-encoding',
      'etag',
      'last-modified',
      'vary',
      'link',
      'cache-control',
    ]
      .concat(['api-version', 'deprecation', 'content-language', 'location'])
      .map((name) => `${name}: ${headers[name]}`),
    status < 400 ? body.toString('latin1') : '',
  ]
  assert.deepEqual(comparable(cached), comparable(direct), errorContext)
}

const publicPaths = ({ products }: Fixtures) => [
  '/products',
  '/products?category=kitchen&sort=price&order=desc',
  `/products/${products[0]}`,
  `/products/${products[0]}?include=reviews,related`,
  `/products/${products[0]}/reviews`,
  `/products/${products[0]}/related`,
  '/',
  '/docs',
  '/v2/openapi.json',
]

function testCaching(getShop: () => CachedShop): void {
  test('a public resource is requested once and then served from the cache', async () => {
    const cachedShop = getShop()
    for (const path of publicPaths(cachedShop.fixtures)) {
      const first = await request(cachedShop, path)
      assert.equal(first.status, 200)
      cachedShop.origin.takeRequests()
      for (const method of ['GET', 'HEAD', 'GET']) {
        const again = await request(cachedShop, path, {}, method)
        assert.equal(again.headers['x-cache'], 'HIT', path)
        assert.equal(again.headers['etag'], first.headers['etag'])
        if (method === 'GET') assert.deepEqual(again.body, first.body)
      }
      const none = { 'if-none-match': String(first.headers['etag']) }
      assert.equal((await request(cachedShop, path, none)).status, 304)
      assert.deepEqual(cachedShop.origin.takeRequests(), [])
    }
  })
}

function testPrivacy(getShop: () => CachedShop): void {
  test('a response to an authenticated caller is never cached', async () => {
    const cachedShop = getShop()
    const { owner, paidOrder, payment, purchase } = cachedShop.fixtures
    const own = [`/users/${owner.id}`, '/profile', `/users/${owner.id}/cart`, '/orders']
    const paths = [...own, `/orders/${paidOrder}`, `/payments/${payment}`, `/purchases/${purchase}`]
    for (const path of [...paths, ...publicPaths(cachedShop.fixtures).slice(0, 7)]) {
      for (const caller of [owner, cachedShop.admin]) {
        for (let time = 0; time < 2; time++) {
          cachedShop.origin.takeRequests()
          const answer = await request(cachedShop, path, bearer(caller))
          assert.equal(answer.status, 200, path)
          assert.equal(cachedShop.origin.takeRequests().length, 1, path)
          const direct = await sendRequest(cachedShop.origin.port, path, bearer(caller))
          assertSame(answer, direct, path)
        }
      }
      const anonymous = await request(cachedShop, path)
      assertSame(anonymous, await sendRequest(cachedShop.origin.port, path), path)
    }
  })

  test('errors, tokens and payments are never cached', async () => {
    const cachedShop = getShop()
    const { owner, paidOrder } = cachedShop.fixtures
    const unknownUser = '{"username":"nobody","password":"no such password"}'
    const requests: readonly (readonly [string, object?, string?, string?])[] = [
      ['/products/999999'],
      ['/no/such/path'],
      ['/products?page=0'],
      ['/products', { accept: 'text/html' }],
      ['/orders'],
      ['/products', { authorization: 'Bearer bad' }],
      ['/login', { 'content-type': 'application/json' }, 'POST', unknownUser],
      [`/users/${owner.id}/orders/${paidOrder}/payment`, bearer(owner)],
      ['/health/live'],
      ['/metrics'],
    ]
    for (const [path, headers, method, body] of requests) {
      for (let time = 0; time < 2; time++) {
        cachedShop.origin.takeRequests()
        const answer = await request(cachedShop, path, headers, method, body)
        assert.ok(!/public|max-age/.test(answer.headers['cache-control'] ?? ''), path)
        assert.equal(cachedShop.origin.takeRequests().length, 1, path)
      }
    }
    const { username, password } = {
      username: owner.username,
      password: 'correct horse battery staple',
    }
    const signIn = () =>
      request(
        cachedShop,
        '/login',
        { 'content-type': 'application/json' },
        'POST',
        JSON.stringify({ username, password }),
      )
    assert.notDeepEqual((await signIn()).body, (await signIn()).body)
  })
}

const accepts = [
  undefined,
  '*/*',
  'application/json',
  'application/xml',
  'application/vnd.cartwright.v1+json',
  'application/vnd.cartwright.v2+json',
  'application/vnd.cartwright.v2+xml',
  'application/xml;q=0.5, application/json;q=0.4',
  'text/html, application/xml;q=0.9, */*;q=0.8',
  'application/problem+json',
  'text/html',
]
const encodings = [
  undefined,
  'gzip',
  'gzip, deflate, br, zstd',
  'br;q=0.5, identity',
  'identity;q=0',
]

function testVariants(getShop: () => CachedShop): void {
  test('1500 random requests get the same response from the cache as from the server', async () => {
    const cachedShop = getShop()
    const { fixtures, origin, admin } = cachedShop
    const random = seededRandom(6)
    const pick = <T>(choices: readonly T[]): T =>
      choices[Math.floor(random() * choices.length)] as T
    const paths = [
      ...publicPaths(fixtures),
      '/products?limit=2&page=2',
      '/products/999999',
      '/orders',
    ]
    const tags = ['"1-v1"', 'W/"1-v1"', '"no such tag"']
    let hits = 0
    for (let count = 0; count < 1500; count++) {
      const path = pick(['', '', '', '/v2']) + pick(paths)
      const versioned = random() < 0.1 ? `${path}${path.includes('?') ? '&' : '?'}version=2` : path
      const chosen: Record<string, string | undefined> = {
        accept: pick(accepts),
        'accept-encoding': pick(encodings),
        authorization: pick([
          undefined,
          undefined,
          `Bearer ${fixtures.owner.token}`,
          `Bearer ${admin.token}`,
        ]),
        'if-none-match': pick([undefined, undefined, pick(tags)]),
        'content-type': pick([undefined, undefined, 'application/vnd.cartwright.v2+json']),
        'accept-language': pick([undefined, 'de', 'zh, en;q=0.5']),
        prefer: pick([undefined, 'return=minimal']),
        origin: pick([undefined, 'https://shop.example.com']),
      }
      const headers = Object.fromEntries(
        Object.entries(chosen).filter((entry): entry is [string, string] => entry[1] !== undefined),
      )
      const method = pick(['GET', 'GET', 'HEAD'])
      const cached = await request(cachedShop, versioned, headers, method)
      const { 'if-none-match': tag = '', ...unconditional } = headers
      const direct = await sendRequest(origin.port, versioned, unconditional, method)
      const errorContext = `${method} ${versioned} ${JSON.stringify(headers)}`
      // A cache may answer 304 where the ETag matches.
      if (cached.status !== 304) assertSame(cached, direct, errorContext)
      else {
        assert.equal(cached.headers['etag'], direct.headers['etag'], errorContext)
        assert.equal(tag.replace('W/', ''), direct.headers['etag'], errorContext)
      }
      if (cached.headers['x-cache'] === 'HIT') hits++
      if (direct.headers['etag'] !== undefined) tags.push(direct.headers['etag'])
    }
    assert.ok(hits > 150, `only ${hits} of 1500 responses came from the cache`)
  })
}

const expireSoon = (control: string) =>
  control.replace('s-maxage=300', 's-maxage=1').replace(/, stale-.*/, '')
const staleSoon = (control: string) => control.replace('s-maxage=300', 's-maxage=1')

async function newProduct({ admin }: CachedShop, name: string): Promise<string> {
  const { json } = await admin.request('POST', '/products', { name, price: 5 })
  return `/products/${json.id}`
}

function testExpiry(getShop: () => CachedShop): void {
  test('an expired response is revalidated by its ETag', async () => {
    const cachedShop = getShop()
    cachedShop.origin.rewriteCacheControl = expireSoon
    const path = await newProduct(cachedShop, 'Ladle')
    for (const accept of ['application/json', 'application/xml']) {
      const first = await request(cachedShop, path, { accept })
      cachedShop.origin.takeRequests()
      const revalidations = await pollUntil(
        async () => {
          const again = await request(cachedShop, path, { accept })
          assert.deepEqual(again.body, first.body)
          assert.equal(again.headers['content-type'], first.headers['content-type'])
          return cachedShop.origin.takeRequests()
        },
        (requests) => requests.length > 0,
      )
      assert.equal(revalidations[0]?.headers['if-none-match'], first.headers['etag'])
      // A cache may send the stale response before the revalidation is answered.
      const status = await pollUntil(
        async () => revalidations[0]?.status,
        (answered) => answered !== 0,
      )
      assert.equal(status, 304)
    }
    await cachedShop.admin.request('PATCH', path, { name: 'Long ladle' })
    const later = await pollUntil(
      async () => (await request(cachedShop, path)).body.toString(),
      (body) => body.includes('Long ladle'),
    )
    assert.match(later, /"name":"Long ladle"/)
  })

  test('stale-while-revalidate sends the stale response at once', async () => {
    const cachedShop = getShop()
    cachedShop.origin.rewriteCacheControl = staleSoon
    const path = await newProduct(cachedShop, 'Whisk')
    await request(cachedShop, path)
    await cachedShop.admin.request('PATCH', path, { name: 'Balloon whisk' })
    cachedShop.origin.takeRequests()
    const bodies: string[] = []
    await pollUntil(
      async () => {
        bodies.push((await request(cachedShop, path)).body.toString())
        return bodies.at(-1) ?? ''
      },
      (body) => body.includes('Balloon whisk'),
    )
    // The first request after expiry got the stale response, with one revalidation in parallel.
    const [revalidation, ...others] = cachedShop.origin.takeRequests()
    assert.deepEqual(others, [])
    assert.match(bodies.at(-2) ?? '', /"name":"Whisk"/)
    assert.match(String(revalidation?.headers['if-none-match']), /^"1-v1/)
    assert.equal(revalidation?.status, 200)
  })
}

function testOutage(getShop: () => CachedShop): void {
  test('during an outage the cache serves stale public responses, and no response to authenticated callers', async () => {
    const cachedShop = getShop()
    cachedShop.origin.rewriteCacheControl = (control) =>
      control.replace('s-maxage=300', 's-maxage=1')
    const path = await newProduct(cachedShop, 'Sieve')
    const first = await request(cachedShop, path)
    cachedShop.origin.isDown = true
    const stale = await pollUntil(
      () => request(cachedShop, path),
      ({ headers }) => headers['x-cache'] === 'STALE',
    )
    assert.deepEqual(stale.body, first.body)
    const known = await request(cachedShop, path, bearer(cachedShop.admin))
    assert.equal(known.status, 502)
  })
}
