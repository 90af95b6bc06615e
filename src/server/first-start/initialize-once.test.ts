import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { StartError } from '#src/server/start-error.ts'
import { type Db, openStore } from '#store/database.ts'
import { openTemporaryStore, skipReason, storeKinds } from '#test/support/services/databases.ts'
import { initializeOnce } from './initialize-once.ts'

async function insertMarker(db: Db): Promise<void> {
  await db.insertInto('settings').values({ name: 'filled', value: 'yes' }).execute()
}

for (const kind of storeKinds) {
  describe(`initializing a database on ${kind}`, { skip: skipReason(kind) }, () => {
    test('runs once', async () => {
      const { store, dispose } = await openTemporaryStore(kind)
      assert.equal(
        await initializeOnce(store, { name: 'currency', value: 'EUR' }, insertMarker),
        true,
      )
      assert.equal(
        await initializeOnce(store, { name: 'currency', value: 'EUR' }, insertMarker),
        false,
      )
      const rows = await store.db
        .selectFrom('settings')
        .selectAll()
        .where('name', 'in', ['currency', 'filled'])
        .execute()
      assert.deepEqual(rows, [
        { name: 'currency', value: 'EUR' },
        { name: 'filled', value: 'yes' },
      ])
      await dispose()
    })

    test('stores the currency, and rejects another one', async () => {
      const { store, dispose } = await openTemporaryStore(kind)
      await initializeOnce(store, { name: 'currency', value: 'EUR' }, insertMarker)
      await assert.rejects(
        initializeOnce(store, { name: 'currency', value: 'USD' }, insertMarker),
        (error) => {
          assert.ok(error instanceof StartError)
          assert.match(error.message, /^CURRENCY must be EUR, not USD/)
          return true
        },
      )
      await dispose()
    })

    test('leaves nothing behind when it fails', async () => {
      const { store, dispose } = await openTemporaryStore(kind)
      const fail = async (db: Db) => {
        await insertMarker(db)
        throw new Error('filling failed')
      }
      await assert.rejects(
        initializeOnce(store, { name: 'currency', value: 'EUR' }, fail),
        /filling failed/,
      )
      assert.equal(
        await initializeOnce(store, { name: 'currency', value: 'USD' }, insertMarker),
        true,
      )
      await dispose()
    })
  })
}

for (const kind of ['sqlite', 'postgres'] as const) {
  test(`one of many concurrent starts on ${kind} initializes the database`, {
    skip: skipReason(kind),
  }, async () => {
    const { store, url, dispose } = await openTemporaryStore(kind)
    const others = await Promise.all([openStore(url), openStore(url)])
    const results = await Promise.all(
      [store, ...others].map((each) =>
        initializeOnce(each, { name: 'currency', value: 'EUR' }, insertMarker),
      ),
    )
    assert.deepEqual(results.toSorted(), [false, false, true])
    await Promise.all(others.map((other) => other.close()))
    await dispose()
  })
}
