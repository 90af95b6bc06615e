import type { Instant } from '#values/instant.ts'
import type { Db } from './database.ts'

/** Marks a row as removed, as its next revision; does nothing if it is removed already. */
export async function markRemoved(
  db: Db,
  table: 'discounts' | 'shipping_methods' | 'tax_rates',
  id: number,
  now: Instant,
): Promise<void> {
  await db
    .updateTable(table)
    .set((eb) => ({ deleted_at: now, updated_at: now, revision: eb('revision', '+', 1) }))
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .execute()
}
