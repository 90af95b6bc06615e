import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addGeneratedData } from '#src/demo/fill.ts'
import { PostgresClient } from '#store/postgres/client.ts'
import { writeBatch } from '#store/query/write-batch.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { rowTimestamp } from '#test/support/rows.ts'
import { openTemporaryStore, skipReason } from '#test/support/services/databases.ts'
import { type StockLine, takeStockStatements } from './stock-store.ts'

const count = 400
const timeoutMs = 30_000

interface Updates {
  readonly all: number
  /** Those that made no entry in any index. */
  readonly hot: number
}

test('an order line writes to no index of products on PostgreSQL', {
  skip: skipReason('postgres'),
}, async (t) => {
  const { store, url, dispose } = await openTemporaryStore('postgres')
  t.after(dispose)
  const shop = { currency: 'USD', currencyDigits: 2 }
  const generated = { kind: 'products', count, shop, now: rowTimestamp } as const
  await addGeneratedData(store, generated, () => undefined)
  const products = await store.db.selectFrom('products').selectAll().execute()
  const lines = products.flatMap((product): StockLine[] =>
    product.stock !== null && product.stock > 1 && product.availability === 'in_stock'
      ? [{ product: { ...product, stock: product.stock }, quantity: 1 }]
      : [],
  )
  assert.ok(lines.length > count / 4)
  const updatesOf = async (client: PostgresClient): Promise<Updates> => {
    const { rows } = await client.query<Updates>(
      `select n_tup_upd as all, n_tup_hot_upd as hot from pg_stat_user_tables
          where relname = 'products'`,
      [],
    )
    return rows[0] ?? { all: 0, hot: 0 }
  }
  for (const line of lines) {
    await store.transaction((db) =>
      writeBatch(db, takeStockStatements(db, [line], rowTimestamp + 1).writes),
    )
  }
  // A process of PostgreSQL reports what it has counted at its end.
  await store.close()
  const client = new PostgresClient(url, timeoutMs)
  t.after(() => client.close())
  const { all, hot } = await pollUntil(
    () => updatesOf(client),
    (updates) => updates.all >= lines.length,
  )
  assert.ok(hot >= 0.9 * all, `${hot} of ${all} updates`)
})
