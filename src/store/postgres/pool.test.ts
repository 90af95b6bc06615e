import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isUnavailable } from '#store/errors.ts'
import { type DatabaseProxy, openProxy } from '#test/support/services/database-proxy.ts'
import { skipReason } from '#test/support/services/databases.ts'
import { PostgresClient } from './client.ts'

const timeoutMs = 30_000

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

  test('keeps a bounded number of statements prepared, those that came first', async () => {
    for (let at = 0; at < 600; at += 1) await client.query(`select ${at}::int as value`, [])
    const { rows } = await client.query<{ count: number }>(
      'select count(*) as count from pg_prepared_statements',
      [],
    )
    assert.ok(Number(rows[0]?.count) <= 500, JSON.stringify(rows))
    assert.equal(await select(7), 7)
  })
})
