import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Db, Store } from '#store/database.ts'
import { isSerializationFailure, isUniqueViolation } from '#store/errors.ts'
import { StaleWriteError } from '#store/stale-write.ts'
import {
  openTemporaryStore,
  skipReason,
  storeKinds,
  type TemporaryStore,
} from '#test/support/services/databases.ts'
import { problem } from '#values/problem.ts'
import { prepareQuery } from './prepared.ts'
import { writeBatch } from './write-batch.ts'

const add = prepareQuery((db: Db, param: { name: string }) =>
  db.insertInto('settings').values({ name: param.name, value: '1' }),
)
const change = prepareQuery((db: Db, param: { name: string; to: string }) =>
  db.updateTable('settings').set({ value: param.to }).where('name', '=', param.name),
)
const settingOf = async (db: Db, name: string) =>
  (await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst())
    ?.value

for (const kind of storeKinds) {
  describe(`joined writes on ${kind}`, { skip: skipReason(kind) }, () => {
    let temporary: TemporaryStore
    let store: Store
    before(async () => {
      temporary = await openTemporaryStore(kind)
      store = temporary.store
    })
    after(() => temporary.dispose())

    const isStale = (error: unknown) =>
      error instanceof StaleWriteError || isSerializationFailure(error)

    test('are all committed once the transaction resolves', async () => {
      await store.transaction(async (db) => {
        assert.equal(await settingOf(db, 'a'), undefined)
        await writeBatch(db, [add.write({ name: 'a' }, 1), add.write({ name: 'b' })])
      })
      await store.transaction((db) =>
        writeBatch(db, [change.write({ name: 'a', to: '2' }, 1), add.write({ name: 'c' }, 1)]),
      )
      assert.equal(await settingOf(store.db, 'a'), '2')
      assert.equal(await settingOf(store.db, 'c'), '1')
    })

    test('are all rolled back with a retryable error if one affects a wrong number of rows', async () => {
      const work = store.transaction((db) =>
        writeBatch(db, [add.write({ name: 'd' }), change.write({ name: 'none', to: '2' }, 1)]),
      )
      await assert.rejects(work, isStale)
      assert.equal(await settingOf(store.db, 'd'), undefined)
    })

    test('are visible to later statements and rolled back with them', async () => {
      const work = store.transaction(async (db) => {
        await writeBatch(db, [add.write({ name: 'e' }, 1)])
        await writeBatch(db, [change.write({ name: 'e', to: '3' }, 1)])
        assert.equal(await settingOf(db, 'e'), '3')
        await writeBatch(db, [add.write({ name: 'f' }, 1)])
        throw problem('4091', 'cart.empty')
      })
      await assert.rejects(work, { code: '4091' })
      assert.equal(await settingOf(store.db, 'e'), undefined)
      assert.equal(await settingOf(store.db, 'f'), undefined)
    })

    test('fail the transaction with their own error, mapped by the caller', async () => {
      const twice = (db: Db) =>
        writeBatch(db, [add.write({ name: 'g' }), add.write({ name: 'a' })], (error) =>
          isUniqueViolation(error, 'settings.name') ? problem('4092', 'detail.contended') : error,
        )
      await assert.rejects(store.transaction(twice), { code: '4092' })
      const continued = store.transaction(async (db) => {
        await twice(db)
        await settingOf(db, 'a')
      })
      await assert.rejects(continued, { code: '4092' })
      assert.equal(await settingOf(store.db, 'g'), undefined)
      assert.equal(await settingOf(store.db, 'a'), '2')
    })
  })
}
