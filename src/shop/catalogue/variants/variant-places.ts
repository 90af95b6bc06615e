import type { ProductState } from '#shop/catalogue/products/rules.ts'
import type { ProductRow } from '#shop/catalogue/products/table.ts'
import { isUnchanged } from '#store/unchanged.ts'
import { problem } from '#values/problem.ts'
import { optionsKeyOf, parseOptions } from './options.ts'
import { type Parent, requireVariant } from './rules.ts'

/** A variant that is not stored yet. */
const newVariant = { id: null, name: '', variant_of: null, variant_count: 0 } as const

/** What decides whether a parent takes a variant. */
interface Place {
  parent: Parent
  /** The options of its variants, in the form in which they are unique. */
  readonly keys: Set<string | null>
}

/** The variants of locked parents: those that are stored, and those that have been taken since. */
export class VariantPlaces {
  readonly #byParent: ReadonlyMap<number, Place>

  constructor(
    parents: readonly ProductRow[],
    variants: readonly Pick<ProductRow, 'variant_of' | 'options_key'>[],
  ) {
    const stored = Map.groupBy(variants, ({ variant_of }) => variant_of)
    this.#byParent = new Map(
      parents.map((parent) => {
        const keys = new Set(stored.get(parent.id)?.map(({ options_key }) => options_key))
        return [parent.id, { parent, keys }]
      }),
    )
  }

  /**
   * Takes a new product, or a changed one that stays with its parent, and returns its state, with its options named as
   * those of its siblings. Throws 422/4221 or 409/4091 when it cannot be a variant with these options, and 409/4092 when
   * another one has them.
   */
  take(before: ProductRow | null, state: ProductState): ProductState {
    const { variant_of, options } = state
    const isSame = before !== null && isUnchanged(before, { variant_of, options })
    if (variant_of === null || isSame) return state
    const place = this.#byParent.get(variant_of)
    const named = requireVariant(place?.parent, before ?? newVariant, parseOptions(options) ?? {})
    const stored = JSON.stringify(named)
    if (place) occupy(place, before, stored, Object.keys(named))
    return { ...state, options: stored }
  }
}

/** Adds a variant, or gives it other options. */
function occupy(
  place: Place,
  before: ProductRow | null,
  options: string,
  names: readonly string[],
): void {
  const { parent, keys } = place
  const own = before?.options_key ?? null
  const key = optionsKeyOf(options)
  if (key !== own && keys.has(key)) throw problem('4092', 'variant.duplicate')
  keys.delete(own)
  keys.add(key)
  const others = parent.variant_count - (before ? 1 : 0)
  const listed = names.map((name) => ({ name, values: [] }))
  const option_list = others > 0 ? parent.option_list : JSON.stringify(listed)
  place.parent = { ...parent, variant_count: others + 1, option_list }
}
