import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { NewerDatabaseError } from '#store/migrate.ts'
import { migrations } from '#store/migrations/list.ts'
import { emptyDatabase, storeKinds, temporaryStore, whyUntested } from '#store/testing.ts'

const run = promisify(execFile)
const script = fileURLToPath(new URL('./testing-process.ts', import.meta.url))
const names = migrations.map(({ name }) => name)

for (const kind of storeKinds) {
  describe(`migrations on ${kind}`, { skip: whyUntested(kind) }, () => {
    test('are run once, and none is pending then', async () => {
      const { store, dispose } = await temporaryStore(kind)
      try {
        assert.deepEqual(await store.migrate(), [])
        assert.equal(await store.pending(), 0)
        const rows = await store.db.selectFrom('migrations').select('name').execute()
        assert.deepEqual(
          rows.map((row) => row.name),
          names,
        )
      } finally {
        await dispose()
      }
    })

    test('are refused on a database that a newer release has changed', async () => {
      const { store, dispose } = await temporaryStore(kind)
      try {
        await store.db.insertInto('migrations').values({ name: '9999-later', run_at: 1 }).execute()
        await assert.rejects(store.migrate(), NewerDatabaseError)
        assert.equal(await store.pending(), 0)
      } finally {
        await dispose()
      }
    })

    // A database in memory has but one process.
    if (kind === 'memory') return
    test('are run once where four processes start together', async () => {
      const { url, remove } = await emptyDatabase(kind)
      try {
        const outputs = await Promise.all(
          Array.from({ length: 4 }, () => run(process.execPath, [script, 'migrate', url])),
        )
        const ran = outputs.flatMap(({ stdout }): unknown => JSON.parse(stdout))
        assert.deepEqual(ran, names)
      } finally {
        await remove()
      }
    })
  })
}
