import type { Kysely } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import { createIndex, dropIndex } from './table-builder.ts'

/** Removes indexes that every checkout updates and that another index replaces nearly as well. */
export async function removeIndexes(db: Kysely<Tables>): Promise<void> {
  await dropIndex(db, 'orders', ['status', 'total_minor', 'id'])
  await dropIndex(db, 'purchases', ['order_id'])
  await dropIndex(db, 'purchases', ['order_item_id'], { unique: true })
  await dropIndex(db, 'purchases', ['product_id', 'id'])
  await createIndex(db, 'purchases', ['order_id', 'order_item_id'], { unique: true })
}
