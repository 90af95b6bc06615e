import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { createFixtures, type Fixtures } from '#test/contract/setup/fixtures.ts'
import type { TestCaller } from '#test/support/app.ts'
import { eventually, type PayingApp, startPayingApp } from '#test/support/callers/paying.ts'
import {
  type Answer,
  ask,
  type Cache,
  cacheSkipReason,
  caches,
  type Origin,
  type Running,
  startCache,
  startOrigin,
} from '#test/support/services/caches.ts'

// What shared caches make of our answers, told by caches that others have written.
for (const cache of caches) {
  describe(`behind ${cache.name}`, { skip: cacheSkipReason(cache) }, () => testCache(cache))
}

interface Place {
  readonly shop: PayingApp
  readonly fixtures: Fixtures
  readonly origin: Origin
  readonly cached: Running
  readonly admin: TestCaller
}

const bearer = ({ token }: TestCaller) => ({ authorization: `Bearer ${token}` })

function testCache(cache: Cache): void {
  let place: Place
  before(async () => {
    const shop = await startPayingApp('memory', 5000)
    const admin = await shop.signInAs('admin')
    const fixtures = await createFixtures(shop, admin, 3)
    const origin = await startOrigin(shop)
    place = { shop, fixtures, origin, admin, cached: await startCache(cache, origin.port) }
  })
  after(async () => {
    await place.cached.stop()
    await place.origin.stop()
    await place.shop.dispose()
  })
  afterEach(() => {
    place.origin.lapse = (control) => control
    place.origin.isDown = false
  })
  const placeOf = () => place
  testKeeping(placeOf)
  testPrivacy(placeOf)
  testVariants(placeOf)
  testExpiry(placeOf)
  if (cache.name === 'nginx') testOutage(placeOf)
}

const through = ({ cached }: Place, path: string, headers = {}, method = 'GET', body?: string) =>
  ask(cached.port, path, headers, method, body)

/** Fails unless the answers say the same, but for what names the request. */
function requireSame(kept: Answer, straight: Answer, errorContext: string): void {
  const told = ({ status, headers, body }: Answer) => [
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
  assert.deepEqual(told(kept), told(straight), errorContext)
}

const catalogue = ({ products }: Fixtures) => [
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

function testKeeping(placeOf: () => Place): void {
  test('what everybody may read is asked for once, and kept for everybody', async () => {
    const place = placeOf()
    for (const path of catalogue(place.fixtures)) {
      const first = await through(place, path)
      assert.equal(first.status, 200)
      place.origin.take()
      for (const method of ['GET', 'HEAD', 'GET']) {
        const again = await through(place, path, {}, method)
        assert.equal(again.headers['x-cache'], 'HIT', path)
        assert.equal(again.headers['etag'], first.headers['etag'])
        if (method === 'GET') assert.deepEqual(again.body, first.body)
      }
      const none = { 'if-none-match': String(first.headers['etag']) }
      assert.equal((await through(place, path, none)).status, 304)
      assert.deepEqual(place.origin.take(), [])
    }
  })
}

function testPrivacy(placeOf: () => Place): void {
  test('what is told to somebody who is known is never kept', async () => {
    const place = placeOf()
    const { owner, paidOrder, payment, purchase } = place.fixtures
    const own = [`/users/${owner.id}`, '/profile', `/users/${owner.id}/cart`, '/orders']
    const paths = [...own, `/orders/${paidOrder}`, `/payments/${payment}`, `/purchases/${purchase}`]
    for (const path of [...paths, ...catalogue(place.fixtures).slice(0, 7)]) {
      for (const caller of [owner, place.admin]) {
        for (let time = 0; time < 2; time++) {
          place.origin.take()
          const answer = await through(place, path, bearer(caller))
          assert.equal(answer.status, 200, path)
          assert.equal(place.origin.take().length, 1, path)
          const straight = await ask(place.origin.port, path, bearer(caller))
          requireSame(answer, straight, path)
        }
      }
      const stranger = await through(place, path)
      requireSame(stranger, await ask(place.origin.port, path), path)
    }
  })

  test('refusals, tokens and payments are never kept', async () => {
    const place = placeOf()
    const { owner, paidOrder } = place.fixtures
    const nobody = '{"username":"nobody","password":"no such password"}'
    const requests: readonly (readonly [string, object?, string?, string?])[] = [
      ['/products/999999'],
      ['/no/such/path'],
      ['/products?page=0'],
      ['/products', { accept: 'text/html' }],
      ['/orders'],
      ['/products', { authorization: 'Bearer bad' }],
      ['/login', { 'content-type': 'application/json' }, 'POST', nobody],
      [`/users/${owner.id}/orders/${paidOrder}/payment`, bearer(owner)],
      ['/health/live'],
      ['/metrics'],
    ]
    for (const [path, headers, method, body] of requests) {
      for (let time = 0; time < 2; time++) {
        place.origin.take()
        const answer = await through(place, path, headers, method, body)
        assert.ok(!/public|max-age/.test(answer.headers['cache-control'] ?? ''), path)
        assert.equal(place.origin.take().length, 1, path)
      }
    }
    const { username, password } = {
      username: owner.username,
      password: 'correct horse battery staple',
    }
    const signIn = () =>
      through(
        place,
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

/** Numbers between 0 and 1, the same in every run. */
function draw(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function testVariants(placeOf: () => Place): void {
  test('whoever asks in whatever way gets what the server would say', async () => {
    const place = placeOf()
    const { fixtures, origin, admin } = place
    const random = draw(6)
    const one = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T
    const paths = [
      ...catalogue(fixtures),
      '/products?limit=2&page=2',
      '/products/999999',
      '/orders',
    ]
    const tags = ['"1-v1"', 'W/"1-v1"', '"no such tag"']
    let hits = 0
    for (let count = 0; count < 1000; count++) {
      const path = one(['', '', '', '/v2']) + one(paths)
      const versioned = random() < 0.1 ? `${path}${path.includes('?') ? '&' : '?'}version=2` : path
      const chosen: Record<string, string | undefined> = {
        accept: one(accepts),
        'accept-encoding': one(encodings),
        authorization: one([
          undefined,
          undefined,
          `Bearer ${fixtures.owner.token}`,
          `Bearer ${admin.token}`,
        ]),
        'if-none-match': one([undefined, undefined, one(tags)]),
        'content-type': one([undefined, undefined, 'application/vnd.cartwright.v2+json']),
        'accept-language': one([undefined, 'de', 'zh, en;q=0.5']),
        prefer: one([undefined, 'return=minimal']),
        origin: one([undefined, 'https://shop.example.com']),
      }
      const headers = Object.fromEntries(
        Object.entries(chosen).filter((entry): entry is [string, string] => entry[1] !== undefined),
      )
      const method = one(['GET', 'GET', 'HEAD'])
      const kept = await through(place, versioned, headers, method)
      const { 'if-none-match': tag = '', ...unconditional } = headers
      const straight = await ask(origin.port, versioned, unconditional, method)
      const errorContext = `${method} ${versioned} ${JSON.stringify(headers)}`
      // Whether 304 saves the body is for the cache to decide, where it is right.
      if (kept.status !== 304) requireSame(kept, straight, errorContext)
      else {
        assert.equal(kept.headers['etag'], straight.headers['etag'], errorContext)
        assert.equal(tag.replace('W/', ''), straight.headers['etag'], errorContext)
      }
      if (kept.headers['x-cache'] === 'HIT') hits++
      if (straight.headers['etag'] !== undefined) tags.push(straight.headers['etag'])
    }
    assert.ok(hits > 100, `only ${hits} of 1000 answers were kept ones`)
  })
}

const soonOver = (control: string) =>
  control.replace('s-maxage=300', 's-maxage=1').replace(/, stale-.*/, '')
const soonStale = (control: string) => control.replace('s-maxage=300', 's-maxage=1')

async function newProduct({ admin }: Place, name: string): Promise<string> {
  const { json } = await admin.request('POST', '/products', { name, price: 5 })
  return `/products/${json.id}`
}

function testExpiry(placeOf: () => Place): void {
  test('what is no longer fresh is asked for by its ETag, and kept on when it still holds', async () => {
    const place = placeOf()
    place.origin.lapse = soonOver
    const path = await newProduct(place, 'Ladle')
    for (const accept of ['application/json', 'application/xml']) {
      const first = await through(place, path, { accept })
      place.origin.take()
      const asked = await eventually(
        async () => {
          const again = await through(place, path, { accept })
          assert.deepEqual(again.body, first.body)
          assert.equal(again.headers['content-type'], first.headers['content-type'])
          return place.origin.take()
        },
        (requests) => requests.length > 0,
      )
      assert.equal(asked[0]?.headers['if-none-match'], first.headers['etag'])
      // A cache may send what it has kept before the answer comes to what it asks meanwhile.
      const status = await eventually(
        async () => asked[0]?.status,
        (answered) => answered !== 0,
      )
      assert.equal(status, 304)
    }
    await place.admin.request('PATCH', path, { name: 'Long ladle' })
    const later = await eventually(
      async () => (await through(place, path)).body.toString(),
      (body) => body.includes('Long ladle'),
    )
    assert.match(later, /"name":"Long ladle"/)
  })

  test('while it is asked for again, what is a little stale is sent at once', async () => {
    const place = placeOf()
    place.origin.lapse = soonStale
    const path = await newProduct(place, 'Whisk')
    await through(place, path)
    await place.admin.request('PATCH', path, { name: 'Balloon whisk' })
    place.origin.take()
    const bodies: string[] = []
    await eventually(
      async () => {
        bodies.push((await through(place, path)).body.toString())
        return bodies.at(-1) ?? ''
      },
      (body) => body.includes('Balloon whisk'),
    )
    // The first request past its time was answered with what was kept, so the server was asked
    // beside it, and no more than once.
    const [asked, ...others] = place.origin.take()
    assert.deepEqual(others, [])
    assert.match(bodies.at(-2) ?? '', /"name":"Whisk"/)
    assert.match(String(asked?.headers['if-none-match']), /^"1-v1/)
    assert.equal(asked?.status, 200)
  })
}

function testOutage(placeOf: () => Place): void {
  test('while the server is away, what was kept is sent on, and to nobody it was not meant for', async () => {
    const place = placeOf()
    place.origin.lapse = (control) => control.replace('s-maxage=300', 's-maxage=1')
    const path = await newProduct(place, 'Sieve')
    const first = await through(place, path)
    place.origin.isDown = true
    const stale = await eventually(
      () => through(place, path),
      ({ headers }) => headers['x-cache'] === 'STALE',
    )
    assert.deepEqual(stale.body, first.body)
    const known = await through(place, path, bearer(place.admin))
    assert.equal(known.status, 502)
  })
}
