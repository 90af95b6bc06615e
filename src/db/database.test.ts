import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import {
  skipReason,
  storeKinds,
  type TemporaryStore,
  temporaryStore,
} from '#test/support/services/databases.ts'
import { type Db, openStore, type Store } from './database.ts'
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

function laterTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5))
}

for (const kind of storeKinds) {
  describe(`a store on ${kind}`, { skip: skipReason(kind) }, () => {
    let temporary: TemporaryStore
    let store: Store
    before(async () => {
      temporary = await temporaryStore(kind)
      store = temporary.store
    })
    after(() => temporary.dispose())

    test('keeps all of a transaction that resolves and returns its result', async () => {
      const result = await store.transaction(async (db) => {
        await put(db, 'kept-1')
        await laterTurn()
        await put(db, 'kept-2')
        return await names(db, 'kept')
      })
      assert.deepEqual(result, ['kept-1', 'kept-2'])
      assert.deepEqual(await names(store.db, 'kept'), ['kept-1', 'kept-2'])
    })

    test('keeps nothing of a transaction that rejects, and rejects alike', async () => {
      const reason = new Error('no')
      const work = store.transaction(async (db) => {
        await put(db, 'undone-1')
        await laterTurn()
        throw reason
      })
      await assert.rejects(work, reason)
      assert.deepEqual(await names(store.db, 'undone'), [])
    })

    test('keeps the transactions around one that rejects', async () => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) =>
          store.transaction(async (db) => {
            await put(db, `around-${String(index).padStart(2, '0')}`)
            if (index % 3 === 0) throw new Error('no')
          }),
        ),
      )
      const kept = outcomes.filter(({ status }) => status === 'fulfilled').length
      assert.equal(kept, 13)
      assert.equal((await names(store.db, 'around')).length, 13)
    })

    test('shows nobody a transaction that is not committed', async () => {
      const inside = Promise.withResolvers<void>()
      const proceed = Promise.withResolvers<void>()
      const work = store.transaction(async (db) => {
        await put(db, 'hidden')
        inside.resolve()
        await proceed.promise
        throw new Error('no')
      })
      await inside.promise
      const seen = names(store.db, 'hidden')
      await laterTurn()
      proceed.resolve()
      await assert.rejects(work)
      assert.deepEqual(await seen, [])
    })

    test('loses no update of concurrent transactions that add to the same row', async () => {
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

    test('refuses a further transaction or statement from inside a transaction', async () => {
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

    test('commits no transaction of which a statement failed, even where that was caught', async () => {
      await put(store.db, 'taken')
      const work = store.transaction(async (db) => {
        await put(db, 'poisoned-1')
        await assert.rejects(put(db, 'taken'))
        await assert.rejects(put(db, 'poisoned-2'))
      })
      await assert.rejects(work, StoreMisuseError)
      assert.deepEqual(await names(store.db, 'poisoned'), [])
    })

    test('refuses a statement that outlives its transaction', async () => {
      let stray: Db | undefined
      await store.transaction(async (db) => {
        stray = db
      })
      assert.ok(stray)
      await assert.rejects(put(stray, 'stray'))
      assert.deepEqual(await names(store.db, 'stray'), [])
    })

    test('answers with plain objects and ordinary numbers', async () => {
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

    test('never gives the id of a removed row again', async () => {
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

    test('counts what it committed', async () => {
      const before = store.stats().commits
      await store.transaction((db) => put(db, 'counted'))
      assert.equal(store.stats().commits, before + 1)
      assert.equal(store.stats().waiting, 0)
      await store.ping()
    })
  })

  test(`a store on ${kind} closes after what is under way and refuses what is new`, {
    skip: skipReason(kind),
  }, async () => {
    const { store, url, dispose } = await temporaryStore(kind)
    try {
      const under = store.transaction(async (db) => {
        await put(db, 'late-1')
        await laterTurn()
        await put(db, 'late-2')
      })
      await Promise.resolve()
      const closed = store.close()
      await assert.rejects(put(store.db, 'refused'), StoreClosedError)
      await assert.rejects(store.ping(), isUnavailable)
      await Promise.all([under, closed, store.close()])
      if (kind === 'memory') return
      const again = await openStore(url)
      assert.deepEqual(await names(again.db, 'late'), ['late-1', 'late-2'])
      await again.close()
    } finally {
      await dispose()
    }
  })
}

test('a store makes the folder of its file', async () => {
  const { url, dispose } = await temporaryStore('sqlite')
  const path = `${dirname(url.slice('sqlite:'.length))}/a/b/store.db`
  const store = await openStore(`sqlite:${path}`)
  assert.ok(existsSync(path))
  await store.close()
  await dispose()
})

test('a store is refused where its address is of no known kind or cannot be reached', async () => {
  await assert.rejects(openStore('mysql://somewhere'), TypeError)
  await assert.rejects(openStore('sqlite:'), TypeError)
  await assert.rejects(openStore(`sqlite:${fileURLToPath(import.meta.url)}/store.db`))
  await assert.rejects(openStore('sqlite:/'), isUnavailable)
  await assert.rejects(openStore('postgres://nobody@127.0.0.1:9/none'), isUnavailable)
})
