import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Db, openStore } from '#db/database.ts'
import { StartError } from '#src/server/start-error.ts'
import { storeKinds, temporaryStore, whyUntested } from '#test/support/services/databases.ts'
import { beginOnce } from './once.ts'

async function note(db: Db): Promise<void> {
  await db.insertInto('settings').values({ name: 'filled', value: 'yes' }).execute()
}

for (const kind of storeKinds) {
  describe(`the first start on ${kind}`, { skip: whyUntested(kind) }, () => {
    test('fills the database, and no later one does', async () => {
      const { store, dispose } = await temporaryStore(kind)
      assert.equal(await beginOnce(store, 'EUR', note), true)
      assert.equal(await beginOnce(store, 'EUR', note), false)
      const rows = await store.db.selectFrom('settings').selectAll().orderBy('name').execute()
      assert.deepEqual(rows, [
        { name: 'currency', value: 'EUR' },
        { name: 'filled', value: 'yes' },
      ])
      await dispose()
    })

    test('fixes the currency', async () => {
      const { store, dispose } = await temporaryStore(kind)
      await beginOnce(store, 'EUR', note)
      await assert.rejects(beginOnce(store, 'USD', note), (error) => {
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
      await assert.rejects(beginOnce(store, 'EUR', fail), /burns down/)
      assert.equal(await beginOnce(store, 'USD', note), true)
      await dispose()
    })
  })
}

for (const kind of ['sqlite', 'postgres'] as const) {
  test(`of many processes that start together on ${kind}, one fills the database`, {
    skip: whyUntested(kind),
  }, async () => {
    const { store, url, dispose } = await temporaryStore(kind)
    const others = await Promise.all([openStore(url), openStore(url)])
    const began = await Promise.all([store, ...others].map((each) => beginOnce(each, 'EUR', note)))
    assert.deepEqual(began.toSorted(), [false, false, true])
    await Promise.all(others.map((other) => other.close()))
    await dispose()
  })
}
