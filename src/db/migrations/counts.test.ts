import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { openStore, type Store } from '#db/database.ts'
import { wrongCounts } from '#test/support/counts.ts'
import { chanceFrom, trade } from '#test/support/random-trade.ts'
import {
  emptyDatabase,
  skipReason,
  storeKinds,
  temporaryStore,
} from '#test/support/services/databases.ts'
import { migrations } from './list.ts'

const script = fileURLToPath(
  new URL('../../../test/support/services/database-process.ts', import.meta.url),
)

async function tradeMuch({ transaction }: Store, times: number): Promise<void> {
  const chance = chanceFrom(7)
  for (let time = 0; time < times; time += 1) {
    const work = transaction(async (db) => {
      await trade(db, chance)
      await trade(db, chance)
      if (time % 3 === 0) throw new Error('rolled back')
    })
    await (time % 3 === 0 ? assert.rejects(work, /rolled back/) : work)
  }
}

/** Starts a process that changes what is counted, and kills it in the middle of that. */
async function tradeAndDie(url: string, times: number): Promise<void> {
  const child = spawn(process.execPath, [script, 'trade', url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let traded = 0
  for await (const chunk of child.stdout) {
    traded += String(chunk).split('\n').length - 1
    if (traded >= times) child.kill('SIGKILL')
  }
  if (child.signalCode === null) await once(child, 'exit')
  assert.equal(child.signalCode, 'SIGKILL')
}

for (const kind of storeKinds) {
  describe(`counters on ${kind}`, { skip: skipReason(kind) }, () => {
    test('say what there is, after changes of all kinds and rollbacks', async (t) => {
      const { store, dispose } = await temporaryStore(kind)
      t.after(dispose)
      await tradeMuch(store, 300)
      assert.deepEqual(await wrongCounts(store.db), [])
      const { rows } = await sql`select 1 from order_counts where number > 1`.execute(store.db)
      assert.ok(rows.length > 0)
    })

    test('begin with what there is when they are introduced', async (t) => {
      const { url, remove } = await emptyDatabase(kind)
      t.after(remove)
      const store = await openStore(url)
      t.after(() => store.close())
      const before = migrations.findIndex(({ name }) => name === '0004-counts')
      await store.transaction(async (db) => {
        for (const { name, up } of migrations.slice(0, before)) {
          await up(db)
          await db.insertInto('migrations').values({ name, run_at: 1 }).execute()
        }
      })
      await tradeMuch(store, 100)
      await store.migrate()
      assert.deepEqual(await wrongCounts(store.db), [])
    })

    // A database in memory has but one process.
    if (kind === 'memory') return
    test('say what there is after two processes were killed amid changes', async (t) => {
      const { store, url, dispose } = await temporaryStore(kind)
      t.after(dispose)
      await Promise.all([tradeAndDie(url, 60), tradeAndDie(url, 200)])
      if (kind === 'postgres') await untilAlone(store)
      assert.deepEqual(await wrongCounts(store.db), [])
    })
  })
}

/** Resolves once PostgreSQL has noticed that those who were killed are gone. */
async function untilAlone({ db }: Store): Promise<void> {
  for (;;) {
    const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
      and pid <> pg_backend_pid() and state like '%transaction%'`.execute(db)
    if (rows.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
