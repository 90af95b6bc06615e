// The programs of the bench, from which this imports functions, have an await outside functions.
import '#test/support/run/own-process.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureInTurn } from './compare.ts'
import { combine } from './figures.ts'
import { createdId, readResponse } from './load.ts'
import { repeatAtRate } from './pace.ts'
import { roundTripsLine } from './postgres.ts'
import { atMost, requestLines, roundsLines } from './report.ts'
import { differenceOf, growthInSecondHalf, quantile } from './statistics.ts'

const figures = (microsPerRequest: number, databaseMicrosPerRequest = 0) => ({
  microsPerRequest,
  databaseMicrosPerRequest,
  requestsPerSecond: 1e6 / microsPerRequest,
  iterationsPerSecond: 1,
})

test('sides are measured in alternation, each first in every other turn', async () => {
  const order: string[] = []
  const side = (name: string) => async (seconds: number) => {
    order.push(name)
    return `${name} for ${seconds} s`
  }
  const found = await measureInTurn([side('a'), side('b')], 3, 2)
  assert.equal(order.join(''), 'abbaab')
  assert.deepEqual(
    found,
    ['a', 'b'].map((name) => Array(3).fill(`${name} for 2 s`)),
  )
})

test('of slices, a time is its lower quartile, and a rate its median', () => {
  const slices = [50, 20, 10, 40, 30].map((micros) => figures(micros))
  const combined = combine(slices, 0.25)
  assert.equal(combined.microsPerRequest, 20)
  assert.equal(combined.requestsPerSecond, 1e6 / 30)
})

test('the ratio of a request is that of the processor times, whatever the throughput', () => {
  const server = { ...figures(150), requestsPerSecond: 1500 }
  const latencies = {
    rate: 500,
    percentiles: [
      { p50Ms: 1, p99Ms: 9 },
      { p50Ms: 0.5, p99Ms: 2 },
    ],
  }
  const measured = { server, baseline: figures(100), latencies }
  assert.deepEqual(requestLines('order', measured, atMost(1.5, 'its baseline')), [
    {
      name: 'order',
      server: '150 µs',
      baseline: '100 µs',
      ratio: '1.50',
      target: { text: '≤ 1.5 of its baseline', met: true },
      perSecond: '1,500 and 10,000',
      latency: '1.00 / 9.00 and 0.50 / 2.00 at 500/s',
      measured,
    },
  ])
  const [slow] = requestLines('order', { ...measured, server: figures(151) }, atMost(1.5, 'one'))
  assert.equal(slow?.target?.met, false)
})

test('the ratios of two revisions are those of the same rounds, and PostgreSQL has its own', () => {
  const rounds = [
    [figures(10, 30), figures(10, 10)],
    [figures(90, 30), figures(100, 10)],
    [figures(12, 30), figures(10, 10)],
  ]
  const [line, inPostgres] = roundsLines('order', rounds)
  assert.deepEqual(
    [line?.server, line?.baseline, line?.ratio],
    ['12.0 µs', '10.0 µs', '1.00 (0.90–1.20)'],
  )
  assert.deepEqual(
    [inPostgres?.name, inPostgres?.ratio],
    ['order, PostgreSQL itself', '3.00 (3.00–3.00)'],
  )
})

test('at a fixed rate, a stall counts for each request that was planned during it', async () => {
  let nowMs = 0
  const clock = {
    now: () => nowMs,
    reach: async (atMs: number) => {
      nowMs = Math.max(nowMs, atMs)
    },
  }
  const takesMs = [35, 1, 1, 1, 1]
  const iterate = async () => {
    nowMs += takesMs.shift() ?? 0
  }
  const tookMs = await repeatAtRate(iterate, 1, { rate: 100, seconds: 0.05 }, clock)
  assert.deepEqual(tookMs, [35, 26, 17, 8, 1])
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
  const sent = (sql: string) => ({
    ...{ connection: 1, sql, parameters: [], isPipelined: false, beginsTrip: true },
  })
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
