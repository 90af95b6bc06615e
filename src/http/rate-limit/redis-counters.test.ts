import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import {
  type OwnRedis,
  redisServerSkipReason,
  redisSkipReason,
  startRedis,
  testRedisUrl,
} from '#test/support/services/redis.ts'
import type { AlgorithmName } from './algorithms/algorithm.ts'
import { algorithms } from './algorithms/algorithms.ts'
import { memoryCounters } from './memory-counters.ts'
import { type Logger, type RedisCounters, redisCounters } from './redis-counters.ts'

const names = Object.keys(algorithms) as readonly AlgorithmName[]
const silent: Logger = { warn: () => undefined, info: () => undefined }

const recordingLogger = () => {
  const lines: string[] = []
  const logger: Logger = {
    warn: (_, text) => lines.push(`warn: ${text}`),
    info: (_, text) => lines.push(`info: ${text}`),
  }
  return { lines, logger }
}

describe('counters in Redis', { skip: redisSkipReason() }, () => {
  for (const name of names) {
    test(`decide like those in memory: ${name}`, async () => {
      const options = { url: testRedisUrl(), logger: silent, trustsCallersClock: true }
      const redis = await redisCounters(algorithms[name], options)
      // Redis expires keys by its own clock, so the state stays for the whole test.
      const startedAt = Date.UTC(2026, 5, 1)
      const step = fc.record({
        wait: fc.oneof(fc.integer({ min: -1500, max: 3000 }), fc.constantFrom(0, 0, -400_000)),
        cost: fc.oneof(fc.constant(1), fc.integer({ min: -4, max: 6 })),
        share: fc.constantFrom(1, 1, 1, 0.5),
      })
      const allowances = fc.record({
        limit: fc.constantFrom(1, 3, 7, 300, 5000, 1_000_000_000),
        windowMs: fc.constantFrom(60_000, 61_000, 3_600_000),
      })
      const property = fc.asyncProperty(
        allowances,
        fc.array(step, { minLength: 1, maxLength: 30 }),
        async ({ limit, windowMs }, steps) => {
          const memory = memoryCounters(algorithms[name])
          const key = `test ${randomUUID()}`
          let now = startedAt
          for (const { wait, cost, share } of steps) {
            now += Math.round((wait * windowMs) / 3000)
            const allowance = { limit: Math.max(1, Math.floor(limit * share)), windowMs }
            const scaled = Math.sign(cost) * Math.ceil((Math.abs(cost) * limit) / 7)
            const spent = Math.min(allowance.limit, Math.max(-1000, scaled))
            const [inRedis, { state: _, ...inMemory }] = [
              await redis.spend(key, allowance, spent, now),
              memory.spend(key, allowance, spent, now) as never as { state: unknown },
            ]
            assert.deepEqual(inRedis, inMemory)
          }
        },
      )
      try {
        await fc.assert(property, { numRuns: 60 })
        assert.equal(redis.isShared(), true)
      } finally {
        redis.close()
      }
    })
  }

  test('are shared by all processes, by the clock of Redis', async () => {
    const options = { url: testRedisUrl(), logger: silent }
    const [one, other] = await Promise.all([
      redisCounters(algorithms['sliding-window'], options),
      redisCounters(algorithms['sliding-window'], options),
    ])
    try {
      const key = `test ${randomUUID()}`
      const allowance = { limit: 10, windowMs: 60_000 }
      // The clocks of the processes are decades apart.
      const results = await Promise.all(
        Array.from({ length: 30 }, (_, at) =>
          at % 2 ? one.spend(key, allowance, 1, 0) : other.spend(key, allowance, 1, 1e12),
        ),
      )
      assert.equal(results.filter(({ allowed }) => allowed).length, 10)
    } finally {
      one.close()
      other.close()
    }
  })
})

describe('a Redis server', { skip: redisServerSkipReason() }, () => {
  let redis: OwnRedis
  before(async () => {
    redis = await startRedis()
  })
  after(() => redis.kill())

  const allowance = { limit: 10, windowMs: 60_000 }
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await sleep(5)
  }

  test('gets one command per request, and expires its counters', async () => {
    for (const name of names) {
      await redis.ask('CONFIG', 'RESETSTAT')
      const counters = await redisCounters(algorithms[name], { url: redis.url, logger: silent })
      for (let count = 0; count < 20; count += 1) await counters.spend('user 1', allowance, 1, 0)
      const stats = String(await redis.ask('INFO', 'commandstats'))
      // One more came from the first probe.
      assert.match(stats, /cmdstat_evalsha:calls=21,/)
      assert.doesNotMatch(stats, /cmdstat_eval:calls=[^1]/)
      const keys = (await redis.ask('KEYS', `*${name}:60000:user 1`)) as string[]
      assert.equal(keys.length, 1)
      const left = Number(await redis.ask('PTTL', keys[0] ?? ''))
      assert.ok(left > 0 && left <= 60_000, `${left}`)
      counters.close()
    }
  })

  test('is replaced by memory during an outage, with one warning, and used again after it', async () => {
    const { lines, logger } = recordingLogger()
    const port = Number(new URL(redis.url).port)
    const counters = await redisCounters(algorithms['token-bucket'], { url: redis.url, logger })
    const spend = () => counters.spend('user 2', allowance, 1, 0)
    for (let count = 0; count < 10; count += 1) assert.equal((await spend()).allowed, true)
    assert.equal((await spend()).allowed, false)
    const inFlight = Promise.all(Array.from({ length: 50 }, spend))
    await redis.kill()
    await inFlight
    await until(() => !counters.isShared())
    const local = await Promise.all(Array.from({ length: 30 }, spend))
    assert.ok(local.some(({ allowed }) => !allowed))
    assert.deepEqual(lines, ['warn: Redis is away: this process limits requests alone'])
    redis = await startRedis(port)
    await until(counters.isShared)
    assert.equal((await spend()).remaining, 9)
    assert.deepEqual(lines.slice(1), [
      'info: Redis is back: requests are limited by all processes together',
    ])
    counters.close()
  })

  test('that hangs blocks no request', async () => {
    const { lines, logger } = recordingLogger()
    const counters = await redisCounters(algorithms['token-bucket'], { url: redis.url, logger })
    redis.process.kill('SIGSTOP')
    const results = await Promise.all(
      Array.from({ length: 20 }, () => counters.spend('user 3', allowance, 1, 0)),
    )
    assert.equal(results.filter(({ allowed }) => allowed).length, 10)
    assert.equal(counters.isShared(), false)
    redis.process.kill('SIGCONT')
    await until(counters.isShared)
    assert.equal(lines.length, 2)
    counters.close()
  })

  test('that is missing at the start is replaced by memory', async () => {
    const { lines, logger } = recordingLogger()
    const url = 'redis://127.0.0.1:1'
    const counters: RedisCounters = await redisCounters(algorithms['fixed-window'], { url, logger })
    assert.equal((await counters.spend('user 4', allowance, 1, 0)).remaining, 9)
    assert.equal(lines.length, 1)
    counters.close()
  })
})
