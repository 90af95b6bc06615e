import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { tableDeclarations } from '#src/server/tables.ts'
import {
  createEmptyDatabase,
  openTemporaryStore,
  skipReason,
  storeKinds,
} from '#test/support/services/databases.ts'
import { DatabaseVersionError } from './migrate.ts'

const run = promisify(execFile)
const script = fileURLToPath(
  new URL('../../test/support/services/database-process.ts', import.meta.url),
)
const names = ['0.1.0']

for (const kind of storeKinds) {
  describe(`migrations on ${kind}`, { skip: skipReason(kind) }, () => {
    test('run once, after which none is pending', async () => {
      const { store, dispose } = await openTemporaryStore(kind)
      try {
        assert.deepEqual(await store.migrate(tableDeclarations), [])
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

    test('throw a DatabaseVersionError on a database migrated by a newer release', async () => {
      const { store, dispose } = await openTemporaryStore(kind)
      try {
        await store.db.insertInto('migrations').values({ name: '9999-later', run_at: 1 }).execute()
        await assert.rejects(store.migrate(tableDeclarations), DatabaseVersionError)
        assert.equal(await store.pending(), 0)
      } finally {
        await dispose()
      }
    })

    test('throw a DatabaseVersionError on tables older than the first release', async () => {
      const { store, dispose } = await openTemporaryStore(kind)
      try {
        await store.db.updateTable('migrations').set({ name: '0001-initial' }).execute()
        await assert.rejects(store.migrate(tableDeclarations), DatabaseVersionError)
      } finally {
        await dispose()
      }
    })

    // A database in memory belongs to one process.
    if (kind === 'memory') return
    test('run once when four processes start together', async () => {
      const { url, remove } = await createEmptyDatabase(kind)
      try {
        const outputs = await Promise.all(
          Array.from({ length: 4 }, () => run(process.execPath, [script, 'migrate', url])),
        )
        const completed = outputs.flatMap(({ stdout }): unknown => JSON.parse(stdout))
        assert.deepEqual(completed, names)
      } finally {
        await remove()
      }
    })
  })
}
