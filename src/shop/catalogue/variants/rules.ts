import { createMessage } from '#i18n/message.ts'
import type { Availability } from '#shop/catalogue/products/fields.ts'
import type { ProductRow } from '#shop/catalogue/products/table.ts'
import { fieldProblem, problem } from '#values/problem.ts'
import { type ListedOption, listOptions, parseOptionList } from './option-list.ts'
import { namedAs, type Options, parseOptions } from './options.ts'

/** The maximum number of variants of a product. */
const maxVariants = 1000

/** What decides whether a product can be the parent of a variant. */
export type Parent = Pick<
  ProductRow,
  'id' | 'name' | 'deleted_at' | 'variant_of' | 'variant_count' | 'option_list'
>

/** A product that is to be a variant, as it was before; `id` is null for a new one. */
type FutureVariant = Pick<Parent, 'name' | 'variant_of' | 'variant_count'> & {
  readonly id: number | null
}

/**
 * Returns the options of a variant, named as those of its siblings and in their order. Throws 422/4221 for an unknown
 * parent or other options than those of its variants, and 409/4091 for a parent that is a variant, or a variant that has
 * variants.
 */
export function requireVariant(
  parent: Parent | undefined,
  variant: FutureVariant,
  options: Options,
): Options {
  if (!parent || parent.deleted_at !== null) {
    const message = createMessage('field.unknown_product')
    throw fieldProblem([{ field: 'variant_of', message }])
  }
  const { name } = parent
  const isParent = parent.id === variant.id || variant.variant_count > 0
  if (isParent || parent.variant_of !== null) {
    throw problem('4091', 'variant.nested', { name: isParent ? variant.name : name })
  }
  const others = parent.variant_count - (variant.variant_of === parent.id ? 1 : 0)
  if (others >= maxVariants) throw problem('4091', 'variant.limit', { name, limit: maxVariants })
  const expected = parseOptionList(parent.option_list).map((option) => option.name)
  return others > 0 ? requireSameNames(options, expected) : options
}

function requireSameNames(options: Options, expected: readonly string[]): Options {
  const named = namedAs(options, expected)
  if (named) return named
  const message = createMessage('field.option_names', { names: expected.join(', ') })
  throw fieldProblem([{ field: 'options', message }])
}

/** Throws 422/4221 unless a product has both a parent and options, or neither. */
export function requireOptionsOfVariant(variantOf: number | null, options: Options | null): void {
  if ((variantOf === null) === (options === null)) return
  const field = variantOf === null ? 'variant_of' : 'options'
  throw fieldProblem([{ field, message: createMessage('field.variant') }])
}

/** Throws 409/4091 for a product with variants. */
export function requireNoVariants({ name, variant_count }: Parent): void {
  if (variant_count > 0) throw problem('4091', 'variant.has_variants', { name })
}

/** The fields of a variant that its parent reflects. */
export type VariantState = Pick<ProductRow, 'availability' | 'price' | 'options' | 'status'>

/** True for a variant that its parent reflects: drafts and archived ones are hidden on their own. */
export const isOfParent = ({ status }: Pick<VariantState, 'status'>): boolean => status === 'active'

/** The columns of a product that follow from its variants, ordered by ID. */
export function summarizeVariants(
  { availability, stock, variant_count, option_list }: ParentState,
  variants: readonly VariantState[],
): ParentState {
  const [first] = variants
  if (!first) {
    // Its last state was that of its variants, so none is left to be sold.
    const own = variant_count === 0 ? availability : 'out_of_stock'
    const nothing = { variant_count: 0, option_list: null, price_from: null }
    return { availability: own, stock, ...nothing }
  }
  const active = variants.filter(isOfParent)
  const prices = active
    .filter((variant) => variant.availability !== 'discontinued')
    .map(({ price }) => price)
  return {
    availability: availabilityOfParent(active.map((variant) => variant.availability)),
    stock: null,
    variant_count: variants.length,
    option_list: JSON.stringify(optionsOfParent(option_list, active, variants)),
    price_from: prices.length === 0 ? null : Math.min(...prices),
  }
}

/**
 * The options in which variants differ, with the values of those that are not hidden: the public does not learn of
 * others. Where all are hidden, only the names stay, which a further variant must have.
 */
function optionsOfParent(
  stored: string | null,
  active: readonly VariantState[],
  all: readonly VariantState[],
): readonly ListedOption[] {
  const shown = active.length > 0 ? active : all
  const options = shown.map((variant) => parseOptions(variant.options) ?? {})
  const listed = listOptions(parseOptionList(stored), options)
  return active.length > 0 ? listed : listed.map((option) => ({ ...option, values: [] }))
}

/** The columns of a product that follow from its variants. */
export type ParentState = Pick<
  ProductRow,
  'availability' | 'stock' | 'variant_count' | 'option_list' | 'price_from'
>

/** The availabilities of variants that can be bought, the first of which their parent has. */
const buyable: readonly Availability[] = ['in_stock', 'backorder', 'preorder']

const availabilityOfParent = (availabilities: readonly Availability[]): Availability =>
  buyable.find((word) => availabilities.includes(word)) ?? 'out_of_stock'

/** The parents of products whose availability a change has set, each once. */
export const parentsToRefresh = (
  changes: readonly {
    readonly before: { readonly availability: Availability }
    readonly after: { readonly availability: Availability; readonly variant_of: number | null }
  }[],
): readonly number[] => [
  ...new Set(
    changes.flatMap(({ before, after }) =>
      after.variant_of === null || before.availability === after.availability
        ? []
        : [after.variant_of],
    ),
  ),
]
