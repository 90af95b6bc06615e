import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { invalidate } from '#store/changes.ts'
import { openStore } from '#store/database.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { openTemporaryStore, skipReason } from '#test/support/services/databases.ts'
import { orderSameProduct } from './scenarios/same-product.ts'

for (const [kind, processes] of [
  ['sqlite', 1],
  ['postgres', 2],
] as const) {
  test(`on ${kind}, 32 connections that order one product sell exactly its stock`, {
    skip: skipReason(kind),
  }, async (t) => {
    const figures = await orderSameProduct(kind, processes, 100)
    t.diagnostic(JSON.stringify(figures))
  })
}

test('on PostgreSQL, subscribers learn of a change although its notification connection breaks', {
  skip: skipReason('postgres'),
}, async () => {
  const temporary = await openTemporaryStore('postgres')
  const other = await openStore(temporary.url)
  const received: (readonly string[] | 'anything')[] = []
  other.changes.subscribe((change) => received.push(change))
  temporary.store.changes.subscribe(() => undefined)
  await pollUntil(async () => other.changes.isConnected(), Boolean)
  for (let round = 1; round <= 5; round += 1) {
    received.length = 0
    const name = `thing ${round}`
    await Promise.all([
      sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'cartwright changes'
          and query like 'select pg_notify%'`.execute(other.db),
      temporary.store.transaction(async () => invalidate(name)),
    ])
    await pollUntil(
      async () => received,
      (all) => all.some((change) => change === 'anything' || change.includes(name)),
    )
  }
  assert.ok(other.changes.isConnected())
  await other.close()
  await temporary.dispose()
})
