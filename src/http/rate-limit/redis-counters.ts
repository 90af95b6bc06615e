import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Allowance } from '#values/allowance.ts'
import type { Instant } from '#values/instant.ts'
import { type Algorithm, scriptOf } from './algorithms/algorithm.ts'
import type { Counters, LimitResult } from './counters.ts'
import { memoryCounters } from './memory-counters.ts'

/** Logs the start and the end of an outage. */
export interface Logger {
  readonly warn: (fields: object, text: string) => void
  readonly info: (fields: object, text: string) => void
}

/** Counters shared by all processes that use the same Redis. */
export interface RedisCounters extends Counters {
  /** True while Redis counts, false while this process counts by itself. */
  readonly isShared: () => boolean
  readonly close: () => void
}

interface Options {
  readonly url: string
  readonly logger: Logger
  /** True to count by the clock of the caller instead of that of Redis. */
  readonly trustsCallersClock?: boolean
}

const keyPrefix = 'cartwright:limit'
// The longest wait of a request for Redis; during an outage, no request waits.
const commandTimeoutMs = 250
const connectTimeoutMs = 1000
const reconnectIntervalMs = 500

/**
 * Counts in Redis, with one round trip per request. During an outage, which is logged once, this
 * process counts from zero by itself and reconnects in the background. Resolves after the first
 * attempt to connect, and never rejects.
 */
export async function redisCounters(
  algorithm: Algorithm<unknown>,
  { url, logger, trustsCallersClock = false }: Options,
): Promise<RedisCounters> {
  const local = memoryCounters(algorithm)
  const redis = connect(url)
  const runScript = scriptRunner(redis, algorithm)
  let isShared = true
  let isClosed = false
  const fallBack = (error: unknown): void => {
    if (!isShared || isClosed) return
    isShared = false
    // The error itself may hold the AUTH command with the password.
    const reason = error instanceof Error ? error.message : String(error)
    logger.warn({ reason }, 'Redis is away: this process limits requests alone')
    void reconnect()
  }
  const reconnect = async (): Promise<void> => {
    while (!isShared) {
      await sleep(reconnectIntervalMs, undefined, { ref: false })
      if (isClosed) return
      isShared = await probe(redis, runScript).then(
        () => true,
        () => false,
      )
    }
    logger.info({}, 'Redis is back: requests are limited by all processes together')
  }
  await probe(redis, runScript).catch(fallBack)
  // So that no request waits for a lost connection.
  redis.on('close', () => fallBack(new Error('the connection to Redis was lost')))
  return {
    isShared: () => isShared,
    spend: (key, allowance, cost, now) => {
      if (!isShared) return local.spend(key, allowance, cost, now)
      return runScript(key, allowance, cost, trustsCallersClock ? now : undefined).catch(
        (error) => {
          fallBack(error)
          return local.spend(key, allowance, cost, now)
        },
      )
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
    connectTimeout: connectTimeoutMs,
    commandTimeout: commandTimeoutMs,
    // A command that cannot be sent now fails, and is not queued.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    // `reconnect` in `redisCounters` connects again.
    retryStrategy: () => null,
  })
  // Each command rejects with the error.
  redis.on('error', () => undefined)
  return redis
}

type RunScript = (
  key: string,
  allowance: Allowance,
  cost: number,
  now: Instant | undefined,
) => Promise<LimitResult>

function scriptRunner(redis: Redis, algorithm: Algorithm<unknown>): RunScript {
  const script = scriptOf(algorithm)
  const digest = hash('sha1', script)
  return async (key, { limit, windowMs }, cost, now) => {
    // States of different algorithms or windows are incompatible.
    const counter = `${keyPrefix}:${algorithm.name}:${windowMs}:${key}`
    const parameters = [counter, limit, windowMs, cost, now ?? ''] as const
    const result = await redis.evalsha(digest, 1, ...parameters).catch((error: Error) => {
      // A restarted Redis has no cached scripts.
      if (!error.message.startsWith('NOSCRIPT')) throw error
      return redis.eval(script, 1, ...parameters)
    })
    const [allowed, remaining, resetMs, retryAfterMs] = result as [number, number, number, number]
    return { allowed: allowed === 1, remaining, resetMs, retryAfterMs }
  }
}

/** Connects if necessary and runs the script once; rejects if Redis does not respond in time. */
async function probe(redis: Redis, runScript: RunScript): Promise<void> {
  // A server that accepts the connection and does not respond would block without end.
  const timer = setTimeout(() => redis.disconnect(), connectTimeoutMs)
  try {
    if (redis.status !== 'ready') await redis.connect()
    await runScript('probe', { limit: 1_000_000, windowMs: 1000 }, 1, undefined)
  } catch (error) {
    redis.disconnect()
    throw error
  } finally {
    clearTimeout(timer)
  }
}
