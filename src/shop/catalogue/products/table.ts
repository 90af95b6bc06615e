import type { Selectable } from 'kysely'
import { nullable } from '#schema/words.ts'
import { optionsKeyOf } from '#shop/catalogue/variants/options.ts'
import { type ChangeLogColumns, changeLog } from '#store/change-log.ts'
import {
  type ColumnsOf,
  columnDefault,
  computed,
  follows,
  integer,
  real,
  removable,
  text,
} from '#store/columns.ts'
import { type CountColumns, counter } from '#store/counter.ts'
import { followingColumnsOf, uniqueIndexesOf } from '#store/entity-fields.ts'
import { table } from '#store/table.ts'
import type { Tables } from '#store/tables.ts'
import { fields, longFields, ProductStatus, shortFields } from './fields.ts'

/** The SQL of `section` for columns with this prefix. */
const sectionSql = (prefix: string): string => {
  const has = (status: string) =>
    `(${prefix}status = '${status}' or coalesce(${prefix}parent_status, '') = '${status}')`
  return `(case when ${has('archived')} then 4 when ${has('draft')} then 2 else 0 end
    + case when ${prefix}variant_of is null then 0 else 1 end)`
}

/** The price of a product in lists, rounded down to its first digit, in SQL of both databases. */
export function priceStepSql(row: string): string {
  const price = `cast(coalesce(${row}.price_from, ${row}.price) as text)`
  const zeros = `substr('000000000000000', 1, length(${price}) - 1)`
  return `cast(substr(${price}, 1, 1) || ${zeros} as bigint)`
}

/** The average rating of a product, rounded half up to whole stars; 0 without reviews. */
export const starsSql = (row: string): string =>
  `coalesce((2 * ${row}.rating_sum + ${row}.rating_count) / nullif(2 * ${row}.rating_count, 0), 0)`

/** The counts from which the list of products reads its length; an empty category counts all. */
const productCounts = counter({
  table: 'products',
  countTable: 'product_counts',
  key: { section: 'integer', category: 'text', availability: 'text' },
  where: (row) => `${row}.deleted_at is null`,
  columns: ['variant_of', 'status', 'parent_status', 'category', 'availability', 'deleted_at'],
  counters: [
    { key: (row) => [sectionSql(`${row}.`), "''", `${row}.availability`] },
    {
      key: (row) => [sectionSql(`${row}.`), `${row}.category`, `${row}.availability`],
      where: (row) => `${row}.category is not null`,
    },
  ],
})

const facetKey = (row: string, category: string): readonly string[] => [
  sectionSql(`${row}.`),
  category,
  `${row}.availability`,
  priceStepSql(row),
  starsSql(row),
]

/** The counts of prices and ratings by category and availability; an empty category counts all. */
const facetCounts = counter({
  table: 'products',
  countTable: 'product_facet_counts',
  triggers: 'products_facets',
  key: {
    section: 'integer',
    category: 'text',
    availability: 'text',
    price_step: 'integer',
    stars: 'integer',
  },
  where: (row) => `${row}.deleted_at is null`,
  columns: [
    'variant_of',
    'status',
    'parent_status',
    'category',
    'availability',
    'price',
    'price_from',
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
})

/** The counters of products by their category. */
export const categoryCounters = [productCounts, facetCounts]

/** The log of what is counted and compared of products in lists. */
export const productLog = changeLog({
  table: 'products',
  logTable: 'product_column_changes',
  columns: facetCounts.columns,
})

/**
 * Products. A null `stock` is not limited; `search_text` holds the indexed words, each
 * after a space; `rating_average` is null while there is no review.
 */
export const products = table('products', {
  columns: {
    ...removable,
    ...shortFields,
    rating_sum: columnDefault(integer, 0),
    rating_count: columnDefault(integer, 0),
    rating_average: nullable(real),
    ...followingColumnsOf(fields),
    /** The form in which the options of a variant are unique. */
    options_key: follows(nullable(text), 'options', optionsKeyOf),
    /** The number of variants that are not removed. */
    variant_count: columnDefault(integer, 0),
    /** The lowest price of the variants of a parent; null without variants to be sold. */
    price_from: nullable(integer),
    /** The lowest price of the 30 days before the reduction; null without one. */
    prior_price: nullable(integer),
    /** The status of the parent of a variant; null for any other product. */
    parent_status: nullable(ProductStatus),
    /** 0 for an active product, 2 for a draft and 4 for an archived one, itself or by its parent; 1 more for a variant. */
    section: computed(integer, sectionSql('')),
    /** The price by which the product is filtered and sorted. */
    list_price: computed(integer, 'coalesce(price_from, price)'),
    // Long texts are last: SQLite reads a row up to the last column that is needed.
    ...longFields,
    /** The options of a parent with their values, as a JSON array; null without variants. */
    option_list: nullable(text),
    search_text: text,
    /** Its images in the order of their positions, as a JSON array; null without images. */
    images: nullable(text),
  },
  unique: [
    ...uniqueIndexesOf(fields),
    'variant_of, options_key where variant_of is not null and deleted_at is null',
  ],
  indexes: [
    'section, id where deleted_at is null',
    'section, category, id where deleted_at is null',
    'section, availability, id where deleted_at is null',
    'section, name_sort, id where deleted_at is null',
    'section, list_price, id where deleted_at is null',
    'section, created_at, id where deleted_at is null',
    'section, rating_average nulls first, id where deleted_at is null',
    'section, category, name_sort, id where deleted_at is null',
    'section, category, list_price, id where deleted_at is null',
    'section, category, created_at, id where deleted_at is null',
    'section, category, rating_average nulls first, id where deleted_at is null',
    'variant_of, id where variant_of is not null',
  ],
  // Every order line changes it, and no other index.
  indexApart: { table: 'product_changes', columns: ['section', 'updated_at'] },
  checks: { stock_not_negative: "stock >= 0 or backorder = 1 or availability <> 'in_stock'" },
  counters: categoryCounters,
  changeLog: productLog,
  owner: null,
  encrypted: [],
  kept: 'forever',
})

/** Products as the database has them, for their many joins; `options` is JSON. */
export const productRows = products.withoutConversion()

declare module '#store/tables.ts' {
  interface Tables {
    product_counts: CountColumns<typeof productCounts>
    product_facet_counts: CountColumns<typeof facetCounts>
    product_column_changes: ChangeLogColumns
    products: ColumnsOf<(typeof products)['schemas']>
    /** On PostgreSQL only. */
    product_changes: Pick<Selectable<Tables['products']>, 'id' | 'section' | 'updated_at'>
  }
}

/** A row of the table `products`. */
export type ProductRow = Selectable<Tables['products']>
