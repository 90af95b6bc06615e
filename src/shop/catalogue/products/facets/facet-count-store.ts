import { setImmediate as nextTurn } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { optionFilters, type ProductSelection } from '#shop/catalogue/products/filters.ts'
import { matchingProducts } from '#shop/catalogue/products/search-store.ts'
import { hasVariantWith } from '#shop/catalogue/variants/option-store.ts'
import type { Db } from '#store/database.ts'
import { withLimitedConcurrency } from '#values/limited-concurrency.ts'
import { workOwner } from '#values/request-place.ts'
import { mostFrequent, type ValueCount } from './facets.ts'

/** The range of IDs that one statement reads; SQLite answers nothing else meanwhile. */
const idsPerStatement = 8192

/** Bounds the wait to a few seconds with 100,000 products; beyond it, such lists answer 503. */
const maxWaiting = 16

/** One process reads many products for one list at a time; networks take turns. */
const runAlone = withLimitedConcurrency(1, maxWaiting, maxWaiting / 4)

type Matching = Awaited<ReturnType<typeof matchingProducts>>['products']

/** Counts some of the matching products by values. */
type CountPart<Row> = (products: Matching) => Promise<readonly Row[]>

/**
 * Counts the products of a selection. Many are read in parts, between which other requests are served, by
 * one list at a time. Throws 503/5031 when too many lists wait.
 */
async function readInParts<Row>(
  db: Db,
  selection: ProductSelection,
  countPart: CountPart<Row>,
): Promise<readonly Row[]> {
  const { products, isFew } = await matchingProducts(db, selection)
  if (isFew) return await countPart(products)
  const rows: Row[] = []
  await runAlone(async () => {
    const last = await lastProductId(db)
    for (let from = 0; from <= last; from += idsPerStatement) {
      if (from > 0) await nextTurn()
      const part = products
        .where('products.id', '>=', from)
        .where('products.id', '<', from + idsPerStatement)
      for (const row of await countPart(part)) rows.push(row)
    }
  }, workOwner())
  return rows
}

async function lastProductId(db: Db): Promise<number> {
  const last = db.selectFrom('products').select('id').orderBy('id', 'desc').limit(1)
  return (await last.executeTakeFirst())?.id ?? 0
}

/** The values of a product by which it is counted, by the names of their facets. */
export type FacetColumns = Readonly<Record<string, RawBuilder<ValueCount['value'] | null>>>

/**
 * Counts the products of a selection by each column, reading each product once: all values of each, the
 * most frequent first. A product without a value is not counted.
 */
export async function countByColumns(
  db: Db,
  selection: ProductSelection,
  columns: FacetColumns,
): Promise<ReadonlyMap<string, readonly ValueCount[]>> {
  const names = Object.keys(columns)
  const expressions = Object.values(columns)
  const rows = await readInParts(db, selection, (products) =>
    products
      .select([
        ...expressions.map((expression, at) => expression.as(`value${at}`)),
        sql<number>`count(*)`.as('count'),
      ])
      .groupBy(expressions)
      .execute(),
  )
  const valuesOf = (at: number) =>
    rows.map((row) => ({
      value: (row as unknown as Record<string, ValueCount['value'] | null>)[`value${at}`] ?? null,
      count: row.count,
    }))
  return new Map(names.map((name, at) => [name, mostFrequent(valuesOf(at))]))
}

/**
 * Counts the products of a selection by an option of their variants: all values of the variants that have
 * the options of the other filters.
 */
export async function countByOption(
  db: Db,
  selection: ProductSelection,
  name: string,
): Promise<readonly ValueCount[]> {
  const others = optionFilters(selection.filters)
  const rows = await readInParts(db, selection, (products) =>
    products
      .innerJoin('product_options as option', 'option.product_id', 'products.id')
      .where('option.name_key', '=', name)
      .$if(others.length > 0, (rows) => rows.where(hasVariantWith(db, others, 'option')))
      .select(['option.value', sql<number>`count(*)`.as('count')])
      .groupBy('option.value')
      .execute(),
  )
  return mostFrequent(rows)
}

/** Counts the products of a selection by an attribute: all values that they or their variants have. */
export async function countByAttribute(
  db: Db,
  selection: ProductSelection,
  name: string,
): Promise<readonly ValueCount[]> {
  const rows = await readInParts(db, selection, (products) =>
    products
      .innerJoin('product_attributes as attribute', 'attribute.product_id', 'products.id')
      .where('attribute.name_key', '=', name)
      .select(['attribute.value', sql<number>`count(*)`.as('count')])
      .groupBy('attribute.value')
      .execute(),
  )
  return mostFrequent(rows)
}
