import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { isUnavailable } from '#store/errors.ts'
import { skipReason } from '#test/support/services/databases.ts'
import { PostgresClient } from './client.ts'

const timeoutMs = 30_000

/** A TCP proxy to the database whose connections can be reset and rejected. */
interface DatabaseProxy {
  readonly url: string
  /** Resets every connection. */
  readonly reset: () => void
  /** While true, ends each new connection at once. */
  readonly reject: (isRefusing: boolean) => void
  readonly connectionCount: () => number
  readonly close: () => Promise<void>
}

async function openProxy(): Promise<DatabaseProxy> {
  const target = new URL(process.env['TEST_DATABASE_URL'] ?? '')
  const sockets = new Set<Socket>()
  let isRefusing = false
  let connectionCount = 0
  const server: Server = createServer((client) => {
    connectionCount += 1
    client.on('error', () => undefined)
    if (isRefusing) {
      client.resume().end()
      return
    }
    const upstream = connect(Number(target.port || 5432), target.hostname)
    upstream.on('error', () => client.destroy())
    client.pipe(upstream).pipe(client)
    sockets.add(client)
    client.on('close', () => {
      sockets.delete(client)
      upstream.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    reset: () => {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    reject: (value) => {
      isRefusing = value
    },
    connectionCount: () => connectionCount,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

describe('a connection to PostgreSQL', { skip: skipReason('postgres') }, () => {
  let proxy: DatabaseProxy
  let client: PostgresClient
  before(async () => {
    proxy = await openProxy()
    client = new PostgresClient(proxy.url, timeoutMs)
  })
  after(async () => {
    await client.close()
    await proxy.close()
  })

  const select = async (value: number): Promise<number | undefined> => {
    const { rows } = await client.query<{ value: number }>('select $1::int as value', [value])
    return rows[0]?.value
  }

  test('returns the result of each query to its caller, whenever it is reset', async () => {
    for (let round = 0; round < 30; round += 1) {
      assert.equal(await select(round), round)
      const sleeping = client.query('select pg_sleep(20)', [])
      // These queries are sent between the error of the socket and its end.
      const late = sleeping.catch(async (error: unknown) => {
        assert.ok(isUnavailable(error), String(error))
        const queries = [select(-1), Promise.resolve().then(() => select(-2)), select(-3)]
        for (const [index, outcome] of (await Promise.allSettled(queries)).entries()) {
          if (outcome.status === 'fulfilled') assert.equal(outcome.value, -1 - index)
          else assert.ok(isUnavailable(outcome.reason), String(outcome.reason))
        }
      })
      await new Promise((resolve) => setTimeout(resolve, round % 5))
      proxy.reset()
      await late
      assert.equal(client.pending, 0)
    }
  })

  test('is attempted once for each query while the server rejects it', async () => {
    proxy.reject(true)
    proxy.reset()
    await assert.rejects(select(1), isUnavailable)
    const before = proxy.connectionCount()
    for (let index = 0; index < 5; index += 1) await assert.rejects(select(index), isUnavailable)
    assert.equal(proxy.connectionCount() - before, 5)
    proxy.reject(false)
    assert.equal(await select(7), 7)
  })
})
