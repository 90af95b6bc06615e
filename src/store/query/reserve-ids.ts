import { sql } from 'kysely'
import type { Db } from '#store/database.ts'
import { dialectOf } from './dialect.ts'

type Numbered = 'users' | 'products' | 'orders' | 'order_items' | 'files' | 'product_images'

/** Reserves IDs in ascending order; must run in a transaction, which inserts rows with them. */
export async function reserveIds(
  transactionDb: Db,
  table: Numbered,
  count: number,
): Promise<readonly number[]> {
  if (dialectOf(transactionDb) === 'sqlite') {
    // This transaction is the only writer, and inserting the IDs advances the sequence.
    const { rows } = await sql<{ seq: number }>`
      select seq from sqlite_sequence where name = ${table}`.execute(transactionDb)
    const last = rows[0]?.seq ?? 0
    return Array.from({ length: count }, (_, index) => last + 1 + index)
  }
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence(${table}, 'id')) as id
    from generate_series(1, ${count}::bigint)`.execute(transactionDb)
  return rows.map(({ id }) => id)
}
