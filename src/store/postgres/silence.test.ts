import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isUnavailable } from '#store/errors.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { type DatabaseProxy, openProxy } from '#test/support/services/database-proxy.ts'
import { skipReason } from '#test/support/services/databases.ts'
import { PostgresPool } from './pool.ts'

const statementTimeoutMs = 30_000

describe('a silent PostgreSQL', { skip: skipReason('postgres') }, () => {
  let proxy: DatabaseProxy
  let pool: PostgresPool
  before(async () => {
    proxy = await openProxy()
    pool = new PostgresPool(proxy.url, { statementTimeoutMs, connections: 2 })
  })
  after(async () => {
    proxy.silence(false)
    await pool.close()
    await proxy.close()
  })

  const select = () => pool.query<{ value: number }>('select 7 as value', [])
  const answers = async (): Promise<boolean> => {
    try {
      return (await select()).rows[0]?.value === 7
    } catch (error) {
      assert.ok(isUnavailable(error), String(error))
      return false
    }
  }

  test('ends what waits for it, refuses what comes, and is used again once it answers', async () => {
    assert.ok(await answers())
    const { client, release } = await pool.reserve()
    const waiting = pool.reserve()
    proxy.silence(true)
    const inProgress = [select(), client.command('begin'), waiting]
    for (const outcome of await Promise.allSettled(inProgress)) {
      assert.ok(outcome.status === 'rejected' && isUnavailable(outcome.reason))
    }
    release()
    await assert.rejects(select(), { name: 'StoreSilentError' })
    await assert.rejects(pool.reserve(), { name: 'StoreSilentError' })
    proxy.silence(false)
    await pollUntil(answers, (isAnswered) => isAnswered)
    const again = await pool.reserve()
    assert.equal(await again.client.command('begin'), 'BEGIN')
    assert.equal(await again.client.command('commit'), 'COMMIT')
    again.release()
  })

  test('on one connection ends what waits there, and others go on', async () => {
    const { client, release } = await pool.reserve()
    await client.command('select 1')
    proxy.drop()
    const [outcome] = await Promise.allSettled([client.command('select 1')])
    assert.ok(outcome.status === 'rejected' && isUnavailable(outcome.reason))
    assert.ok(await pollUntil(answers, (isAnswered) => isAnswered))
    assert.equal(await client.command('select 1'), 'SELECT')
    release()
  })

  test('is not taken for one that works on a slow statement', async () => {
    const slow = await pool.query<{ value: string }>('select pg_sleep(4)::text as value', [])
    assert.equal(slow.rows.length, 1)
  })

  test('does not end a transaction whose statement ends while it is looked at', async () => {
    const transactions = 30
    const many = new PostgresPool(proxy.url, { statementTimeoutMs, connections: 2 * transactions })
    const transact = async (_: unknown, at: number) => {
      const { client, release } = await many.reserve()
      const { generation } = client
      await client.command('begin')
      await client.command(`select pg_sleep(${1.6 + at * 0.02})`)
      for (let more = 0; more < 10; more += 1) await client.command('select 1')
      await client.command('commit')
      assert.equal(client.generation, generation)
      release()
    }
    await Promise.all(Array.from({ length: transactions }, transact))
    await many.close()
  })

  test('ends a connection beside the others, too', async () => {
    const client = pool.openSeparate()
    await client.command('select 1')
    proxy.drop()
    await assert.rejects(client.command('select 1'), isUnavailable)
    await client.close()
  })
})
