import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { Redis } from 'ioredis'
import { freePort } from './ports.ts'

// The URL of a Redis that tests may write to.
const redisVariable = 'TEST_REDIS_URL'

/** The reason why Redis cannot be tested, or false: a value for `skip`. */
export const redisSkipReason = (): string | false =>
  process.env[redisVariable] === undefined
    ? `Redis is not tested: ${redisVariable} is not set`
    : false

/** The URL of the Redis that tests may write to. */
export const testRedisUrl = (): string => process.env[redisVariable] ?? ''

/** The reason why tests cannot start a Redis server, or false: a value for `skip`. */
export const redisServerSkipReason = (): string | false =>
  spawnSync('redis-server', ['--version']).status === 0
    ? false
    : 'An outage of Redis is not tested: there is no redis-server on the PATH'

/** A Redis server of one test, which may kill it. */
export interface OwnRedis {
  readonly url: string
  readonly process: ChildProcess
  /** Runs a command on a connection of its own. */
  readonly ask: (command: string, ...words: string[]) => Promise<unknown>
  readonly kill: () => Promise<void>
}

const running = new Set<ChildProcess>()

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts an empty Redis without persistence, on this port or a free one. */
export async function startRedis(port?: number): Promise<OwnRedis> {
  const redisPort = port ?? (await freePort())
  const serverArguments = [
    '--port',
    `${redisPort}`,
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
  ]
  const child = spawn('redis-server', serverArguments, { stdio: ['ignore', 'pipe', 'inherit'] })
  running.add(child)
  await new Promise<void>((resolve, reject) => {
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (/ready to accept connections/i.test(output)) resolve()
    })
    child.once('close', () => reject(new Error(`redis-server ended:\n${output}`)))
  })
  const url = `redis://127.0.0.1:${redisPort}`
  return {
    url,
    process: child,
    ask: async (command, ...words) => {
      const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null })
      await redis.connect()
      return redis.call(command, ...words).finally(() => redis.disconnect())
    },
    kill: async () => {
      running.delete(child)
      if (child.exitCode !== null || child.signalCode !== null) return
      const closed = once(child, 'close')
      child.kill('SIGKILL')
      await closed
    },
  }
}
