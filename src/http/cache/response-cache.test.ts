import assert from 'node:assert/strict'
import { test } from 'node:test'
import { list } from '#http/declare/route.ts'
import { anyone, shared } from '#http/declare/policy.ts'
import { collection, item } from '#http/declare/resource.ts'
import { type CachedResponse, headOf, ResponseCache } from './response-cache.ts'

const definition = item({
  name: 'thing',
  description: 'A thing.',
  path: '/things/:thingId',
  schema: {} as never,
  load: async () => undefined,
  present: () => ({}),
  pathParams: () => ({}),
  revision: () => 1,
})
const route = list(collection({ name: 'things', path: '/things', item: definition }), {
  summary: 'Lists things.',
  access: anyone,
  rate: 'reads',
  cache: shared,
  filters: {} as never,
  sorts: ['id'],
  find: async () => ({ rows: [], totalItems: 0 }),
})

const answerOf = (body: string): CachedResponse => ({
  route,
  ...headOf({ etag: '"1"' }, body),
  body,
  plainTag: '"1"',
  etag: '"1"',
  lastModified: undefined,
  ttlMs: Number.POSITIVE_INFINITY,
})

const open = (maxBytes = 1_000_000, isConnected = () => true) =>
  new ResponseCache({ maxBytes, isConnected })

test('an answer is found until something that it rests on changes', () => {
  const answers = open()
  answers.keep('/a', answerOf('a'), ['one', 'two'], answers.mark())
  answers.keep('/b', answerOf('b'), ['two', 'three'], answers.mark())
  answers.drop(['one'])
  assert.equal(answers.find('/a'), undefined)
  assert.equal(answers.find('/b')?.body, 'b')
  answers.drop(['four', 'three'])
  assert.equal(answers.find('/b'), undefined)
})

test('an answer that began to be made before a change is not kept after it', () => {
  const answers = open()
  const before = answers.mark()
  answers.drop(['one'])
  answers.keep('/a', answerOf('old'), ['one'], before)
  assert.equal(answers.find('/a'), undefined)
  answers.keep('/b', answerOf('of something else'), ['two'], before)
  assert.equal(answers.find('/b')?.body, 'of something else')
  answers.keep('/a', answerOf('new'), ['one'], answers.mark())
  assert.equal(answers.find('/a')?.body, 'new')
})

test('when anything may have changed, nothing from before is kept or found', () => {
  const answers = open()
  const before = answers.mark()
  answers.keep('/a', answerOf('a'), ['one'], before)
  answers.drop('anything')
  answers.keep('/b', answerOf('b'), ['two'], before)
  assert.equal(answers.find('/a'), undefined)
  assert.equal(answers.find('/b'), undefined)
})

test('changes are remembered however many come between', () => {
  const answers = open()
  const before = answers.mark()
  answers.drop(['one'])
  for (let count = 0; count < 25_000; count += 1) answers.drop([`other ${count}`])
  answers.keep('/a', answerOf('old'), ['one'], before)
  assert.equal(answers.find('/a'), undefined)
})

test('nothing is found while changes may go unheard', () => {
  let isConnected = true
  const answers = open(1_000_000, () => isConnected)
  answers.keep('/a', answerOf('a'), ['one'], answers.mark())
  isConnected = false
  assert.equal(answers.find('/a'), undefined)
  isConnected = true
  assert.equal(answers.find('/a')?.body, 'a')
})

test('no answer is found that is older than a minute', (t) => {
  const began = performance.now()
  const clock = t.mock.method(performance, 'now', () => began)
  const answers = open()
  answers.keep('/a', answerOf('a'), ['one'], answers.mark())
  clock.mock.mockImplementation(() => began + 60_000)
  assert.equal(answers.find('/a')?.body, 'a')
  clock.mock.mockImplementation(() => began + 60_001)
  assert.equal(answers.find('/a'), undefined)
})

test('the memory is bounded, and what is asked for stays longest', () => {
  const answers = open(100_000)
  const body = 'x'.repeat(3000)
  const keep = (key: string) => answers.keep(key, answerOf(body), ['one'], answers.mark())
  keep('/wanted')
  for (let count = 0; count < 200; count += 1) {
    keep(`/other/${count}`)
    assert.ok(answers.find('/wanted'), `after ${count}`)
  }
  const left = Array.from({ length: 200 }, (_, at) => answers.find(`/other/${at}`)).filter(Boolean)
  assert.ok(left.length > 5 && left.length < 34, `${left.length} are left`)
  answers.keep('/large', answerOf('x'.repeat(90_000)), ['one'], answers.mark())
  assert.equal(answers.find('/large'), undefined)
})

test('once an eighth is taken, only what is asked for again is wanted', () => {
  const answers = open(160_000)
  let kept = 0
  for (let count = 0; count < 1000; count += 1) {
    if (!answers.isWanted(`/once/${count}`)) continue
    answers.keep(`/once/${count}`, answerOf('x'.repeat(1000)), ['one'], answers.mark())
    kept += 1
  }
  assert.ok(kept >= 8 && kept <= 10, `${kept} were kept`)
  assert.equal(answers.isWanted('/again'), false)
  assert.equal(answers.isWanted('/again'), true)
})

test('what is too old to be given makes room without being asked for', (t) => {
  const began = performance.now()
  const clock = t.mock.method(performance, 'now', () => began)
  const answers = open(160_000)
  for (let count = 0; answers.isWanted(`/old/${count}`); count += 1) {
    answers.keep(`/old/${count}`, answerOf('x'.repeat(1000)), ['one'], answers.mark())
  }
  assert.equal(answers.isWanted('/one more'), false)
  clock.mock.mockImplementation(() => began + 60_001)
  answers.keep('/new', answerOf('new'), ['one'], answers.mark())
  assert.equal(answers.isWanted('/another'), true)
  assert.equal(answers.find('/new')?.body, 'new')
})

test('what is another in each answer is not kept, and a 304 says nothing of the body', () => {
  const { head, unchangedHead } = headOf(
    {
      etag: '"1"',
      'x-request-id': 'abc',
      ratelimit: '"default";r=1;t=1',
      date: 'today',
      'content-type': 'text/plain',
      'content-encoding': 'gzip',
    },
    'bytes',
  )
  assert.deepEqual(head, [
    'etag',
    '"1"',
    'content-type',
    'text/plain',
    'content-encoding',
    'gzip',
    'content-length',
    '5',
  ])
  assert.deepEqual(unchangedHead, ['etag', '"1"'])
})
