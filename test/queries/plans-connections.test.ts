import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PostgresClient } from '#db/postgres/pool.ts'
import { startContractApp } from '#test/contract/setup/contract-app.ts'
import { skipReason } from '#test/support/services/databases.ts'
import { exercise } from './exercise.ts'
import { grow, stopAutovacuum } from './grow.ts'

const size = 20_000
/** Some tables of a shop that has just begun are read whole by tests themselves. */
const mostRows = 1000

test('on PostgreSQL no request reads a whole table by a connection that is older than its rows', {
  skip: skipReason('postgres'),
}, async () => {
  const contractApp = await startContractApp('postgres')
  const client = new PostgresClient(contractApp.shop.url, 0)
  try {
    await stopAutovacuum(client)
    await client.command('analyze')
    // Each connection keeps its plans from here on, also those of triggers and foreign keys.
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

/** How many rows were ever found by reading a whole table, by table; one that the office alone counts left out. */
async function countRowsOfScans(client: PostgresClient): Promise<ReadonlyMap<string, number>> {
  // Other connections tell what they have read after a second, or as they end.
  await client.query('select pg_sleep(1.5)', [])
  const { rows } = await client.query<{ readonly name: string; readonly rows: number }>(
    `select relname as name, seq_tup_read as rows from pg_stat_user_tables
    where relname <> 'oauth_clients'`,
    [],
  )
  return new Map(rows.map(({ name, rows: read }) => [name, read]))
}
