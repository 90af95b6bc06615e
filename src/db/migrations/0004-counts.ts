import type { Kysely } from 'kysely'
import type { Tables } from '#db/tables/tables.ts'
import { type CounterDefinition, createCounter } from './counter.ts'

const isThere = (row: string): string => `${row}.deleted_at is null`

/** What lists tell their length by. */
export const counterDefinitions: readonly CounterDefinition[] = [
  {
    table: 'products',
    counts: 'product_counts',
    key: { category: 'text', availability: 'text' },
    only: isThere,
    watched: ['category', 'availability', 'deleted_at'],
    counters: [
      { key: (row) => ["''", `${row}.availability`] },
      {
        key: (row) => [`${row}.category`, `${row}.availability`],
        only: (row) => `${row}.category is not null`,
      },
    ],
  },
  {
    table: 'orders',
    counts: 'order_counts',
    key: { user_id: 'integer', status: 'text' },
    only: isThere,
    watched: ['user_id', 'status', 'deleted_at'],
    counters: [
      { key: (row) => ['0', `${row}.status`] },
      {
        key: (row) => [`${row}.user_id`, `${row}.status`],
        only: (row) => `${row}.user_id is not null`,
      },
    ],
  },
  {
    table: 'users',
    counts: 'user_counts',
    key: { role: 'text', status: 'text', age: 'integer' },
    only: isThere,
    watched: ['role', 'status', 'age', 'deleted_at'],
    counters: [
      { key: (row) => [`${row}.role`, `${row}.status`, '-1'] },
      {
        key: (row) => [`${row}.role`, `${row}.status`, `${row}.age`],
        only: (row) => `${row}.age is not null`,
      },
    ],
  },
  {
    table: 'reviews',
    counts: 'review_counts',
    key: { product_id: 'integer', rating: 'integer' },
    watched: ['product_id', 'rating'],
    counters: [{ key: (row) => [`${row}.product_id`, `${row}.rating`] }],
  },
  {
    table: 'purchases',
    counts: 'list_counts',
    key: { list: 'text' },
    watched: ['id'],
    counters: [{ key: () => ["'purchases'"] }],
  },
]

/** Creates the counts, and counts what is there. */
export async function createCounts(db: Kysely<Tables>): Promise<void> {
  for (const counterDefinition of counterDefinitions) await createCounter(db, counterDefinition)
}
