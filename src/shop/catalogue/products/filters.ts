import type { OptionFilter } from '#shop/catalogue/variants/option-store.ts'
import { optionEntry } from '#shop/catalogue/variants/options.ts'
import { keysOf, uniqueFieldsOf } from '#store/entity-fields.ts'
import type { TimeLimits } from '#store/query/time-limits.ts'
import { sortKey } from '#values/sort-key.ts'
import { fields } from './fields.ts'
import { nameKey } from './named-values.ts'
import { fieldFilters, type ProductFilters } from './schema.ts'
import { fieldEntry } from './searched-texts.ts'
import { type ProductRow, products } from './table.ts'

/** The products of a list. */
export interface ProductSelection {
  readonly filters: ProductFilters
  readonly times?: TimeLimits | undefined
}

/** The beginning of the parameters that filter by an option. */
export const optionPrefix = 'option.'

/** The filters by options. */
export const optionFilters = (filters: ProductFilters): readonly OptionFilter[] =>
  Object.entries(filters as Readonly<Record<string, unknown>>).flatMap(([name, values]) =>
    name.startsWith(optionPrefix) && values !== undefined
      ? [[name.slice(optionPrefix.length), values as readonly string[]] as const]
      : [],
  )

/** The name of a filter or facet, in which that of an option is in the form in which names are compared. */
export const filterKey = (name: string): string =>
  name.startsWith(optionPrefix) ? optionPrefix + nameKey(name.slice(optionPrefix.length)) : name

/** The filters by their keys, those by one option with the values of all its spellings. */
export function filtersByKey(filters: ProductFilters): ProductFilters {
  const options = optionFilters(filters)
  if (options.length === 0) return filters
  const groups = Map.groupBy(options, ([name]) => optionPrefix + nameKey(name))
  const merged = Array.from(groups, ([name, group]) => [
    name,
    group.flatMap(([, values]) => values),
  ])
  return { ...withoutOptions(filters), ...Object.fromEntries(merged) } as ProductFilters
}

/** The index entries that the filters by options ask for: for each option, one of its values. */
export const optionsOf = (filters: ProductFilters): readonly (readonly string[])[] =>
  optionFilters(filters).map(([name, values]) => values.map((value) => optionEntry(name, value)))

/** The index entries that the filters by other fields ask for: for each, one of its values. */
export const fieldEntriesOf = ({ brand, tag }: ProductFilters): readonly (readonly string[])[] =>
  Object.entries({ brand, tag }).flatMap(([name, values]) =>
    values === undefined ? [] : [values.map((value) => fieldEntry(name, value))],
  )

const uniqueFields = uniqueFieldsOf(fields)

/** True if a filter asks for the one product with a value, which may be a variant. */
export const findsOne = (filters: ProductFilters): boolean =>
  uniqueFields.some(({ name }) => filters[name as keyof ProductFilters] !== undefined)

/** True if the list has variants: all of them, or the one with a SKU or the like. */
export const hasVariants = (filters: ProductFilters): boolean =>
  filters.variants === 'all' || findsOne(filters)

/**
 * True if one variant must have several options. The index finds a parent also by options that two of its
 * variants have.
 */
export const combinesOptions = (filters: ProductFilters): boolean =>
  !hasVariants(filters) && optionFilters(filters).length > 1

/** True if no filter but `variants` is set. */
export const isUnfiltered = ({ variants: _, ...others }: ProductFilters): boolean =>
  Object.values(others).every((value) => value === undefined)

/** The filters besides that of a facet. */
export function withoutFacet(filters: ProductFilters, facet: string): ProductFilters {
  const own = facet === 'price' ? ['price_min', 'price_max'] : [facet]
  return Object.fromEntries(
    Object.entries(filters).filter(([name]) => !own.includes(name)),
  ) as ProductFilters
}

/** The filters that remain to be applied once the index has applied those by options and by other entries. */
export function remainingFilters({
  brand: _,
  tag: __,
  ...filters
}: ProductFilters): ProductFilters {
  return combinesOptions(filters) ? filters : withoutOptions(filters)
}

const withoutOptions = (filters: ProductFilters): ProductFilters =>
  Object.fromEntries(
    Object.entries(filters).filter(([name]) => !name.startsWith(optionPrefix)),
  ) as ProductFilters

const fieldKeys = new Map(keysOf(fields))

/** The columns that filters by the value of a field compare, with what they must have. */
export function fieldValues(filters: ProductFilters): readonly (readonly [string, unknown])[] {
  const given = Object.entries(filters).filter(
    ([name, value]) => name in fieldFilters && value !== undefined,
  )
  return given.flatMap(([name, value]) => {
    const keyOf = fieldKeys.get(name)
    if (keyOf) return [[`${name}_key`, keyOf(value as never)] as const]
    const stored = [name, products.stored({ [name]: value })[name as keyof ProductRow]] as const
    // The index of names has them as they are sorted.
    return name === 'name' ? [['name_sort', sortKey(String(value))] as const, stored] : [stored]
  })
}
