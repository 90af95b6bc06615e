import { type Kysely, sql } from 'kysely'
import { dialectOf } from '#store/query/dialect.ts'
import type { Tables } from '#store/tables/tables.ts'
import { counterDefinitions } from './0004-counts.ts'
import { type CounterDefinition, createCounter, dropCounter } from './counter.ts'
import {
  addColumn,
  createIndex,
  dropIndex,
  integer,
  optionalInteger,
  optionalText,
} from './table-builder.ts'

const notDeleted = sql`deleted_at is null`

/** The SQL of `is_variant` for the row with this alias. */
export const isVariantSql = (row: string): string =>
  `(case when ${row}.variant_of is null then 0 else 1 end)`

/** The counters from which the list of products reads its length, variants apart. */
export const productCounter: CounterDefinition = {
  table: 'products',
  countTable: 'product_counts',
  key: { is_variant: 'integer', category: 'text', availability: 'text' },
  where: (row) => `${row}.deleted_at is null`,
  columns: ['variant_of', 'category', 'availability', 'deleted_at'],
  counters: [
    { key: (row) => [isVariantSql(row), "''", `${row}.availability`] },
    {
      key: (row) => [isVariantSql(row), `${row}.category`, `${row}.availability`],
      where: (row) => `${row}.category is not null`,
    },
  ],
}

/** Adds variants: what a product has as a variant, and what it has as the parent of variants. */
export async function addVariants(db: Kysely<Tables>): Promise<void> {
  await addColumn(db, 'products', 'variant_of', optionalInteger())
  await addColumn(db, 'products', 'options', optionalText())
  await addColumn(db, 'products', 'options_key', optionalText())
  await addColumn(db, 'products', 'option_names', optionalText())
  await addColumn(
    db,
    'products',
    'variant_count',
    integer((column) => column.defaultTo(0)),
  )
  await addColumn(db, 'products', 'price_from_minor', optionalInteger())
  await addGeneratedColumns(db)
  await replaceIndexes(db)
  const former = counterDefinitions.find(({ countTable }) => countTable === 'product_counts')
  if (former) await dropCounter(db, former)
  await createCounter(db, productCounter)
}

/** Both databases compute these columns, so that every writer of a price or a parent sets them. */
async function addGeneratedColumns(db: Kysely<Tables>): Promise<void> {
  const type = dialectOf(db) === 'sqlite' ? sql`integer` : sql`bigint`
  const kind = dialectOf(db) === 'sqlite' ? sql`virtual` : sql`stored`
  const isVariant = sql`case when variant_of is null then 0 else 1 end`
  const listPrice = sql`coalesce(price_from_minor, price_minor)`
  const columns = [
    sql`add column is_variant ${type} generated always as (${isVariant}) ${kind}`,
    sql`add column list_price_minor ${type} generated always as (${listPrice}) ${kind}`,
  ]
  // PostgreSQL rewrites the table in each statement, and SQLite adds one column in each.
  if (dialectOf(db) === 'postgres') {
    await sql`alter table products ${sql.join(columns)}`.execute(db)
  } else for (const column of columns) await sql`alter table products ${column}`.execute(db)
}

const nullsFirst = 'rating_average'
const sorts = ['name', 'price_minor', 'created_at', 'rating_average'] as const
const sortsNow = ['name', 'list_price_minor', 'created_at', 'rating_average'] as const

/**
 * Every index of the list begins with `is_variant`: the list has products that are no variants, and
 * a list of everything merges both ranges.
 */
async function replaceIndexes(db: Kysely<Tables>): Promise<void> {
  for (const column of ['category', 'availability', 'updated_at', ...sorts] as const) {
    await dropIndex(db, 'products', [column, 'id'])
  }
  for (const column of sorts) await dropIndex(db, 'products', ['category', column, 'id'])
  const options = { where: notDeleted, nullsFirst }
  await createIndex(db, 'products', ['is_variant', 'id'], options)
  for (const column of ['category', 'availability', 'updated_at', ...sortsNow] as const) {
    await createIndex(db, 'products', ['is_variant', column, 'id'], options)
  }
  for (const column of sortsNow) {
    await createIndex(db, 'products', ['is_variant', 'category', column, 'id'], options)
  }
  await createIndex(db, 'products', ['variant_of', 'id'], { where: sql`variant_of is not null` })
  await createIndex(db, 'products', ['variant_of', 'options_key'], {
    unique: true,
    where: sql`variant_of is not null and deleted_at is null`,
  })
}
