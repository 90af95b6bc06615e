import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { tableDeclarations } from '#src/server/tables.ts'
import { openStore } from '#store/database.ts'
import { eachDatabase, startTestApp } from '#test/support/app.ts'
import { skipReason } from '#test/support/services/databases.ts'

test('a statement over the timeout answers 503 and changes nothing', {
  skip: skipReason('postgres'),
}, async () => {
  const shop = await startTestApp('postgres')
  const store = await openStore(shop.url, { statementTimeoutMs: 100 })
  const impatient = await startTestApp('sqlite', { composition: { store } })
  const admin = await shop.signInAs('admin')
  const made = await admin.request('POST', '/products', { name: 'Kettle', price: 5 })
  const url = made.headers['location'] ?? ''
  const headers = { authorization: `Bearer ${admin.token}` }
  const change = () => impatient.request('PATCH', url, { name: 'Lamp' }, headers)
  await shop.store.transaction(async (db) => {
    await db.updateTable('products').set({ name: 'Chair' }).where('id', '=', made.json.id).execute()
    // The row is locked until this transaction ends.
    const { status, json, headers: errorHeaders } = await change()
    assert.equal(`${status} ${json.error_code}`, '503 5031')
    assert.ok(Number(errorHeaders['retry-after']) > 0)
    assert.equal(errorHeaders['cache-control'], 'no-store')
  })
  assert.equal((await admin.request('GET', url)).json.name, 'Chair')
  assert.equal((await change()).json.name, 'Lamp')
  await impatient.dispose()
  await store.close()
  await shop.dispose()
})

eachDatabase((kind) => {
  test('a request that waits for longer than its time answers 503 and changes nothing', async () => {
    const shop = await startTestApp(kind, { composition: { requestTimeoutMs: 2000 } })
    const release = Promise.withResolvers<void>()
    try {
      const admin = await shop.signInAs('admin')
      const { json } = await admin.request('POST', '/products', { name: 'Kettle', price: 5 })
      const url = `/products/${json.id}`
      const isHeld = Promise.withResolvers<void>()
      const holding = shop.store.transaction(async (db) => {
        const row = db.updateTable('products').set({ name: 'Chair' }).where('id', '=', json.id)
        await row.execute()
        isHeld.resolve()
        await release.promise
      })
      await isHeld.promise
      const late = await admin.request('PATCH', url, { name: 'Lamp' })
      assert.equal(`${late.status} ${late.json.error_code}`, '503 5031', late.text)
      assert.match(late.json.details, /in time/)
      assert.ok(Number(late.headers['retry-after']) > 0)
      release.resolve()
      await holding
      assert.equal((await admin.request('GET', url)).json.name, 'Chair')
      assert.equal((await admin.request('PATCH', url, { name: 'Lamp' })).json.name, 'Lamp')
    } finally {
      release.resolve()
      await shop.dispose()
    }
  })
})

test('migrations are not subject to the statement timeout of requests', {
  skip: skipReason('postgres'),
}, async () => {
  const shop = await startTestApp('postgres')
  const store = await openStore(shop.url, { statementTimeoutMs: 50 })
  let migrated: Promise<unknown> | undefined
  await shop.store.transaction(async (db) => {
    await sql`lock table migrations`.execute(db)
    migrated = store.migrate(tableDeclarations)
    await new Promise((resolve) => setTimeout(resolve, 200))
  })
  assert.deepEqual(await migrated, [])
  await store.close()
  await shop.dispose()
})
