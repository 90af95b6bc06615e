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
  cache.keep('/a', cacheable('a'), ['one', 'two'], cache.mark())
  cache.keep('/b', cacheable('b'), ['two', 'three'], cache.mark())
  cache.invalidate(['one'])
  assert.equal(cache.find('/a'), undefined)
  assert.equal(cache.find('/b')?.body?.(), 'b')
  cache.invalidate(['four', 'three'])
  assert.equal(cache.find('/b'), undefined)
})

test('a response read before an invalidation is not cached after it', () => {
  const cache = open()
  const before = cache.mark()
  cache.invalidate(['one'])
  cache.keep('/a', cacheable('old'), ['one'], before)
  assert.equal(cache.find('/a'), undefined)
  cache.keep('/b', cacheable('of something else'), ['two'], before)
  assert.equal(cache.find('/b')?.body?.(), 'of something else')
  cache.keep('/a', cacheable('new'), ['one'], cache.mark())
  assert.equal(cache.find('/a')?.body?.(), 'new')
})

test('after everything is invalidated, nothing from before is cached or found', () => {
  const cache = open()
  const before = cache.mark()
  cache.keep('/a', cacheable('a'), ['one'], before)
  cache.invalidate('anything')
  cache.keep('/b', cacheable('b'), ['two'], before)
  assert.equal(cache.find('/a'), undefined)
  assert.equal(cache.find('/b'), undefined)
})

test('an invalidation counts however many follow it', () => {
  const cache = open()
  const before = cache.mark()
  cache.invalidate(['one'])
  for (let count = 0; count < 25_000; count += 1) cache.invalidate([`other ${count}`])
  cache.keep('/a', cacheable('old'), ['one'], before)
  assert.equal(cache.find('/a'), undefined)
})

test('nothing is found while invalidations may be missed', () => {
  let isConnected = true
  const cache = open(1_000_000, () => isConnected)
  cache.keep('/a', cacheable('a'), ['one'], cache.mark())
  isConnected = false
  assert.equal(cache.find('/a'), undefined)
  isConnected = true
  assert.equal(cache.find('/a')?.body?.(), 'a')
})

test('no response older than a minute is found', (t) => {
  const began = performance.now()
  const clock = t.mock.method(performance, 'now', () => began)
  const cache = open()
  cache.keep('/a', cacheable('a'), ['one'], cache.mark())
  clock.mock.mockImplementation(() => began + 60_000)
  assert.equal(cache.find('/a')?.body?.(), 'a')
  clock.mock.mockImplementation(() => began + 60_001)
  assert.equal(cache.find('/a'), undefined)
})

test('the memory is bounded, and what is read often stays longest', () => {
  const cache = open(200_000)
  const body = 'x'.repeat(3000)
  const keep = (key: string) => cache.keep(key, cacheable(body), ['one'], cache.mark())
  keep('/wanted')
  for (let count = 0; count < 200; count += 1) {
    keep(`/other/${count}`)
    assert.ok(cache.find('/wanted'), `after ${count}`)
  }
  const left = Array.from({ length: 200 }, (_, at) => cache.find(`/other/${at}`)).filter(Boolean)
  assert.ok(left.length > 5 && left.length < 34, `${left.length} are left`)
  cache.keep('/large', cacheable('x'.repeat(90_000)), ['one'], cache.mark())
  assert.equal(cache.find('/large'), undefined)
})

test('once an eighth is used, only repeated requests are cached', () => {
  const cache = open(160_000)
  let kept = 0
  for (let count = 0; count < 1000; count += 1) {
    if (!cache.isWanted(`/once/${count}`)) continue
    cache.keep(`/once/${count}`, cacheable('x'.repeat(1000)), ['one'], cache.mark())
    kept += 1
  }
  assert.ok(kept >= 4 && kept <= 6, `${kept} were kept`)
  assert.equal(cache.isWanted('/again'), false)
  assert.equal(cache.isWanted('/again'), true)
})

test('expired responses make room without being requested', (t) => {
  const began = performance.now()
  const clock = t.mock.method(performance, 'now', () => began)
  const cache = open(160_000)
  for (let count = 0; cache.isWanted(`/old/${count}`); count += 1) {
    cache.keep(`/old/${count}`, cacheable('x'.repeat(1000)), ['one'], cache.mark())
  }
  assert.equal(cache.isWanted('/one more'), false)
  clock.mock.mockImplementation(() => began + 60_001)
  cache.keep('/new', cacheable('new'), ['one'], cache.mark())
  assert.equal(cache.isWanted('/another'), true)
  assert.equal(cache.find('/new')?.body?.(), 'new')
})
