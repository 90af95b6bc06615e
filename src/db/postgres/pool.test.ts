import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { isUnavailable } from '#db/errors.ts'
import { skipReason } from '#test/support/services/databases.ts'
import { PostgresClient } from './pool.ts'

const timeoutMs = 30_000

/** A way to the database that can be cut. */
interface DirectConnection {
  readonly url: string
  /** Resets every connection, as a peer that is gone does. */
  readonly cut: () => void
  /** Ends each further connection as soon as it is made. */
  readonly shut: (isShut: boolean) => void
  /** How many connections were tried. */
  readonly tries: () => number
  readonly close: () => Promise<void>
}

async function openDirectConnection(): Promise<DirectConnection> {
  const target = new URL(process.env['TEST_DATABASE_URL'] ?? '')
  const sockets = new Set<Socket>()
  let isShut = false
  let tries = 0
  const server: Server = createServer((near) => {
    tries += 1
    near.on('error', () => undefined)
    if (isShut) {
      near.resume().end()
      return
    }
    const far = connect(Number(target.port || 5432), target.hostname)
    far.on('error', () => near.destroy())
    near.pipe(far).pipe(near)
    sockets.add(near)
    near.on('close', () => {
      sockets.delete(near)
      far.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    cut: () => {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    shut: (value) => {
      isShut = value
    },
    tries: () => tries,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

describe('a connection to PostgreSQL', { skip: skipReason('postgres') }, () => {
  let way: DirectConnection
  let client: PostgresClient
  before(async () => {
    way = await openDirectConnection()
    client = new PostgresClient(way.url, timeoutMs)
  })
  after(async () => {
    await client.close()
    await way.close()
  })

  const ask = async (value: number): Promise<number | undefined> => {
    const { rows } = await client.query<{ value: number }>('select $1::int as value', [value])
    return rows[0]?.value
  }

  test('answers nobody with the answer of another, whenever it is reset', async () => {
    for (let round = 0; round < 30; round += 1) {
      assert.equal(await ask(round), round)
      const sleeping = client.query('select pg_sleep(20)', [])
      // What is sent at once, and a little later, comes in between the error and the end.
      const late = sleeping.catch(async (error: unknown) => {
        assert.ok(isUnavailable(error), String(error))
        const asked = [ask(-1), Promise.resolve().then(() => ask(-2)), ask(-3)]
        for (const [index, outcome] of (await Promise.allSettled(asked)).entries()) {
          if (outcome.status === 'fulfilled') assert.equal(outcome.value, -1 - index)
          else assert.ok(isUnavailable(outcome.reason), String(outcome.reason))
        }
      })
      await new Promise((resolve) => setTimeout(resolve, round % 5))
      way.cut()
      await late
      assert.equal(client.pending, 0)
    }
  })

  test('is tried once for each query where it is ended at once', async () => {
    way.shut(true)
    way.cut()
    await assert.rejects(ask(1), isUnavailable)
    const before = way.tries()
    for (let index = 0; index < 5; index += 1) await assert.rejects(ask(index), isUnavailable)
    assert.equal(way.tries() - before, 5)
    way.shut(false)
    assert.equal(await ask(7), 7)
  })
})
