import type { Context } from '#http/declare/context.ts'
import type { OptionFilter } from '#shop/catalogue/variants/option-store.ts'
import { optionEntry } from '#shop/catalogue/variants/options.ts'
import { managesProducts } from '#shop/manages-products.ts'
import { keysOf, sortColumnsOf, uniqueFieldsOf } from '#store/entity-fields.ts'
import type { TimeLimits } from '#store/query/time-limits.ts'
import { sortKey } from '#values/sort-key.ts'
import { filterEntries } from './attributes.ts'
import { fields, productStatuses } from './fields.ts'
import { nameKey } from './named-values.ts'
import { fieldFilters, type ProductFilters } from './schema.ts'
import { fieldEntry } from './searched-texts.ts'
import { type ProductRow, products } from './table.ts'

/** The products of a list. */
export interface ProductSelection {
  readonly filters: ProductFilters
  readonly times?: TimeLimits | undefined
}

/** The fields by which lists of products are sorted. */
export const sortedFields = Object.keys(sortColumnsOf(fields))

/** The beginning of the parameters that filter by an option. */
export const optionPrefix = 'option.'

/** The beginning of the parameters that filter by an attribute. */
export const attributePrefix = 'attribute.'

/** The filters whose names begin with a prefix, by what follows it. */
const namedFilters = (filters: ProductFilters, prefix: string): readonly OptionFilter[] =>
  Object.entries(filters as Readonly<Record<string, unknown>>).flatMap(([name, values]) =>
    name.startsWith(prefix) && values !== undefined
      ? [[name.slice(prefix.length), values as readonly string[]] as const]
      : [],
  )

/** The filters by options. */
export const optionFilters = (filters: ProductFilters): readonly OptionFilter[] =>
  namedFilters(filters, optionPrefix)

const prefixOf = (name: string): string | undefined =>
  [optionPrefix, attributePrefix].find((prefix) => name.startsWith(prefix))

/** The name of a filter or facet, in which that of an option or attribute is in the form in which names are compared. */
export function filterKey(name: string): string {
  const prefix = prefixOf(name)
  return prefix === undefined ? name : prefix + nameKey(name.slice(prefix.length))
}

/** The filters by their keys, those by one option or attribute with the values of all its spellings. */
export function filtersByKey(filters: ProductFilters): ProductFilters {
  const named = Object.entries(filters as Readonly<Record<string, readonly string[]>>).filter(
    ([name, values]) => prefixOf(name) !== undefined && values !== undefined,
  )
  if (named.length === 0) return filters
  const groups = Map.groupBy(named, ([name]) => filterKey(name))
  const merged = Array.from(groups, ([name, group]) => [
    name,
    group.flatMap(([, values]) => values),
  ])
  const others = Object.entries(filters).filter(([name]) => prefixOf(name) === undefined)
  return Object.fromEntries([...others, ...merged]) as ProductFilters
}

/** The index entries that the filters by options ask for: for each option, one of its values. */
export const optionsOf = (filters: ProductFilters): readonly (readonly string[])[] =>
  optionFilters(filters).map(([name, values]) => values.map((value) => optionEntry(name, value)))

/** The index entries that the filters by other fields ask for: for each, one of its values. */
export const fieldEntriesOf = (filters: ProductFilters): readonly (readonly string[])[] => [
  ...Object.entries({ brand: filters.brand, tag: filters.tag }).flatMap(([name, values]) =>
    values === undefined ? [] : [values.map((value) => fieldEntry(name, value))],
  ),
  ...namedFilters(filters, attributePrefix).map(([name, values]) => filterEntries(name, values)),
]

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

/** A section that no product has. */
const noSection = -1

/** The sections of the table that a list has: of each status its products and, with `variants`, its variants. */
export function sectionsOf(filters: ProductFilters): readonly number[] {
  const sections = productStatuses.flatMap((status, at) => {
    if (filters.status !== undefined && !filters.status.includes(status)) return []
    return hasVariants(filters) ? [2 * at, 2 * at + 1] : [2 * at]
  })
  return sections.length === 0 ? [noSection] : sections
}

/** The number of sections: each status has one of products and one of variants. */
export const sectionCount = 2 * productStatuses.length

/** True if a list has drafts or archived products. */
export const hasHidden = ({ status }: ProductFilters): boolean =>
  (status ?? productStatuses).some((each) => each !== 'active')

/** The filters without that by status, which decides only in which sections a list is. */
export const withoutStatus = ({ status: _, ...filters }: ProductFilters): ProductFilters => filters

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
  const keptPrefix = combinesOptions(filters) ? optionPrefix : undefined
  const others = Object.entries(filters).filter(([name]) => {
    const prefix = prefixOf(name)
    return prefix === undefined || prefix === keptPrefix
  })
  return Object.fromEntries(others) as ProductFilters
}

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

/** The filters with those by which the caller sees active products only, unless it may see others. */
export const visibleFilters = (
  { actor }: Pick<Context, 'actor'>,
  filters: ProductFilters,
): ProductFilters =>
  managesProducts(actor)
    ? filters
    : {
        ...filters,
        status: (filters.status ?? productStatuses).filter((each) => each === 'active'),
      }
