import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { tableDeclarations } from '#src/server/tables.ts'
import { openStore } from '#store/database.ts'
import { startTestApp, type TestApp } from '#test/support/app.ts'
import { createEmptyDatabase } from '#test/support/services/databases.ts'

describe('the lists of a large SQLite file', () => {
  let app: TestApp
  before(async () => {
    const { url, remove } = await createEmptyDatabase('sqlite')
    const store = await openStore(url, { threadedFromBytes: 0 })
    await store.migrate(tableDeclarations)
    const dispose = async () => {
      await store.close()
      await remove()
    }
    app = await startTestApp('sqlite', { temporary: { store, url, dispose } })
  })
  after(() => app.dispose())

  const threadMs = () => app.store.listReader?.busyMs() ?? 0

  test('are read by threads, and show what was written just before', async () => {
    const admin = await app.signInAs('admin')
    for (let number = 1; number <= 5; number += 1) {
      const body = { name: `Kettle ${number}`, price: number, category: 'kitchen' }
      assert.equal((await admin.request('POST', '/products', body)).status, 201)
      const before = threadMs()
      const listed = await app.request('GET', '/products?q=kettle&facets=price&include=reviews')
      assert.equal(listed.json.data.length, number)
      assert.ok(threadMs() > before)
    }
    for (const path of ['/users', '/products?sort=name', '/audit-events', '/orders']) {
      const before = threadMs()
      assert.equal((await admin.request('GET', path)).status, 200, path)
      assert.ok(threadMs() > before, path)
    }
  })

  test('other reads stay in the event loop', async () => {
    const before = threadMs()
    assert.equal((await app.request('GET', '/products/1')).status, 200)
    assert.equal(threadMs(), before)
  })
})
