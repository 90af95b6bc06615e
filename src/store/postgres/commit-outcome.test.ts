import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Db, openStore, type Store } from '#store/database.ts'
import { OutcomeUnknownError, TransactionLostError } from '#store/errors.ts'
import { type DatabaseProxy, openProxy } from '#test/support/services/database-proxy.ts'
import {
  openTemporaryStore,
  skipReason,
  type TemporaryStore,
} from '#test/support/services/databases.ts'
import { Deadline } from '#values/deadline.ts'

describe('a COMMIT on PostgreSQL whose response is lost', { skip: skipReason('postgres') }, () => {
  let temporary: TemporaryStore
  let proxy: DatabaseProxy
  let store: Store
  before(async () => {
    temporary = await openTemporaryStore('postgres')
    proxy = await openProxy(temporary.url)
    store = await openStore(proxy.url, { connections: 3 })
  })
  after(async () => {
    proxy.silence(false)
    await store.close()
    await proxy.close()
    await temporary.dispose()
  })

  const put = async (db: Db, name: string) => {
    const row = { name, value: '0' }
    return await db.insertInto('settings').values(row).returning('name').execute()
  }
  const isStored = async (name: string) =>
    (
      await temporary.store.db
        .selectFrom('settings')
        .where('name', '=', name)
        .select('name')
        .execute()
    ).length === 1

  test('is found to have been committed', async () => {
    proxy.loseCommit()
    assert.equal(await store.transaction(async (db) => (await put(db, 'kept'))[0]?.name), 'kept')
    assert.ok(await isStored('kept'))
  })

  test('is found to have been rolled back where it was not received', async () => {
    proxy.dropCommit()
    await assert.rejects(
      store.transaction((db) => put(db, 'dropped')),
      TransactionLostError,
    )
    assert.equal(await isStored('dropped'), false)
  })

  test('is told to be unknown where nobody answers in time', async () => {
    const order = store.transaction.bind(store, async (db: Db) => {
      await put(db, 'unknown')
      proxy.silence(true)
    })
    await assert.rejects(new Deadline(1000).run(order), OutcomeUnknownError)
  })
})
