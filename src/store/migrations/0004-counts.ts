import type { Kysely } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import { type CounterDefinition, createCounter } from './counter.ts'

const isNotDeleted = (row: string): string => `${row}.deleted_at is null`

/** The counters from which lists read their length. */
export const counterDefinitions: readonly CounterDefinition[] = [
  {
    table: 'products',
    countTable: 'product_counts',
    key: { category: 'text', availability: 'text' },
    where: isNotDeleted,
    columns: ['category', 'availability', 'deleted_at'],
    counters: [
      { key: (row) => ["''", `${row}.availability`] },
      {
        key: (row) => [`${row}.category`, `${row}.availability`],
        where: (row) => `${row}.category is not null`,
      },
    ],
  },
  {
    table: 'orders',
    countTable: 'order_counts',
    key: { user_id: 'integer', status: 'text' },
    where: isNotDeleted,
    columns: ['user_id', 'status', 'deleted_at'],
    counters: [
      { key: (row) => ['0', `${row}.status`] },
      {
        key: (row) => [`${row}.user_id`, `${row}.status`],
        where: (row) => `${row}.user_id is not null`,
      },
    ],
  },
  {
    table: 'users',
    countTable: 'user_counts',
    key: { role: 'text', status: 'text', age: 'integer' },
    where: isNotDeleted,
    columns: ['role', 'status', 'age', 'deleted_at'],
    counters: [
      { key: (row) => [`${row}.role`, `${row}.status`, '-1'] },
      {
        key: (row) => [`${row}.role`, `${row}.status`, `${row}.age`],
        where: (row) => `${row}.age is not null`,
      },
    ],
  },
  {
    table: 'reviews',
    countTable: 'review_counts',
    key: { product_id: 'integer', rating: 'integer' },
    columns: ['product_id', 'rating'],
    counters: [{ key: (row) => [`${row}.product_id`, `${row}.rating`] }],
  },
  {
    table: 'purchases',
    countTable: 'list_counts',
    key: { list: 'text' },
    columns: ['id'],
    counters: [{ key: () => ["'purchases'"] }],
  },
]

/** Creates the count tables and their triggers, and counts the existing rows. */
export async function createCounts(db: Kysely<Tables>): Promise<void> {
  for (const definition of counterDefinitions) await createCounter(db, definition)
}
