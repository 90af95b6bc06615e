import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Db, Store } from '#store/database.ts'
import { isSerializationFailure, isUnavailable, TransactionLostError } from '#store/errors.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import { writeBatch } from '#store/query/write-batch.ts'
import {
  openTemporaryStore,
  skipReason,
  type TemporaryStore,
} from '#test/support/services/databases.ts'

function put(db: Db, name: string) {
  return db.insertInto('settings').values({ name, value: '0' }).execute()
}

const addSetting = prepareQuery((db: Db, param: { name: string }) =>
  db.insertInto('settings').values({ name: param.name, value: '0' }),
)

async function names(db: Db, prefix: string): Promise<string[]> {
  const rows = await db
    .selectFrom('settings')
    .select('name')
    .where('name', 'like', `${prefix}%`)
    .execute()
  return rows.map((row) => row.name)
}

async function backendOf(db: Db): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  return rows[0]?.pid ?? assert.fail('No backend')
}

describe('a transaction on PostgreSQL', { skip: skipReason('postgres') }, () => {
  let temporary: TemporaryStore
  let store: Store
  before(async () => {
    temporary = await openTemporaryStore('postgres')
    store = temporary.store
  })
  after(() => temporary.dispose())

  async function terminate(pid: number): Promise<void> {
    await sql`select pg_terminate_backend(${sql.lit(pid)})`.execute(store.db)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }

  test('whose connection is lost is rolled back and runs nothing on the next connection', async () => {
    const pid = Promise.withResolvers<number>()
    const resume = Promise.withResolvers<void>()
    const work = store.transaction(async (db) => {
      await put(db, 'lost-1')
      pid.resolve(await backendOf(db))
      await resume.promise
      const outcomes = await Promise.allSettled([put(db, 'lost-2'), put(db, 'lost-3')])
      for (const outcome of outcomes) assert.equal(outcome.status, 'rejected')
    })
    await terminate(await pid.promise)
    resume.resolve()
    await assert.rejects(work, TransactionLostError)
    assert.deepEqual(await names(store.db, 'lost'), [])
  })

  test('whose connection is lost during a statement rejects as unavailable', async () => {
    const pid = Promise.withResolvers<number>()
    const work = store.transaction(async (db) => {
      pid.resolve(await backendOf(db))
      await sql`select pg_sleep(20)`.execute(db)
    })
    const rejected = assert.rejects(work, isUnavailable)
    await terminate(await pid.promise)
    await rejected
  })

  test('gets a new connection after all were lost', async () => {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where pid <> pg_backend_pid() and datname = current_database()`.execute(store.db)
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        for (let attempt = 1; attempt <= 5; attempt += 1) {
          try {
            await store.transaction((db) => put(db, `again-${index}-${attempt}`))
            return
          } catch (error) {
            assert.ok(isUnavailable(error))
          }
        }
        assert.fail('No connection was made')
      }),
    )
    const committed = (await names(store.db, 'again')).map((name) => name.split('-')[1])
    assert.equal(committed.length, new Set(committed).size)
    assert.equal(committed.length, 20)
  })

  test('whose connection is lost before its deferred writes are sent commits none of them', async () => {
    const pid = Promise.withResolvers<number>()
    const resume = Promise.withResolvers<void>()
    const work = store.transaction(async (db) => {
      const own = await backendOf(db)
      await writeBatch(db, [addSetting.write({ name: 'deferred-lost' }, 1)])
      pid.resolve(own)
      await resume.promise
    })
    const rejected = assert.rejects(work, isUnavailable)
    await terminate(await pid.promise)
    resume.resolve()
    await rejected
    assert.deepEqual(await names(store.db, 'deferred-lost'), [])
  })

  test('that loses a deadlock rejects with a serialization failure', async () => {
    await put(store.db, 'dead-1')
    await put(store.db, 'dead-2')
    const touch = (db: Db, name: string) =>
      db.updateTable('settings').set({ value: '1' }).where('name', '=', name).execute()
    const first = Promise.withResolvers<void>()
    const second = Promise.withResolvers<void>()
    const outcomes = await Promise.allSettled([
      store.transaction(async (db) => {
        await touch(db, 'dead-1')
        first.resolve()
        await second.promise
        await touch(db, 'dead-2')
      }),
      store.transaction(async (db) => {
        await touch(db, 'dead-2')
        second.resolve()
        await first.promise
        await touch(db, 'dead-1')
      }),
    ])
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected')
    assert.equal(failed.length, 1)
    assert.ok(isSerializationFailure(failed[0]?.reason))
    assert.ok(!isUnavailable(failed[0]?.reason))
  })

  test('waits while the connections for transactions are reserved, and a read does not', async () => {
    const proceed = Promise.withResolvers<void>()
    const transactions = Array.from({ length: 20 }, (_, index) =>
      store.transaction(async (db) => {
        await put(db, `queued-${index}`)
        await proceed.promise
      }),
    )
    assert.deepEqual(await names(store.db, 'queued'), [])
    assert.ok(store.stats().waiting > 0)
    proceed.resolve()
    await Promise.all(transactions)
    assert.equal((await names(store.db, 'queued')).length, 20)
  })
})
