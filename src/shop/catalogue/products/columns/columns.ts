import { priceStep } from '#shop/catalogue/products/facets/facets.ts'
import type { Availability } from '#shop/catalogue/products/fields.ts'
import { sectionCount, sectionsOf } from '#shop/catalogue/products/filters.ts'
import type { ProductFilters } from '#shop/catalogue/products/schema.ts'
import type { ProductRow } from '#shop/catalogue/products/table.ts'
import type { TimeLimits } from '#store/query/time-limits.ts'
import type { FirstIds } from '#store/search/first-ids.ts'
import {
  type Bits,
  blockOf,
  blockSize,
  emptyBits,
  intersect,
  setBit,
  unite,
} from '#store/search/id-set.ts'
import type { Minor } from '#values/money.ts'

/** The columns that are read of products. */
export const listedColumns = [
  'id',
  'section',
  'category',
  'availability',
  'list_price',
  'rating_average',
  'created_at',
] as const

/** The values of products by column, in the same order. */
export type ListedProducts = {
  readonly [K in (typeof listedColumns)[number]]: readonly ProductRow[K][]
}

/** Values by small numbers, in the order in which they appeared. */
class Codes<T> {
  readonly values: T[] = []
  readonly #codes = new Map<T, number>()

  of(value: T): number {
    const known = this.#codes.get(value)
    if (known !== undefined) return known
    this.#codes.set(value, this.values.length)
    return this.values.push(value) - 1
  }

  /** A 1 at the code of each of the values that has one. */
  flags(values: readonly T[]): Uint8Array {
    const flags = new Uint8Array(this.values.length)
    for (const value of values) {
      const code = this.#codes.get(value)
      if (code !== undefined) flags[code] = 1
    }
    return flags
  }
}

/** The products of a block of IDs, each by its position in the block. */
interface Block {
  /** The products by their section. */
  readonly sections: readonly Bits[]
  readonly prices: Float64Array
  readonly created: Float64Array
  readonly categories: Uint32Array
  readonly ratings: Uint32Array
  readonly availabilities: Uint8Array
  readonly steps: Uint8Array
}

/** The sorts by columns; a product without a rating comes before all others. */
export const columnSorts = ['price', 'rating', 'created_at'] as const
export type ColumnSort = (typeof columnSorts)[number]

/** A facet that is counted by columns. */
export type ColumnFacet = 'category' | 'availability' | 'price' | 'rating'

/** The numbers of products by the values of a facet. */
export type FacetCounts = Map<string | number | null, number>

/** The filters that the columns apply. */
export type ColumnFilters = Pick<
  ProductFilters,
  'category' | 'availability' | 'price_min' | 'price_max' | 'variants' | 'status'
> &
  Pick<TimeLimits, 'created_since' | 'created_before'>

/** What a rating is without reviews. */
export const noRating = 0

/**
 * The columns of all products by which lists are counted and sorted, 27 bytes each: a database would read whole
 * rows, fifty times as many bytes.
 */
export class ProductColumns {
  readonly #blocks = new Map<number, Block>()
  readonly #categories = new Codes<string | null>()
  readonly #availabilities = new Codes<Availability>()
  readonly #steps = new Codes<Minor>()
  readonly #ratings = new Codes<number>()

  /** Keeps what products are now; those of `ids` that are not among them are gone. */
  update(ids: Iterable<number>, products: ListedProducts): void {
    for (const id of ids) {
      const block = this.#blocks.get(blockOf(id))
      for (const bits of block?.sections ?? []) setBit(bits, id, false)
    }
    for (const at of products.id.keys()) this.#set(products, at)
  }

  /** The numbers of the blocks that have products, ascending. */
  get blocks(): readonly number[] {
    return [...this.#blocks.keys()].sort((one, other) => one - other)
  }

  /** The products of a block that match the filters, of `among` if it is given. */
  matching(number: number, filters: ColumnFilters, among?: Bits): Bits {
    const block = this.#blocks.get(number)
    if (!block) return emptyBits()
    const listed = sectionsOf(filters).flatMap((section) => block.sections[section] ?? [])
    const all = listed.reduce(unite, emptyBits())
    const matching = among ? intersect(all, among) : all
    this.#apply(filters, block, matching)
    return matching
  }

  /** Adds the products of a block to the counts of facets. */
  count(number: number, ids: Bits, counts: ReadonlyMap<ColumnFacet, FacetCounts>): void {
    const block = this.#blocks.get(number)
    if (!block) return
    for (const [facet, sums] of counts) {
      const [codes, values] = this.#valuesOf(facet, block)
      const numbers = new Uint32Array(values.length)
      countInto(numbers, ids, codes)
      for (const [code, count] of numbers.entries()) {
        if (count === 0) continue
        const value = values[code] ?? null
        sums.set(value, (sums.get(value) ?? 0) + count)
      }
    }
  }

  /** Adds the products of a block by the values of a sort. */
  addInOrder(number: number, ids: Bits, sort: ColumnSort, first: FirstIds): void {
    const block = this.#blocks.get(number)
    if (!block) return
    const start = number * blockSize
    if (sort === 'rating') addCoded(first, start, ids, block.ratings, this.#ratings.values)
    else addValues(first, start, ids, sort === 'price' ? block.prices : block.created)
  }

  #valuesOf(facet: ColumnFacet, block: Block) {
    switch (facet) {
      case 'category':
        return [block.categories, this.#categories.values] as const
      case 'availability':
        return [block.availabilities, this.#availabilities.values] as const
      case 'price':
        return [block.steps, this.#steps.values] as const
      default:
        return [block.ratings, this.#ratings.values.map(starsOf)] as const
    }
  }

  #apply(filters: ColumnFilters, block: Block, matching: Bits): void {
    const { category, availability, price_min, price_max, created_since, created_before } = filters
    keepWithin(matching, block.prices, price_min, price_max)
    keepWithin(matching, block.created, created_since, created_before && created_before - 1)
    if (category) keepFlagged(matching, block.categories, this.#categories.flags(category))
    if (availability) {
      keepFlagged(matching, block.availabilities, this.#availabilities.flags(availability))
    }
  }

  #set(products: ListedProducts, index: number): void {
    const id = products.id[index] ?? 0
    const price = products.list_price[index] ?? 0
    const block = this.#blocks.get(blockOf(id)) ?? emptyBlock()
    this.#blocks.set(blockOf(id), block)
    const at = id % blockSize
    for (const [section, bits] of block.sections.entries()) {
      setBit(bits, id, products.section[index] === section)
    }
    block.prices[at] = price
    block.categories[at] = this.#categories.of(products.category[index] ?? null)
    block.availabilities[at] = this.#availabilities.of(products.availability[index] as Availability)
    block.steps[at] = this.#steps.of(priceStep(price))
    block.ratings[at] = this.#ratings.of(products.rating_average[index] ?? noRating)
    block.created[at] = products.created_at[index] ?? 0
  }
}

// Loops without a function for each product, since there may be a million.

/** Keeps the products whose value is in a range, with both its ends. */
function keepWithin(ids: Bits, values: Float64Array, min?: number, max?: number): void {
  if (min === undefined && max === undefined) return
  const [from, to] = [min ?? 0, max ?? Infinity]
  for (let at = 0; at < ids.length; at += 1) {
    let kept = 0
    for (let rest = ids[at] ?? 0; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest
      const value = values[32 * at + 31 - Math.clz32(bit)] ?? 0
      if (value >= from && value <= to) kept |= bit
    }
    ids[at] = kept
  }
}

/** Keeps the products whose code has a flag. */
function keepFlagged(ids: Bits, codes: Uint8Array | Uint32Array, flags: Uint8Array): void {
  for (let at = 0; at < ids.length; at += 1) {
    let kept = 0
    for (let rest = ids[at] ?? 0; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest
      if (flags[codes[32 * at + 31 - Math.clz32(bit)] ?? 0] === 1) kept |= bit
    }
    ids[at] = kept
  }
}

/** Adds the products of a block, which begins with the ID `start`, by their values. */
function addValues(first: FirstIds, start: number, ids: Bits, values: Float64Array): void {
  for (let at = 0; at < ids.length; at += 1) {
    for (let rest = ids[at] ?? 0; rest !== 0; rest &= rest - 1) {
      const position = 32 * at + 31 - Math.clz32(rest & -rest)
      const value = values[position] ?? 0
      if (first.mayHave(value)) first.add(start + position, value)
    }
  }
}

/** The same by values that have codes. */
function addCoded(
  first: FirstIds,
  start: number,
  ids: Bits,
  codes: Uint32Array,
  values: readonly number[],
): void {
  const own = new Float64Array(blockSize)
  for (let at = 0; at < own.length; at += 1) own[at] = values[codes[at] ?? 0] ?? 0
  addValues(first, start, ids, own)
}

const emptyBlock = (): Block => ({
  sections: Array.from({ length: sectionCount }, emptyBits),
  prices: new Float64Array(blockSize),
  created: new Float64Array(blockSize),
  categories: new Uint32Array(blockSize),
  ratings: new Uint32Array(blockSize),
  availabilities: new Uint8Array(blockSize),
  // A price has one of nine digits first, and at most fifteen others.
  steps: new Uint8Array(blockSize),
})

/** The whole stars of an average rating, rounded half up. */
const starsOf = (rating: number): number => Math.floor(rating + 0.5)

function countInto(counts: Uint32Array, ids: Bits, codes: Uint8Array | Uint32Array): void {
  for (let at = 0; at < ids.length; at += 1) {
    for (let rest = ids[at] ?? 0; rest !== 0; rest &= rest - 1) {
      const code = codes[32 * at + 31 - Math.clz32(rest & -rest)] ?? 0
      counts[code] = (counts[code] ?? 0) + 1
    }
  }
}
