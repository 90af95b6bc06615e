import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Cacheable, ResponseCache } from './response-cache.ts'

const cacheable = (body: string): Cacheable => ({
  response: { status: 200, headers: {}, body: () => body },
  bytes: body.length,
  ttlMs: Number.POSITIVE_INFINITY,
})

const open = (maxBytes = 1_000_000, isConnected = () => true) =>
  new ResponseCache({ maxBytes, isConnected })

test('a response is found until one of its tags is invalidated', () => {
  const cache = open()
  cache.set('/a', cacheable('a'), ['one', 'two'], cache.mark())
  cache.set('/b', cacheable('b'), ['two', 'three'], cache.mark())
  cache.invalidate(['one'])
  assert.equal(cache.get('/a'), undefined)
  assert.equal(cache.get('/b')?.body?.(), 'b')
  cache.invalidate(['four', 'three'])
  assert.equal(cache.get('/b'), undefined)
})

test('a response read before an invalidation is not cached after it', () => {
  const cache = open()
  const before = cache.mark()
  cache.invalidate(['one'])
  cache.set('/a', cacheable('old'), ['one'], before)
  assert.equal(cache.get('/a'), undefined)
  cache.set('/b', cacheable('of something else'), ['two'], before)
  assert.equal(cache.get('/b')?.body?.(), 'of something else')
  cache.set('/a', cacheable('new'), ['one'], cache.mark())
  assert.equal(cache.get('/a')?.body?.(), 'new')
})

test('after everything is invalidated, nothing from before is cached or found', () => {
  const cache = open()
  const before = cache.mark()
  cache.set('/a', cacheable('a'), ['one'], before)
  cache.invalidate('anything')
  cache.set('/b', cacheable('b'), ['two'], before)
  assert.equal(cache.get('/a'), undefined)
  assert.equal(cache.get('/b'), undefined)
})

test('an invalidation counts however many follow it', () => {
  const cache = open()
  const before = cache.mark()
  cache.invalidate(['one'])
  for (let count = 0; count < 25_000; count += 1) cache.invalidate([`other ${count}`])
  cache.set('/a', cacheable('old'), ['one'], before)
  assert.equal(cache.get('/a'), undefined)
})

test('nothing is found while invalidations may be missed', () => {
  let isConnected = true
  const cache = open(1_000_000, () => isConnected)
  cache.set('/a', cacheable('a'), ['one'], cache.mark())
  isConnected = false
  assert.equal(cache.get('/a'), undefined)
  isConnected = true
  assert.equal(cache.get('/a')?.body?.(), 'a')
})

test('no response older than a minute is found', (t) => {
  const began = Math.ceil(performance.now())
  const clock = t.mock.method(performance, 'now', () => began)
  const cache = open()
  cache.set('/a', cacheable('a'), ['one'], cache.mark())
  clock.mock.mockImplementation(() => began + 60_000)
  assert.equal(cache.get('/a')?.body?.(), 'a')
  clock.mock.mockImplementation(() => began + 60_001)
  assert.equal(cache.get('/a'), undefined)
})

test('the memory is bounded, and an entry that is read often is kept', () => {
  const cache = open(200_000)
  const body = 'x'.repeat(3000)
  const add = (key: string) => cache.set(key, cacheable(body), ['one'], cache.mark())
  add('/wanted')
  for (let count = 0; count < 200; count += 1) {
    add(`/other/${count}`)
    assert.ok(cache.get('/wanted'), `after ${count}`)
  }
  const left = Array.from({ length: 200 }, (_, at) => cache.get(`/other/${at}`)).filter(Boolean)
  assert.ok(left.length > 5 && left.length < 34, `${left.length} are left`)
  cache.set('/large', cacheable('x'.repeat(90_000)), ['one'], cache.mark())
  assert.equal(cache.get('/large'), undefined)
})

test('once an eighth is used, only repeated requests are cached', () => {
  const cache = open(160_000)
  let added = 0
  for (let count = 0; count < 1000; count += 1) {
    if (!cache.isWanted(`/once/${count}`)) continue
    cache.set(`/once/${count}`, cacheable('x'.repeat(1000)), ['one'], cache.mark())
    added += 1
  }
  assert.ok(added >= 4 && added <= 6, `${added} were cached`)
  assert.equal(cache.isWanted('/again'), false)
  assert.equal(cache.isWanted('/again'), true)
})

test('expired responses make room without being requested', (t) => {
  const began = performance.now()
  const clock = t.mock.method(performance, 'now', () => began)
  const cache = open(160_000)
  for (let count = 0; cache.isWanted(`/old/${count}`); count += 1) {
    cache.set(`/old/${count}`, cacheable('x'.repeat(1000)), ['one'], cache.mark())
  }
  assert.equal(cache.isWanted('/one more'), false)
  clock.mock.mockImplementation(() => began + 60_001)
  cache.set('/new', cacheable('new'), ['one'], cache.mark())
  assert.equal(cache.isWanted('/another'), true)
  assert.equal(cache.get('/new')?.body?.(), 'new')
})
