import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { isTooManyConnections } from '#store/errors.ts'
import { skipReason } from '#test/support/services/databases.ts'
import { PostgresPool } from './pool.ts'

const role = 'cartwright_three_connections'
const statementTimeoutMs = 30_000

describe('a PostgreSQL that accepts three connections', { skip: skipReason('postgres') }, () => {
  const url = new URL(process.env['TEST_DATABASE_URL'] ?? '')
  const admin = postgres(url.href, { max: 1, onnotice: () => undefined })
  let pool: PostgresPool
  let other: PostgresPool
  before(async () => {
    await admin.unsafe(`drop role if exists ${role}`)
    await admin.unsafe(`create role ${role} login password 'three' connection limit 3`)
    url.username = role
    url.password = 'three'
    const options = { statementTimeoutMs, connections: 10 }
    pool = new PostgresPool(url.href, options)
    other = new PostgresPool(url.href, options)
  })
  after(async () => {
    await Promise.all([pool.close(), other.close()])
    await admin.unsafe(`drop role ${role}`)
    await admin.end()
  })

  const transact = async () => {
    const { client, release } = await pool.reserve()
    try {
      await client.command('begin')
      await sleep(20)
      return await client.command('commit')
    } finally {
      release()
    }
  }

  test('does all work on those there are, and tells those that have none', async () => {
    const work = Array.from({ length: 30 }, (_, at) =>
      at % 2 === 0 ? transact() : pool.query('select pg_sleep(0.02)', []).then(() => 'COMMIT'),
    )
    assert.deepEqual(new Set(await Promise.all(work)), new Set(['COMMIT']))
    await assert.rejects(other.query('select 1', []), isTooManyConnections)
    await assert.rejects(other.reserve(), isTooManyConnections)
  })

  test('uses further connections once there are any', async () => {
    await admin.unsafe(`alter role ${role} connection limit 5`)
    await sleep(1100)
    await Promise.all(Array.from({ length: 10 }, transact))
    const [row] = await admin`select count(*)::int from pg_stat_activity where usename = ${role}`
    assert.equal(row?.['count'], 5)
  })
})
