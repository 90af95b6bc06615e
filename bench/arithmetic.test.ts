// The programs of the bench, from which this imports functions, have an await outside functions.
import '#test/support/run/own-process.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureInTurn } from './compare.ts'
import { createdId, readResponse } from './load.ts'
import { roundTripsLine } from './postgres.ts'
import { atLeast, comparisonLine } from './report.ts'
import { differenceOf, growthInSecondHalf, quantile } from './statistics.ts'

const figures = (perSecond: number, p50Ms: number) => ({
  perSecond,
  p50Ms,
  p99Ms: 9,
  generatorBusy: 0.1,
  iterations: 1,
  responses: 1,
  cpuMsPerIteration: 1,
  cpuMicrosPerResponse: 1,
})

test('sides are warmed up, then measured in alternation, and each number is its own median', async () => {
  const order: string[] = []
  const side = (name: string, ...rounds: readonly ReturnType<typeof figures>[]) => {
    const left = [figures(999, 999), ...rounds]
    return async () => {
      order.push(name)
      return left.shift() ?? figures(0, 0)
    }
  }
  const one = side('a', figures(3, 1), figures(1, 9), figures(2, 5))
  const other = side('b', figures(7, 8), figures(7, 6), figures(7, 7))
  const found = await measureInTurn([one, other], { seconds: 1, rounds: 3 })
  assert.deepEqual(found, [figures(2, 5), figures(7, 7)])
  assert.equal(order.join(''), 'abababab')
})

test('a line has the ratio to its baseline, and says where the generator was the limit', () => {
  const busy = { ...figures(1000, 2), generatorBusy: 0.95 }
  assert.deepEqual(comparisonLine('order', figures(1500, 1), busy, atLeast(1.5, 'one')), {
    name: 'order (generator at its limit)',
    server: '1,500/s',
    baseline: '1,000/s',
    ratio: '1.50',
    latency: '1.00 / 9.00',
    target: { text: '≥ 1.5 of one', met: true },
  })
  const slow = comparisonLine('order', figures(1499, 1), busy, atLeast(1.5, 'one'))
  assert.equal(slow.target?.met, false)
})

test('a quantile is one of the numbers, the lower of two in the middle', () => {
  assert.deepEqual([quantile([4, 1, 3, 2], 0.5), quantile([5], 0.99)], [2, 5])
  assert.ok(Number.isNaN(quantile([], 0.5)))
})

test('growth is that of the last quarter over the third, whatever the first half did', () => {
  assert.equal(growthInSecondHalf([50, 80, 120, 150, 150, 150, 150, 150]), 0)
  assert.equal(growthInSecondHalf([50, 60, 70, 80, 100, 100, 110, 111]), 10)
})

const noise = (at: number): number => (at * 7_919) % 101

test('a difference between two series is found, whatever both have in common', () => {
  const common = Array.from({ length: 400 }, (_, at) => 1_000 + noise(at) * 10)
  const longer = common.map((took, at) => took + 5 + (noise(at + 7) - 50) / 10)
  const { median, interval } = differenceOf(longer, common)
  assert.ok(Math.abs(median - 5) < 1, `${median}`)
  const [low, high] = interval
  assert.ok(low > 3 && low <= median && median <= high && high < 7, `${interval}`)
})

test('two series that do not differ have an interval around zero', () => {
  const times = Array.from({ length: 401 }, (_, at) => 1_000 + noise(at))
  const other = times.map((took, at) => took + (noise(at + 3) - 50))
  const [low, high] = differenceOf(other, times).interval
  assert.ok(low <= 0 && high >= 0)
})

test('the query that checks the credential is no round trip of an action, each other is', () => {
  const sent = (sql: string) => ({ connection: 1, sql, parameters: [], isPipelined: false })
  const check = sent('select "users"."id", "sessions"."ended_at" from "users" join "sessions"')
  const action = (roundTrips: number) => ({
    statements: [check, sent('insert')],
    roundTrips,
    createdId: 1,
  })
  const actions = new Map([
    ['add to cart', action(2)],
    ['payment', action(5)],
  ])
  const cart = roundTripsLine('add to cart', actions)
  assert.deepEqual([cart.server, cart.target], ['1', { text: '≤ 2', met: true }])
  const payment = roundTripsLine('payment', actions)
  assert.deepEqual([payment.server, payment.target], ['4', { text: '≤ 3', met: false }])
})

test('a response is read once its last byte is there, and no byte more is taken for part of it', () => {
  const bytes = Buffer.from(
    'HTTP/1.1 201 Created\r\nLocation: /a/7/b/42\r\nContent-Length: 5\r\n\r\nhello',
  )
  for (let length = 0; length < bytes.length; length += 1) {
    assert.equal(readResponse(bytes.subarray(0, length)), undefined)
  }
  const response = readResponse(bytes)
  assert.equal(response?.body.toString(), 'hello')
  assert.equal(response && createdId(response), 42)
  const more = Buffer.concat([bytes, Buffer.from('x')])
  assert.throws(() => readResponse(more), /1 bytes after a response/)
  assert.throws(
    () => readResponse(Buffer.from('HTTP/1.1 200 OK\r\nA: b\r\n\r\n')),
    /without a length/,
  )
})
