import { type Kysely, sql } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import { replaceTriggers } from './counter.ts'
import { addColumn, createIndex, dropIndex, optionalInteger, text } from './table-builder.ts'

/** Adds to reviews whether they are hidden and when they were removed; the counters leave both out. */
export async function addReviewStatus(db: Kysely<Tables>): Promise<void> {
  const status = text((column) => column.defaultTo('published'))
  await addColumn(db, 'reviews', 'status', status)
  await addColumn(db, 'reviews', 'deleted_at', optionalInteger())
  await dropIndex(db, 'reviews', ['product_id', 'user_id'], { unique: true })
  const where = sql`deleted_at is null`
  await createIndex(db, 'reviews', ['product_id', 'user_id'], { unique: true, where })
  // Those of a product are counted.
  await createIndex(db, 'reviews', ['product_id'], {
    where: sql`status = 'hidden' and deleted_at is null`,
  })
  await replaceTriggers(db, {
    table: 'reviews',
    countTable: 'review_counts',
    key: { product_id: 'integer', rating: 'integer' },
    where: (row) => `${row}.status = 'published' and ${row}.deleted_at is null`,
    columns: ['product_id', 'rating', 'status', 'deleted_at'],
    counters: [{ key: (row) => [`${row}.product_id`, `${row}.rating`] }],
  })
}
