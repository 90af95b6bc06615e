import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { openTemporaryStore, skipReason, storeKinds } from '#test/support/services/databases.ts'
import { changeLog, createChangeLog, readBounds, readChanges } from './change-log.ts'
import type { Db, Store } from './database.ts'
import { dialectOf } from './query/dialect.ts'

const log = changeLog({ table: 'things', logTable: 'thing_changes', columns: ['size', 'color'] })

async function createThings({ transaction }: Store): Promise<void> {
  await transaction(async (db) => {
    await sql`create table things (id integer primary key, size integer, color text, note text)`.execute(
      db,
    )
    await createChangeLog(db, log)
  })
}

/**
 * Waits until every transaction of the PostgreSQL server that began before the last change has ended, whatever database
 * it is of: a change is read again as long as one is in progress.
 */
async function awaitOlderTransactions(db: Db): Promise<void> {
  if (dialectOf(db) === 'sqlite') return
  const isWaiting = sql<{ waits: boolean }>`select
    coalesce(max(change), 0) >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint as waits from thing_changes`
  while ((await isWaiting.execute(db)).rows[0]?.waits) await setTimeout(5)
}

/** Reads the log as its readers do: each time from where the last time ended. */
function reader(db: Db) {
  let from = 0
  return async (): Promise<readonly number[]> => {
    const { next, before } = await readBounds(db, log)
    const ids: number[] = []
    for await (const some of readChanges(db, log, { from, before, atOnce: 2 })) ids.push(...some)
    from = next
    return ids.toSorted((one, other) => one - other)
  }
}

const run = (db: Db, text: string) => sql.raw(text).execute(db)

for (const kind of storeKinds) {
  describe(`a log of changes on ${kind}`, { skip: skipReason(kind) }, () => {
    test('has the rows of which a column has changed', async (t) => {
      const { store, dispose } = await openTemporaryStore(kind)
      t.after(dispose)
      await createThings(store)
      const { db } = store
      const read = reader(db)
      const changed = async () => {
        await awaitOlderTransactions(db)
        return read()
      }
      await run(db, `insert into things values (1, 1, 'red', ''), (2, 2, null, ''), (3, 3, '', '')`)
      assert.deepEqual(await changed(), [1, 2, 3])
      assert.deepEqual(await changed(), [])
      await run(db, `update things set color = 'blue' where id = 2`)
      await run(db, `update things set note = 'other', size = 3 where id = 3`)
      assert.deepEqual(await changed(), [2])
      await run(db, 'delete from things where id = 1')
      assert.deepEqual(await changed(), [1])
      await run(db, `insert into things values (1, 1, 'red', '')`)
      await run(db, 'update things set size = size + 1')
      assert.deepEqual(await changed(), [1, 2, 3])
      const undone = store.transaction(async (transactionDb) => {
        await run(transactionDb, 'update things set size = size + 1')
        throw new Error('rolled back')
      })
      await assert.rejects(undone)
      assert.deepEqual(await changed(), [])
    })
  })
}

describe('a log of changes on PostgreSQL', { skip: skipReason('postgres') }, () => {
  test('tells of a transaction that began before others were read, and of none of another server', async (t) => {
    const { store, dispose } = await openTemporaryStore('postgres')
    t.after(dispose)
    await createThings(store)
    await run(store.db, `insert into things values (1, 1, '', ''), (2, 2, '', '')`)
    const changed = reader(store.db)
    await awaitOlderTransactions(store.db)
    await changed()
    const begun = Promise.withResolvers<void>()
    const read = Promise.withResolvers<void>()
    const late = store.transaction(async (transactionDb) => {
      await run(transactionDb, 'update things set size = 5 where id = 1')
      begun.resolve()
      await read.promise
    })
    await begun.promise
    await run(store.db, 'update things set size = 5 where id = 2')
    assert.deepEqual(await changed(), [2])
    read.resolve()
    await late
    assert.deepEqual(await changed(), [1, 2])
    await awaitOlderTransactions(store.db)
    await changed()
    await run(store.db, `update thing_changes set change = 1000000000000 where id = 1`)
    assert.deepEqual(await changed(), [])
  })
})
