import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Allowance } from '#values/allowance.ts'
import type { Instant } from '#values/instant.ts'
import { type Algorithm, scriptOf } from './algorithms/algorithm.ts'
import type { Counters, LimitResult } from './counters.ts'
import { memoryCounters } from './memory-counters.ts'

/** Where an outage, and its end, are told. */
export interface Logger {
  readonly warn: (fields: object, text: string) => void
  readonly info: (fields: object, text: string) => void
}

/** Counters that every process at one Redis shares. */
export interface RedisCounters extends Counters {
  /** True while Redis counts, false while this process counts alone. */
  readonly isShared: () => boolean
  readonly close: () => void
}

interface Options {
  readonly url: string
  readonly logger: Logger
  /** Counts by the callers' clock instead of that of Redis. */
  readonly trustsCallersClock?: boolean
}

const prefix = 'cartwright:limit'
// A request waits no longer for Redis than this, and only the first ones of an outage do.
const patienceMs = 250
const connectWithinMs = 1000
const pauseMs = 500

/**
 * Counts in Redis, one round trip a request. While Redis is away, this process counts alone, from
 * nothing, after one warning; Redis is tried again in the background. Resolves once Redis has
 * answered or failed to, and never rejects.
 */
export async function redisCounters(
  algorithm: Algorithm<unknown>,
  { url, logger, trustsCallersClock = false }: Options,
): Promise<RedisCounters> {
  const alone = memoryCounters(algorithm)
  const redis = connect(url)
  const ask = scriptRunner(redis, algorithm)
  let isShared = true
  let isClosed = false
  const leave = (error: unknown): void => {
    if (!isShared || isClosed) return
    isShared = false
    // Not the whole error: it may hold the command that sends the password.
    const reason = error instanceof Error ? error.message : String(error)
    logger.warn({ reason }, 'Redis is away: this process limits requests alone')
    void keepTrying()
  }
  const keepTrying = async (): Promise<void> => {
    while (!isShared) {
      await sleep(pauseMs, undefined, { ref: false })
      if (isClosed) return
      isShared = await probe(redis, ask).then(
        () => true,
        () => false,
      )
    }
    logger.info({}, 'Redis is back: requests are limited by all processes together')
  }
  await probe(redis, ask).catch(leave)
  // Before a request finds out: none is to wait for it.
  redis.on('close', () => leave(new Error('the connection to Redis was lost')))
  return {
    isShared: () => isShared,
    spend: (key, allowance, cost, now) => {
      if (!isShared) return alone.spend(key, allowance, cost, now)
      return ask(key, allowance, cost, trustsCallersClock ? now : undefined).catch((error) => {
        leave(error)
        return alone.spend(key, allowance, cost, now)
      })
    },
    close: () => {
      isClosed = true
      redis.disconnect()
    },
  }
}

function connect(url: string): Redis {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: connectWithinMs,
    commandTimeout: patienceMs,
    // What cannot be asked now is answered without Redis, not later.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    // `keepTrying` connects again.
    retryStrategy: () => null,
  })
  // Whoever asks learns of it.
  redis.on('error', () => undefined)
  return redis
}

type Ask = (
  key: string,
  allowance: Allowance,
  cost: number,
  now: Instant | undefined,
) => Promise<LimitResult>

function scriptRunner(redis: Redis, algorithm: Algorithm<unknown>): Ask {
  const script = scriptOf(algorithm)
  const name = hash('sha1', script)
  return async (key, { limit, windowMs }, cost, now) => {
    // What one algorithm keeps, or for one window, means nothing to another.
    const place = `${prefix}:${algorithm.name}:${windowMs}:${key}`
    const said = [place, limit, windowMs, cost, now ?? ''] as const
    const answer = await redis.evalsha(name, 1, ...said).catch((error: Error) => {
      // Redis forgets its scripts when it is started anew.
      if (!error.message.startsWith('NOSCRIPT')) throw error
      return redis.eval(script, 1, ...said)
    })
    const [allowed, remaining, resetMs, retryAfterMs] = answer as [number, number, number, number]
    return { allowed: allowed === 1, remaining, resetMs, retryAfterMs }
  }
}

/** Connects where that is needed and counts something; rejects where Redis cannot do that in time. */
async function probe(redis: Redis, ask: Ask): Promise<void> {
  // A server that is there but says nothing would be waited for without end.
  const timer = setTimeout(() => redis.disconnect(), connectWithinMs)
  try {
    if (redis.status !== 'ready') await redis.connect()
    await ask('probe', { limit: 1_000_000, windowMs: 1000 }, 1, undefined)
  } catch (error) {
    redis.disconnect()
    throw error
  } finally {
    clearTimeout(timer)
  }
}
