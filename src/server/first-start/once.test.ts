import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Db, openStore } from '#db/database.ts'
import { StartError } from '#src/server/start-error.ts'
import { skipReason, storeKinds, temporaryStore } from '#test/support/services/databases.ts'
import { initializeOnce } from './once.ts'

async function note(db: Db): Promise<void> {
  await db.insertInto('settings').values({ name: 'filled', value: 'yes' }).execute()
}

for (const kind of storeKinds) {
  describe(`the first start on ${kind}`, { skip: skipReason(kind) }, () => {
    test('fills the database, and no later one does', async () => {
      const { store, dispose } = await temporaryStore(kind)
      assert.equal(await initializeOnce(store, 'EUR', note), true)
      assert.equal(await initializeOnce(store, 'EUR', note), false)
      const rows = await store.db.selectFrom('settings').selectAll().orderBy('name').execute()
      assert.deepEqual(rows, [
        { name: 'currency', value: 'EUR' },
        { name: 'filled', value: 'yes' },
      ])
      await dispose()
    })

    test('fixes the currency', async () => {
      const { store, dispose } = await temporaryStore(kind)
      await initializeOnce(store, 'EUR', note)
      await assert.rejects(initializeOnce(store, 'USD', note), (error) => {
        assert.ok(error instanceof StartError)
        assert.match(error.message, /^CURRENCY must be EUR, not USD/)
        return true
      })
      await dispose()
    })

    test('that fails leaves nothing, so that the next one is the first', async () => {
      const { store, dispose } = await temporaryStore(kind)
      const fail = async (db: Db) => {
        await note(db)
        throw new Error('the demo shop burns down')
      }
      await assert.rejects(initializeOnce(store, 'EUR', fail), /burns down/)
      assert.equal(await initializeOnce(store, 'USD', note), true)
      await dispose()
    })
  })
}

for (const kind of ['sqlite', 'postgres'] as const) {
  test(`of many processes that start together on ${kind}, one fills the database`, {
    skip: skipReason(kind),
  }, async () => {
    const { store, url, dispose } = await temporaryStore(kind)
    const others = await Promise.all([openStore(url), openStore(url)])
    const began = await Promise.all(
      [store, ...others].map((each) => initializeOnce(each, 'EUR', note)),
    )
    assert.deepEqual(began.toSorted(), [false, false, true])
    await Promise.all(others.map((other) => other.close()))
    await dispose()
  })
}
