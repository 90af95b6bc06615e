import { type Kysely, sql } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import { isVariantSql } from './0042-variants.ts'
import { type CounterDefinition, createCounter } from './counter.ts'
import { createTable, integer, text } from './table-builder.ts'

/** The price of a product in lists, rounded down to its first digit, in SQL of both databases. */
export function priceStepSql(row: string): string {
  const price = `cast(coalesce(${row}.price_from_minor, ${row}.price_minor) as text)`
  const zeros = `substr('000000000000000', 1, length(${price}) - 1)`
  return `cast(substr(${price}, 1, 1) || ${zeros} as bigint)`
}

/** The average rating of a product, rounded half up to whole stars; 0 without reviews. */
export const starsSql = (row: string): string =>
  `coalesce((2 * ${row}.rating_sum + ${row}.rating_count) / nullif(2 * ${row}.rating_count, 0), 0)`

/** The counters of prices and ratings by category and availability; an empty category counts all. */
export const facetCounter: CounterDefinition = {
  table: 'products',
  countTable: 'product_facet_counts',
  triggers: 'products_facets',
  key: {
    is_variant: 'integer',
    category: 'text',
    availability: 'text',
    price_step: 'integer',
    stars: 'integer',
  },
  where: (row) => `${row}.deleted_at is null`,
  columns: [
    'variant_of',
    'category',
    'availability',
    'price_minor',
    'price_from_minor',
    'rating_sum',
    'rating_count',
    'deleted_at',
  ],
  counters: [
    { key: (row) => facetKey(row, "''") },
    {
      key: (row) => facetKey(row, `${row}.category`),
      where: (row) => `${row}.category is not null`,
    },
  ],
}

const facetKey = (row: string, category: string): readonly string[] => [
  isVariantSql(row),
  category,
  `${row}.availability`,
  priceStepSql(row),
  starsSql(row),
]

/** The counters of the values of options of products with variants. */
export const optionCounter: CounterDefinition = {
  table: 'product_options',
  countTable: 'product_option_counts',
  key: { name: 'text', value: 'text' },
  columns: ['name', 'value'],
  counters: [{ key: (row) => [`${row}.name`, `${row}.value`] }],
}

/** Creates the counters of facets, and the table of the options of products with variants. */
export async function createFacets(db: Kysely<Tables>): Promise<void> {
  await createCounter(db, facetCounter)
  await createTable(
    db,
    'product_options',
    { product_id: integer(), name: text(), value_key: text(), value: text() },
    (table) =>
      table.addPrimaryKeyConstraint('product_options_key', ['product_id', 'name', 'value_key']),
  )
  await createCounter(db, optionCounter)
  await sql`create index product_options_name_index on product_options (name, product_id)`.execute(
    db,
  )
}
