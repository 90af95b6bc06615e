import type { Selectable } from 'kysely'
import { nullable } from '#schema/words.ts'
import { type ColumnsOf, columnDefault, integer, removable, text, textOf } from '#store/columns.ts'
import { type CountColumns, counter } from '#store/counter.ts'
import { table } from '#store/table.ts'
import type { Tables } from '#store/tables.ts'

/** The counts from which lists of reviews read their length. */
const reviewCounts = counter({
  table: 'reviews',
  countTable: 'review_counts',
  key: { product_id: 'integer', rating: 'integer' },
  where: (row) => `${row}.status = 'published' and ${row}.deleted_at is null`,
  columns: ['product_id', 'rating', 'status', 'deleted_at'],
  counters: [{ key: (row) => [`${row}.product_id`, `${row}.rating`] }],
})

/**
 * Reviews; `verified_purchase` is 0 or 1. A removed review keeps its author and status, but
 * no text.
 */
export const reviews = table('reviews', {
  columns: {
    ...removable,
    product_id: integer,
    user_id: nullable(integer),
    author: nullable(text),
    rating: integer,
    title: nullable(text),
    verified_purchase: columnDefault(integer, 0),
    status: columnDefault(textOf<'published' | 'hidden'>(), 'published'),
    // Last: SQLite reads a row up to the last column that is needed.
    body: nullable(text),
  },
  unique: ['product_id, user_id where deleted_at is null'],
  indexes: [
    'product_id, id',
    'user_id',
    'product_id, rating, id',
    'product_id, created_at, id',
    "product_id where status = 'hidden' and deleted_at is null",
  ],
  counters: [reviewCounts],
  owner: { column: 'user_id', whenErased: 'own' },
  encrypted: [],
  kept: 'forever',
})

declare module '#store/tables.ts' {
  interface Tables {
    review_counts: CountColumns<typeof reviewCounts>
    reviews: ColumnsOf<(typeof reviews)['schemas']>
  }
}

/** A row of the table `reviews`. */
export type ReviewRow = Selectable<Tables['reviews']>
