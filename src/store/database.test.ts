import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { tableDeclarations } from '#src/server/tables.ts'
import {
  openTemporaryStore,
  skipReason,
  storeKinds,
  type TemporaryStore,
} from '#test/support/services/databases.ts'
import { afterCommit, invalidate } from './changes.ts'
import { type Db, openScratch, openStore, type Store } from './database.ts'
import { isUnavailable, StoreClosedError, StoreMisuseError } from './errors.ts'

function put(db: Db, name: string, value = 'x') {
  return db.insertInto('settings').values({ name, value }).execute()
}

async function names(db: Db, prefix: string): Promise<string[]> {
  const rows = await db
    .selectFrom('settings')
    .select('name')
    .where('name', 'like', `${prefix}%`)
    .orderBy('name')
    .execute()
  return rows.map((row) => row.name)
}

function nextTurns(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5))
}

for (const kind of storeKinds) {
  describe(`a store on ${kind}`, { skip: skipReason(kind) }, () => {
    let temporary: TemporaryStore
    let store: Store
    before(async () => {
      temporary = await openTemporaryStore(kind)
      store = temporary.store
    })
    after(() => temporary.dispose())

    test('commits a transaction that resolves and returns its result', async () => {
      const result = await store.transaction(async (db) => {
        await put(db, 'committed-1')
        await nextTurns()
        await put(db, 'committed-2')
        return await names(db, 'committed')
      })
      assert.deepEqual(result, ['committed-1', 'committed-2'])
      assert.deepEqual(await names(store.db, 'committed'), ['committed-1', 'committed-2'])
    })

    test('rolls back a transaction that rejects, and rejects with its error', async () => {
      const reason = new Error('no')
      const work = store.transaction(async (db) => {
        await put(db, 'undone-1')
        await nextTurns()
        throw reason
      })
      await assert.rejects(work, reason)
      assert.deepEqual(await names(store.db, 'undone'), [])
    })

    test('commits the concurrent transactions of one that rejects', async () => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) =>
          store.transaction(async (db) => {
            await put(db, `around-${String(index).padStart(2, '0')}`)
            if (index % 3 === 0) throw new Error('no')
          }),
        ),
      )
      const committed = outcomes.filter(({ status }) => status === 'fulfilled').length
      assert.equal(committed, 13)
      assert.equal((await names(store.db, 'around')).length, 13)
    })

    test('hides a transaction that is not committed', async () => {
      const inside = Promise.withResolvers<void>()
      const proceed = Promise.withResolvers<void>()
      const work = store.transaction(async (db) => {
        await put(db, 'hidden')
        inside.resolve()
        await proceed.promise
        throw new Error('no')
      })
      await inside.promise
      const visible = names(store.db, 'hidden')
      await nextTurns()
      proceed.resolve()
      await assert.rejects(work)
      assert.deepEqual(await visible, [])
    })

    test('loses no update of concurrent transactions that increment the same row', async () => {
      await put(store.db, 'counter', '0')
      const add = (db: Db) =>
        db
          .updateTable('settings')
          .set({ value: sql<string>`cast(cast(value as integer) + 1 as text)` })
          .where('name', '=', 'counter')
          .execute()
      await Promise.all(Array.from({ length: 40 }, () => store.transaction(add)))
      const row = await store.db
        .selectFrom('settings')
        .select('value')
        .where('name', '=', 'counter')
        .executeTakeFirst()
      assert.equal(row?.value, '40')
    })

    test('rejects another transaction and a statement of its own inside a transaction', async () => {
      await store.transaction(async (db) => {
        await assert.rejects(
          store.transaction(async () => undefined),
          StoreMisuseError,
        )
        await assert.rejects(put(store.db, 'outside'), StoreMisuseError)
        await put(db, 'inside')
      })
      assert.deepEqual(await names(store.db, 'inside'), ['inside'])
    })

    test('never commits a transaction with a failed statement, even if the error is caught', async () => {
      await put(store.db, 'taken')
      const work = store.transaction(async (db) => {
        await put(db, 'poisoned-1')
        await assert.rejects(put(db, 'taken'))
        await assert.rejects(put(db, 'poisoned-2'))
      })
      await assert.rejects(work, StoreMisuseError)
      assert.deepEqual(await names(store.db, 'poisoned'), [])
    })

    test('rejects a statement after the end of its transaction', async () => {
      let stray: Db | undefined
      await store.transaction(async (db) => {
        stray = db
      })
      assert.ok(stray)
      await assert.rejects(put(stray, 'stray'))
      assert.deepEqual(await names(store.db, 'stray'), [])
    })

    test('returns plain objects and JavaScript numbers', async () => {
      const time = 1_700_000_000_123
      const added = await store.db
        .insertInto('users')
        .values({ name: 'Ada', created_at: time, updated_at: time })
        .returning(['id', 'created_at', 'revision', 'deleted_at'])
        .execute()
      assert.deepEqual(added, [{ id: 1, created_at: time, revision: 1, deleted_at: null }])
      const computed = await store.db
        .selectFrom('users')
        .select([
          sql`count(*)`.as('count'),
          sql`sum(created_at)`.as('sum'),
          sql`cast(${7} as integer) / 2`.as('half'),
          sql`count(*) > 0`.as('some'),
        ])
        .execute()
      assert.deepEqual(computed, [{ count: 1, sum: time, half: 3, some: 1 }])
    })

    test('never reuses the id of a deleted row', async () => {
      const add = async () => {
        const row = { name: 'Bo', created_at: 1, updated_at: 1 }
        const { id } = await store.db
          .insertInto('users')
          .values(row)
          .returning('id')
          .executeTakeFirstOrThrow()
        return id
      }
      const first = await add()
      await store.db.deleteFrom('users').where('id', '=', first).execute()
      assert.notEqual(await add(), first)
    })

    test('sorts text by its bytes', async () => {
      for (const name of ['sort-b', 'sort-A', 'sort-é', 'sort-B', 'sort-a']) {
        await put(store.db, name)
      }
      const expected = ['sort-A', 'sort-B', 'sort-a', 'sort-b', 'sort-é']
      assert.deepEqual(await names(store.db, 'sort'), expected)
    })

    test('counts its commits', async () => {
      const before = store.stats().commits
      await store.transaction((db) => put(db, 'counted'))
      assert.equal(store.stats().commits, before + 1)
      assert.equal(store.stats().waiting, 0)
      await store.ping()
    })
  })

  test(`a store on ${kind} closes after the work in progress and rejects new work`, {
    skip: skipReason(kind),
  }, async () => {
    const { store, url, dispose } = await openTemporaryStore(kind)
    try {
      const inProgress = store.transaction(async (db) => {
        await put(db, 'late-1')
        await nextTurns()
        await put(db, 'late-2')
      })
      await Promise.resolve()
      const closed = store.close()
      await assert.rejects(put(store.db, 'rejected'), StoreClosedError)
      await assert.rejects(store.ping(), isUnavailable)
      await Promise.all([inProgress, closed, store.close()])
      if (kind === 'memory') return
      const again = await openStore(url)
      assert.deepEqual(await names(again.db, 'late'), ['late-1', 'late-2'])
      await again.close()
    } finally {
      await dispose()
    }
  })
}

test('a store creates the folder of its file', async () => {
  const { url, dispose } = await openTemporaryStore('sqlite')
  const path = `${dirname(url.slice('sqlite:'.length))}/a/b/store.db`
  const store = await openStore(`sqlite:${path}`)
  assert.ok(existsSync(path))
  await store.close()
  await dispose()
})

test('opening an unknown or unreachable address rejects', async () => {
  await assert.rejects(openStore('mysql://somewhere'), TypeError)
  await assert.rejects(openStore('sqlite:'), TypeError)
  await assert.rejects(openStore(`sqlite:${fileURLToPath(import.meta.url)}/store.db`))
  await assert.rejects(openStore('sqlite:/'), isUnavailable)
  await assert.rejects(openStore('postgres://nobody@127.0.0.1:9/none'), isUnavailable)
})

test('a scratch database has the tables and nothing else, and nobody learns of its transactions', async () => {
  const scratch = await openScratch(tableDeclarations)
  let told = 0
  scratch.changes.subscribe(() => {
    told += 1
  })
  await scratch.transaction(async (db) => {
    await put(db, 'tried')
    invalidate('anything')
    afterCommit(() => {
      told += 1
    })
  })
  await assert.rejects(
    scratch.transaction(async (db) => {
      await put(db, 'undone')
      throw new Error('no')
    }),
  )
  const other = await openScratch(tableDeclarations)
  assert.deepEqual([await names(scratch.db, ''), await names(other.db, '')], [['tried'], []])
  assert.equal(told, 0)
  await Promise.all([scratch.close(), other.close()])
})
