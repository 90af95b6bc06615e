import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Db, Store } from '#db/database.ts'
import {
  isSerializationFailure,
  isUnavailable,
  StoreMisuseError,
  TransactionLostError,
} from '#db/errors.ts'
import { prepared } from '#db/query/prepared.ts'
import { writeTogether } from '#db/query/write-together.ts'
import {
  skipReason,
  type TemporaryStore,
  temporaryStore,
} from '#test/support/services/databases.ts'

function put(db: Db, name: string) {
  return db.insertInto('settings').values({ name, value: '0' }).execute()
}

const addHeld = prepared((db: Db, param: { name: string }) =>
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
    temporary = await temporaryStore('postgres')
    store = temporary.store
  })
  after(() => temporary.dispose())

  async function terminate(pid: number): Promise<void> {
    await sql`select pg_terminate_backend(${sql.lit(pid)})`.execute(store.db)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }

  test('whose connection is lost keeps nothing and runs nothing on the next connection', async () => {
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

  test('whose connection is lost beneath a statement rejects as unavailable', async () => {
    const pid = Promise.withResolvers<number>()
    const work = store.transaction(async (db) => {
      pid.resolve(await backendOf(db))
      await sql`select pg_sleep(20)`.execute(db)
    })
    const rejected = assert.rejects(work, isUnavailable)
    await terminate(await pid.promise)
    await rejected
  })

  test('gets a new connection after others were lost', async () => {
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
    const kept = (await names(store.db, 'again')).map((name) => name.split('-')[1])
    assert.equal(kept.length, new Set(kept).size)
    assert.equal(kept.length, 20)
  })

  test('takes no statement after the one that it said was its last', async () => {
    const addLast = prepared((db: Db, param: { name: string }) =>
      db.insertInto('settings').values({ name: param.name, value: '0' }).returning('name'),
    )
    const executeFinal = (db: Db, hasChanged: boolean) =>
      addLast.executeFinal(db, { name: `last-${hasChanged}` }, () => hasChanged)
    await store.transaction((db) => executeFinal(db, true))
    assert.deepEqual(await names(store.db, 'last'), ['last-true'])
    const goingOn = store.transaction(async (db) => {
      await addLast.executeFinal(db, { name: 'last-again' }, () => true)
      await put(db, 'last-after')
    })
    await assert.rejects(goingOn, StoreMisuseError)
    // Inside a transaction that has begun it is a statement like others.
    const undone = store.transaction(async (db) => {
      await put(db, 'last-begun')
      await executeFinal(db, false)
      throw new Error('undone')
    })
    await assert.rejects(undone, /undone/)
    assert.deepEqual(await names(store.db, 'last-b'), [])
    assert.deepEqual(await names(store.db, 'last-f'), [])
  })

  test('whose connection is lost before its held writes are sent keeps none of them', async () => {
    const pid = Promise.withResolvers<number>()
    const resume = Promise.withResolvers<void>()
    const work = store.transaction(async (db) => {
      const own = await backendOf(db)
      await writeTogether(db, [addHeld.write({ name: 'held-lost' }, 1)])
      pid.resolve(own)
      await resume.promise
    })
    const rejected = assert.rejects(work, isUnavailable)
    await terminate(await pid.promise)
    resume.resolve()
    await rejected
    assert.deepEqual(await names(store.db, 'held-lost'), [])
  })

  test('that loses a deadlock is told as one that may be run again', async () => {
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

  test('waits its turn where all connections for transactions are taken, reads do not', async () => {
    const open = Promise.withResolvers<void>()
    const held = Array.from({ length: 20 }, (_, index) =>
      store.transaction(async (db) => {
        await put(db, `held-${index}`)
        await open.promise
      }),
    )
    assert.deepEqual(await names(store.db, 'held'), [])
    assert.ok(store.stats().waiting > 0)
    open.resolve()
    await Promise.all(held)
    assert.equal((await names(store.db, 'held')).length, 20)
  })
})
