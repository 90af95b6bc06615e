import { createMessage } from '#i18n/message.ts'
import { presentImages } from '#shop/catalogue/images/rules.ts'
import { isOnSale } from '#shop/catalogue/prices/rules.ts'
import { parseOptionList } from '#shop/catalogue/variants/option-list.ts'
import { type Options, parseOptions } from '#shop/catalogue/variants/options.ts'
import { requireOptionsOfVariant } from '#shop/catalogue/variants/rules.ts'
import type { FollowingColumns } from '#store/columns.ts'
import { defaultsOf } from '#store/entity-fields.ts'
import { fieldProblem } from '#values/problem.ts'
import { type Attributes, maxAttributes, parseAttributes } from './attributes.ts'
import { describe, shownHtml } from './descriptions.ts'
import { fields } from './fields.ts'
import { mergeByName, requireDistinctNames } from './named-values.ts'
import type { ProductBody, ProductPatch } from './schema.ts'
import { syncAvailability } from './sellable.ts'
import { type ProductRow, products } from './table.ts'
import { UnitMeasure, unitPriceOf } from './unit-price.ts'

/** The fields of a product that clients can change, as columns; amounts in minor units. */
export type ProductState = Readonly<Pick<ProductRow, keyof typeof fields>>

/** The names of these fields. */
export const fieldNames = Object.keys(fields) as (keyof typeof fields)[]
const defaults = products.stored(defaultsOf(fields))

/** The fields that an object has, as columns. */
const columnsOf = (values: object): Partial<ProductState> => {
  const given = values as Readonly<Record<string, unknown>>
  const entries = fieldNames.flatMap((name) =>
    given[name] === undefined ? [] : [[name, given[name]] as const],
  )
  return products.stored(Object.fromEntries(entries))
}

/**
 * Returns the state of a new product; omitted optional fields take their defaults. Throws 422/4221
 * unless it has both a parent and options, or neither.
 */
export const createProductState = (body: ProductBody): ProductState =>
  newState(body, { description: '', description_html: null })

/** The state of a body, whose description replaces another one. */
function newState(
  body: ProductBody,
  described: Pick<ProductState, 'description' | 'description_html'>,
  stockBefore: number | null = null,
): ProductState {
  const { variant_of = null } = body
  const options = optionsOfOne(body.options) ?? null
  requireOptionsOfVariant(variant_of, options)
  requireDistinctNames('options', Object.keys(options ?? {}))
  requireDistinctNames('attributes', Object.keys(body.attributes ?? {}))
  const state = { ...defaults, ...columnsOf({ ...body, options }), ...describe(described, body) }
  return syncAvailability(requireStockAllowed(state as ProductState, stockBefore))
}

/** Returns a state. Throws 422/4221 for a stock below 0 without `backorder`, unless the product has it already. */
function requireStockAllowed(state: ProductState, before: number | null): ProductState {
  const { stock, backorder } = state
  if (stock === null || stock >= 0 || backorder === 1 || stock === before) return state
  throw fieldProblem([{ field: 'stock', message: createMessage('field.negative_stock') }])
}

/** A stored product, how many variants it has, and its images. */
type StoredState = ProductState & Pick<ProductRow, 'variant_count' | 'images'>

/** Returns the options of one variant. Throws 422/4221 for a list, which is that of a parent. */
function optionsOfOne<T>(options: T): Exclude<T, readonly unknown[]> {
  if (!Array.isArray(options)) return options as Exclude<T, readonly unknown[]>
  throw fieldProblem([{ field: 'options', message: createMessage('field.option_list') }])
}

/** Returns the state of a product after PUT. Throws as `createProductState`. */
export const replaceProductState = (product: StoredState, body: ProductBody): ProductState =>
  keepDerived(
    product,
    newState(
      body.description_html === undefined ? { description: '', ...body } : body,
      product,
      product.stock,
    ),
  )

/**
 * Returns the state of a product after PATCH; a product that is no variant any more has no options.
 * Throws 422/4221 unless it has both a parent and options, or neither.
 */
export function patchProductState(product: StoredState, patch: ProductPatch): ProductState {
  const { variant_of = product.variant_of, unit_measure: measure } = patch
  const change = optionsOfOne(patch.options)
  const isDetached = variant_of === null && patch.variant_of === null && change === undefined
  const options = isDetached ? null : patchOptions(parseOptions(product.options), change)
  requireOptionsOfVariant(variant_of, options)
  const unit_measure = measure && patchUnitMeasure(product.unit_measure, measure)
  const attributes = patchAttributes(product.attributes, patch.attributes)
  const changes = columnsOf({ ...patch, options, unit_measure, attributes })
  const state = { ...toState(product), ...changes, ...describe(product, patch) }
  requireStockAllowed(state, product.stock)
  return keepDerived(product, syncAvailability(withoutCount(product, state, patch)))
}

/** Puts a product in stock again whose stock is no longer counted: only the count had it out of stock. */
function withoutCount(before: StoredState, state: ProductState, patch: ProductPatch): ProductState {
  const isUncounted = before.stock !== null && state.stock === null
  const wasSoldOut = isUncounted && state.availability === 'out_of_stock'
  return wasSoldOut && patch.availability === undefined
    ? { ...state, availability: 'in_stock' }
    : state
}

type PatchedOptions = Readonly<Record<string, string | null>> | null | undefined

function patchOptions(options: Options | null, change: PatchedOptions): Options | null {
  if (change === undefined) return options
  if (change === null) return null
  const merged = mergeByName('options', options ?? {}, change)
  return Object.keys(merged).length === 0 ? null : merged
}

/** Returns the attributes after a merge patch; null for none. Throws 422/4221 where there are too many. */
function patchAttributes(
  before: string | null,
  change: ProductPatch['attributes'],
): Attributes | null | undefined {
  if (!change) return change
  const merged = mergeByName('attributes', parseAttributes(before), change)
  const count = Object.keys(merged).length
  if (count > maxAttributes) {
    const message = createMessage('field.max_items', { limit: maxAttributes })
    throw fieldProblem([{ field: 'attributes', message }])
  }
  return count === 0 ? null : merged
}

/** Returns the measure after a merge patch. Throws 400/4001 where none was before and a member is missing. */
function patchUnitMeasure(before: string | null, change: object): object {
  const merged = { ...(before === null ? {} : JSON.parse(before)), ...change }
  const missing = Object.keys(UnitMeasure.properties).filter((name) => !(name in merged))
  if (missing.length === 0) return merged
  throw fieldProblem(
    missing.map((name) => ({
      field: `unit_measure.${name}`,
      message: createMessage('field.required'),
      missing: true,
    })),
  )
}

/** Keeps its handle unless it has another one, and what follows from its images or its variants, whatever a body says. */
function keepDerived(product: StoredState, state: ProductState): ProductState {
  const { variant_count, availability, images } = product
  const handle = state.handle ?? product.handle
  const { image_url } = images === null ? state : product
  const kept = { ...state, handle, image_url }
  return variant_count === 0 ? kept : { ...kept, availability, stock: null }
}

/** The fields of a product that clients can change. */
export const toState = (product: ProductState): ProductState =>
  Object.fromEntries(fieldNames.map((name) => [name, product[name]])) as unknown as ProductState

/** The cache tag of one product. */
export const productCacheTag = (productId: number): string => `product ${productId}`

/** The cache tag of the set of products and their texts and prices. */
export const catalogueCacheTag = 'catalogue'

/** The cache tag of the stock, availability and rating of all products. */
export const stockAndRatingCacheTag = 'counts'

/** The cache tag of all purchases, on which related products depend. */
export const purchasesCacheTag = 'purchases'

/** The cache tags of a page of products, in addition to the tags of the products on it. */
export const catalogueCacheTags = (sort: string, availability: unknown): readonly string[] =>
  sort === 'rating' || sort === 'updated_at' || availability !== undefined
    ? [catalogueCacheTag, stockAndRatingCacheTag]
    : [catalogueCacheTag]

/** The ID of the product that has the reviews of a product: for a variant, its parent's. */
export const reviewedProductId = ({ id, variant_of }: Pick<ProductRow, 'id' | 'variant_of'>) =>
  variant_of ?? id

/** The columns of a product by which it is only found, sorted and compared. */
const unseenColumns = ['search_text', 'rating_average', 'section', 'list_price'] as const
type UnseenColumn = (typeof unseenColumns)[number] | FollowingColumns<typeof products.schemas>

/** The columns of a product that its representation needs. */
export type ProductInEvent = Omit<ProductRow, UnseenColumn>

const unseen = new Set<string>([...unseenColumns, ...products.following])

/** The schemas of these columns. */
export const presentedSchemas = Object.fromEntries(
  Object.entries(products.schemas).filter(([name]) => !unseen.has(name)),
) as Omit<typeof products.schemas, UnseenColumn>

/**
 * Adds the computed fields of the representation to a product; `baseUrl` is the public URL of the server. What it
 * costs the shop is left out unless the reader sees it.
 */
export const presentProduct = <P extends ProductInEvent>(
  product: P,
  currency: string,
  baseUrl: string,
  { showsCosts = false }: { readonly showsCosts?: boolean } = {},
) => {
  // Without a type argument, the columns of both forms would be those of neither.
  const row = products.fromDatabase<object>(product)
  const { price, unit_measure } = row
  return {
    ...row,
    ...presentImages(product, baseUrl),
    description_html: shownHtml(product),
    cost_price: showsCosts ? row.cost_price : undefined,
    on_sale: isOnSale(row),
    lowest_price_30_days: isOnSale(row) ? row.prior_price : null,
    unit_price: unit_measure && unitPriceOf(price, unit_measure),
    currency,
    ...presentVariant(product),
    rating: presentRating(product),
  }
}

/** The fields that only variants have, or only products with variants. */
function presentVariant({ variant_of, options, variant_count, ...product }: ProductInEvent) {
  if (variant_of !== null) {
    return { options: parseOptions(options), option_names: undefined, price_from: undefined }
  }
  const isParent = variant_count > 0
  const listed = parseOptionList(product.option_list)
  return {
    variant_of: undefined,
    options: isParent ? listed.map(({ name, values }) => ({ name, values })) : undefined,
    option_list: undefined,
    option_names: isParent ? listed.map(({ name }) => name) : undefined,
    price_from: isParent ? product.price_from : undefined,
  }
}

/** Returns the summary of the reviews of a product as its schema describes it. */
export const presentRating = ({
  rating_sum,
  rating_count: count,
}: Pick<ProductInEvent, 'rating_sum' | 'rating_count'>) => ({
  average: count > 0 ? Math.round((100 * rating_sum) / count) / 100 : null,
  count,
})
