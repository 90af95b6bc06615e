import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { CurrentColumns } from '#shop/catalogue/products/columns/column-store.ts'
import type { ColumnFacet } from '#shop/catalogue/products/columns/columns.ts'
import { countMatching, isOfColumns } from '#shop/catalogue/products/columns/matching-store.ts'
import {
  attributePrefix,
  filterKey,
  isUnfiltered,
  optionPrefix,
  type ProductSelection,
  sectionsOf,
  withoutFacet,
  withoutStatus,
} from '#shop/catalogue/products/filters.ts'
import type { Facets, ProductFilters } from '#shop/catalogue/products/schema.ts'
import { findAmong } from '#shop/catalogue/products/search-store.ts'
import { priceStepSql, starsSql } from '#shop/catalogue/products/table.ts'
import { optionOfVariant } from '#shop/catalogue/variants/option-store.ts'
import type { Db } from '#store/database.ts'
import { isOneOf } from '#store/query/dialect.ts'
import { hasTimeLimits } from '#store/query/time-limits.ts'
import type { Tables } from '#store/tables.ts'
import { countByAttribute, countByColumns, countByOption } from './facet-count-store.ts'
import {
  isOfWholeSteps,
  maxFacetValues,
  mergeOptionCounts,
  mostFrequent,
  priceRange,
  type ValueCount,
} from './facets.ts'

/** A requested facet, and the products that match the filters other than its own. */
interface RequestedFacet {
  readonly name: string
  readonly selection: ProductSelection
}

/**
 * Counts the values of the requested facets, each among the products that match the other filters.
 * Counters have the answer as long as these are categories and availabilities; for others, the products
 * are counted, once for all facets of the same products.
 */
export async function countFacets(
  db: Db,
  columns: CurrentColumns,
  names: readonly string[],
  { filters, times }: ProductSelection,
): Promise<Facets> {
  const requested = [...new Set(names.map(filterKey))].map((name) => ({
    name,
    selection: { filters: withoutFacet(filters, name), times },
  }))
  const others = requested.filter((facet) => !hasCounters(facet))
  const read = new Map([
    ...(await countInColumns(db, columns, others.filter(hasColumns))),
    ...(await countByReading(
      db,
      others.filter((facet) => !hasColumns(facet)),
    )),
  ])
  const counted = new Map<string, readonly unknown[]>()
  for (const facet of requested) {
    const counts = read.get(facet.name) ?? (await countByCounters(db, facet))
    counted.set(facet.name, presentFacet(facet.name, counts))
  }
  return Object.fromEntries(names.map((name) => [name, counted.get(filterKey(name))])) as Facets
}

/** The values of a facet as they are shown; `counts` begins with the most frequent. */
function presentFacet(name: string, counts: readonly ValueCount[]): readonly unknown[] {
  if (isNamed(name)) return mergeOptionCounts(counts)
  const top = counts.slice(0, maxFacetValues)
  if (name === 'price') {
    return top
      .map(({ value, count }) => ({ ...priceRange(Number(value)), count }))
      .sort((one, other) => one.from - other.from)
  }
  if (name !== 'rating') return top
  return top
    .filter(({ value }) => Number(value) > 0)
    .sort((one, other) => Number(other.value) - Number(one.value))
}

const isOption = (facet: string): boolean => facet.startsWith(optionPrefix)

const isAttribute = (facet: string): boolean => facet.startsWith(attributePrefix)

const isNamed = (facet: string): boolean => isOption(facet) || isAttribute(facet)

/** What follows the prefix of an option or attribute. */
const nameOf = (facet: string): string => facet.slice(facet.indexOf('.') + 1)

const hasCounters = ({ name, selection }: RequestedFacet): boolean => {
  if (!isNamed(name)) return isCounted(selection)
  const { filters, times } = selection
  return filters.variants !== 'all' && isUnfiltered(withoutStatus(filters)) && !hasTimeLimits(times)
}

/** True if counters have the products that match these filters. */
const isCounted = ({
  filters: { category: _, availability: __, status: ___, price_min, price_max, ...others },
  times,
}: ProductSelection): boolean =>
  isUnfiltered(others) && !hasTimeLimits(times) && isOfWholeSteps(price_min, price_max)

/** True if the columns in memory have the facet and all filters that the word index does not apply. */
const hasColumns = ({ name, selection }: RequestedFacet): boolean =>
  !isNamed(name) && isOfColumns(selection)

/** Counts the values of facets, by the columns in memory. */
async function countInColumns(
  db: Db,
  columns: CurrentColumns,
  requested: readonly RequestedFacet[],
): Promise<ReadonlyMap<string, readonly ValueCount[]>> {
  const counts = new Map<string, readonly ValueCount[]>()
  for (const { selection, names } of bySelection(requested)) {
    const place = { db, current: columns, found: await findAmong(db, selection.filters) }
    for (const [name, sums] of await countMatching(place, selection, names as ColumnFacet[])) {
      counts.set(name, mostFrequent(Array.from(sums, ([value, count]) => ({ value, count }))))
    }
  }
  return counts
}

/** The facets that are counted among the same products. */
const bySelection = (requested: readonly RequestedFacet[]) =>
  Array.from(
    Map.groupBy(requested, ({ selection }) => JSON.stringify(selection.filters)).values(),
    (group) => ({
      selection: (group[0] as RequestedFacet).selection,
      names: group.map(({ name }) => name),
    }),
  )

/** The counters of these filters; those by price and rating only where they are needed. */
function countersOf(
  db: Db,
  filters: ProductFilters,
  hasSteps = (filters.price_min ?? filters.price_max) !== undefined,
) {
  const { availability, price_min, price_max } = filters
  const table = hasSteps ? 'product_facet_counts' : 'product_counts'
  let counters = db
    // Both tables have the columns that follow, except those of steps.
    .selectFrom(sql<Tables['product_facet_counts']>`${sql.table(table)}`.as('counter'))
    .where('counter.section', 'in', sectionsOf(filters))
  if (availability) counters = counters.where(isOneOf(db, 'counter.availability', availability))
  if (price_min !== undefined) counters = counters.where('counter.price_step', '>=', price_min)
  return price_max === undefined ? counters : counters.where('counter.price_step', '<=', price_max)
}

/** The condition that a counter is of these categories, or of all products. */
const isOfCategories = (db: Db, category: readonly string[] | undefined): Expression<SqlBool> =>
  isOneOf(db, 'counter.category', category?.filter((value) => value !== '') ?? [''])

/** Sums counters by a column; the most frequent values. */
async function sumBy(
  counters: ReturnType<typeof countersOf>,
  column: RawBuilder<ValueCount['value']>,
): Promise<ValueCount[]> {
  const sum = sql<number>`cast(sum(counter.number) as bigint)`
  return await counters
    .select([column.as('value'), sum.as('count')])
    .groupBy(column)
    .having(sum, '>', 0)
    .orderBy(sum, 'desc')
    .orderBy(column)
    .limit(maxFacetValues)
    .execute()
}

/** Counts the values of a facet, by counters. */
function countByCounters(
  db: Db,
  { name, selection: { filters } }: RequestedFacet,
): Promise<readonly ValueCount[]> {
  if (isNamed(name)) return sumNamed(db, name, filters)
  if (name === 'category') {
    const counters = countersOf(db, filters).where('counter.category', '<>', '')
    return sumBy(counters, sql.ref('counter.category'))
  }
  const isAvailability = name === 'availability'
  const counters = isAvailability ? countersOf(db, filters) : countersOf(db, filters, true)
  const column = isAvailability ? name : name === 'price' ? 'price_step' : 'stars'
  return sumBy(counters.where(isOfCategories(db, filters.category)), sql.ref(`counter.${column}`))
}

async function sumNamed(
  db: Db,
  facet: string,
  filters: ProductFilters,
): Promise<readonly ValueCount[]> {
  const sum = sql<number>`cast(sum(number) as bigint)`
  const table = isOption(facet) ? 'product_option_counts' : 'product_attribute_counts'
  return await db
    // Both tables have the same columns.
    .selectFrom(sql<Tables['product_option_counts']>`${sql.table(table)}`.as('counter'))
    .where('name_key', '=', nameOf(facet))
    .where('section', 'in', sectionsOf(filters))
    .select(['value', sum.as('count')])
    .groupBy('value')
    .having(sum, '>', 0)
    .execute()
}

/** Counts the values of facets, by reading the products. */
async function countByReading(
  db: Db,
  requested: readonly RequestedFacet[],
): Promise<ReadonlyMap<string, readonly ValueCount[]>> {
  const counts = new Map<string, readonly ValueCount[]>()
  for (const { name, selection } of requested.filter(isJoined)) {
    const count = isOption(name) ? countByOption : countByAttribute
    counts.set(name, await count(db, selection, nameOf(name)))
  }
  const ofProducts = requested.filter((facet) => !isJoined(facet))
  for (const { selection, names } of bySelection(ofProducts)) {
    const columns = Object.fromEntries(names.map((name) => [name, columnOf(db, name)]))
    for (const [name, values] of await countByColumns(db, selection, columns)) {
      counts.set(name, values)
    }
  }
  return counts
}

/** True for an attribute, and for an option in a list of parents, which have those of their variants. */
const isJoined = ({ name, selection }: RequestedFacet): boolean =>
  isAttribute(name) || (isOption(name) && selection.filters.variants !== 'all')

/** The value of a product in a facet; null for none. */
function columnOf(db: Db, facet: string): RawBuilder<ValueCount['value'] | null> {
  if (facet === 'price') return sql.raw(priceStepSql('products'))
  if (facet === 'rating') return sql.raw(starsSql('products'))
  return isOption(facet) ? optionOfVariant(db, nameOf(facet)) : sql.ref(`products.${facet}`)
}
