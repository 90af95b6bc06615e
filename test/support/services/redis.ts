import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { Redis } from 'ioredis'

/** Names a Redis that tests may write to. */
const redisVariable = 'TEST_REDIS_URL'

/** Says why Redis cannot be tested, or false where it can: what `skip` takes. */
export const redisSkipReason = (): string | false =>
  process.env[redisVariable] === undefined
    ? `Redis is not tested: ${redisVariable} is not set`
    : false

/** Where the Redis is that tests may write to. */
export const testRedisUrl = (): string => process.env[redisVariable] ?? ''

/** Says why tests cannot start a Redis of their own, or false where they can. */
export const redisServerSkipReason = (): string | false =>
  spawnSync('redis-server', ['--version']).status === 0
    ? false
    : 'An outage of Redis is not tested: there is no redis-server on the PATH'

/** A Redis of a test's own, to be killed. */
export interface OwnRedis {
  readonly url: string
  readonly process: ChildProcess
  /** Asks it something, apart from any client under test. */
  readonly ask: (command: string, ...words: string[]) => Promise<unknown>
  readonly kill: () => Promise<void>
}

const running = new Set<ChildProcess>()

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts an empty Redis that keeps nothing, on a port that is free or the one given. */
export async function startRedis(port?: number): Promise<OwnRedis> {
  const chosen = port ?? (await freePort())
  const words = ['--port', `${chosen}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const child = spawn('redis-server', words, { stdio: ['ignore', 'pipe', 'inherit'] })
  running.add(child)
  await new Promise<void>((resolve, reject) => {
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (/ready to accept connections/i.test(said)) resolve()
    })
    child.once('close', () => reject(new Error(`redis-server ended:\n${said}`)))
  })
  const url = `redis://127.0.0.1:${chosen}`
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
      const gone = once(child, 'close')
      child.kill('SIGKILL')
      await gone
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
