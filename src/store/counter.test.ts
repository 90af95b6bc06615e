import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import type { Store } from '#store/database.ts'
import { findWrongCounts } from '#test/support/counts.ts'
import { openTemporaryStore, skipReason, storeKinds } from '#test/support/services/databases.ts'
import { applyRandomChange, seededRandom } from '#test/support/shop/random-changes.ts'

const script = fileURLToPath(
  new URL('../../test/support/services/database-process.ts', import.meta.url),
)

async function runTransactions({ transaction }: Store, count: number): Promise<void> {
  const random = seededRandom(7)
  for (let index = 0; index < count; index += 1) {
    const work = transaction(async (db) => {
      await applyRandomChange(db, random)
      await applyRandomChange(db, random)
      if (index % 3 === 0) throw new Error('rolled back')
    })
    await (index % 3 === 0 ? assert.rejects(work, /rolled back/) : work)
  }
}

/** Starts a process that changes counted tables, and kills it after some transactions. */
async function changeAndKill(url: string, count: number): Promise<void> {
  const child = spawn(process.execPath, [script, 'change', url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let changed = 0
  for await (const chunk of child.stdout) {
    changed += String(chunk).split('\n').length - 1
    if (changed >= count) child.kill('SIGKILL')
  }
  if (child.signalCode === null) await once(child, 'exit')
  assert.equal(child.signalCode, 'SIGKILL')
}

for (const kind of storeKinds) {
  describe(`counters on ${kind}`, { skip: skipReason(kind) }, () => {
    test('are exact after changes of all kinds and rollbacks', async (t) => {
      const { store, dispose } = await openTemporaryStore(kind)
      t.after(dispose)
      await runTransactions(store, 300)
      assert.deepEqual(await findWrongCounts(store.db), [])
      const { rows } = await sql`select 1 from order_counts where number > 1`.execute(store.db)
      assert.ok(rows.length > 0)
    })

    // A database in memory belongs to one process.
    if (kind === 'memory') return
    test('are exact after two processes are killed during transactions', async (t) => {
      const { store, url, dispose } = await openTemporaryStore(kind)
      t.after(dispose)
      await Promise.all([changeAndKill(url, 60), changeAndKill(url, 200)])
      if (kind === 'postgres') await othersDisconnected(store)
      assert.deepEqual(await findWrongCounts(store.db), [])
    })
  })
}

/** Resolves once PostgreSQL has ended the transactions of the killed processes. */
async function othersDisconnected({ db }: Store): Promise<void> {
  for (;;) {
    const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
      and pid <> pg_backend_pid() and state like '%transaction%'`.execute(db)
    if (rows.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
