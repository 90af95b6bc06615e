import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PostgresClient } from '#store/postgres/client.ts'
import { startContractApp } from '#test/contract/setup/contract-app.ts'
import { skipReason } from '#test/support/services/databases.ts'
import { exercise } from './exercise.ts'
import { grow, stopAutovacuum } from './grow.ts'

const size = 20_000
/** Tables that the test itself reads whole. */
const mostRows = 1000

test('on PostgreSQL, no request reads a whole table over a connection older than its rows', {
  skip: skipReason('postgres'),
}, async () => {
  const contractApp = await startContractApp('postgres')
  const client = new PostgresClient(contractApp.shop.url, 0)
  try {
    await stopAutovacuum(client)
    await client.command('analyze')
    // From here on each connection keeps its plans, those of triggers and foreign keys too.
    await exercise(contractApp)
    await grow(client, 0, size)
    const before = await countRowsOfScans(client)
    await exercise(contractApp)
    await contractApp.shop.app.close()
    await contractApp.shop.store.close()
    const after = await countRowsOfScans(client)
    for (const [table, rows] of after) {
      const read = rows - (before.get(table) ?? 0)
      assert.ok(read < mostRows, `${read} rows of ${table} were found by reading all of it`)
    }
  } finally {
    await client.close()
    await contractApp.shop.dispose()
  }
})

/** The rows found by sequential scans so far, by table, without one that only administrators count. */
async function countRowsOfScans(client: PostgresClient): Promise<ReadonlyMap<string, number>> {
  // Other connections report what they read after a second, or when they close.
  await client.query('select pg_sleep(1.5)', [])
  const { rows } = await client.query<{ readonly name: string; readonly rows: number }>(
    `select relname as name, seq_tup_read as rows from pg_stat_user_tables
    where relname <> 'oauth_clients'`,
    [],
  )
  return new Map(rows.map(({ name, rows: read }) => [name, read]))
}
