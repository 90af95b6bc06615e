import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openStore } from '#db/database.ts'
import { startTestApp } from '#test/support/app.ts'
import { skipReason } from '#test/support/services/databases.ts'

test('a statement that takes too long is broken off, answered with 503, and leaves no trace', {
  skip: skipReason('postgres'),
}, async () => {
  const shop = await startTestApp('postgres')
  const store = await openStore(shop.url, { statementTimeoutMs: 100 })
  const hasty = await startTestApp('sqlite', { composition: { store } })
  const admin = await shop.signInAs('admin')
  const made = await admin.request('POST', '/products', { name: 'Kettle', price: 5 })
  const url = made.headers['location'] ?? ''
  const headers = { authorization: `Bearer ${admin.token}` }
  const change = () => hasty.request('PATCH', url, { name: 'Lamp' }, headers)
  await shop.store.transaction(async (db) => {
    await db.updateTable('products').set({ name: 'Chair' }).where('id', '=', made.json.id).execute()
    // The row is locked until this transaction ends.
    const { status, json, headers: told } = await change()
    assert.equal(`${status} ${json.error_code}`, '503 5031')
    assert.ok(Number(told['retry-after']) > 0)
    assert.equal(told['cache-control'], 'no-store')
  })
  assert.equal((await admin.request('GET', url)).json.name, 'Chair')
  assert.equal((await change()).json.name, 'Lamp')
  await hasty.dispose()
  await store.close()
  await shop.dispose()
})

test('migrations are not bound by the time that a statement of a request may take', {
  skip: skipReason('postgres'),
}, async () => {
  const shop = await startTestApp('postgres')
  const store = await openStore(shop.url, { statementTimeoutMs: 50 })
  let migrated: Promise<unknown> | undefined
  await shop.store.transaction(async (db) => {
    await sql`lock table migrations`.execute(db)
    migrated = store.migrate()
    await new Promise((resolve) => setTimeout(resolve, 200))
  })
  assert.deepEqual(await migrated, [])
  await store.close()
  await shop.dispose()
})
