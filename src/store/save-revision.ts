import type { Selectable, Updateable } from 'kysely'
import type { Instant } from '#values/instant.ts'
import type { Db } from './database.ts'
import { requireWrittenRow } from './stale-write.ts'
import type { Tables } from './tables.ts'

type RevisedTable =
  | 'addresses'
  | 'api_keys'
  | 'discounts'
  | 'oauth_clients'
  | 'products'
  | 'reviews'
  | 'shipping_methods'
  | 'tax_rates'
  | 'users'
  | 'webhooks'

/**
 * Stores columns of a row as its next revision and returns the row. Throws StaleWriteError if it has
 * changed since it was read.
 */
export async function saveRevision<T extends RevisedTable>(
  db: Db,
  table: T,
  { id, revision }: { readonly id: number; readonly revision: number },
  columns: Updateable<Tables[T]>,
  now: Instant,
): Promise<Selectable<Tables[T]>> {
  const saved = await db
    .updateTable<RevisedTable>(table)
    .set({ ...columns, revision: revision + 1, updated_at: now })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .returningAll()
    .executeTakeFirst()
  return requireWrittenRow(saved) as Selectable<Tables[T]>
}
