import { problem } from '#values/problem.ts'
import {
  type Availability,
  defaultAvailability,
  type ProductBody,
  type ProductPatch,
} from './schema.ts'

/** The fields of a product that clients can change; amounts in minor units. */
export interface ProductState {
  readonly name: string
  readonly description: string
  readonly sku: string | null
  readonly price_minor: number
  readonly category: string | null
  readonly availability: Availability
  readonly stock: number | null
  readonly image_url: string | null
}

/** Returns the state of a new product; omitted optional fields take their defaults. */
export const createProductState = (body: ProductBody): ProductState =>
  syncAvailability({
    name: body.name,
    description: body.description ?? '',
    sku: body.sku ?? null,
    price_minor: body.price,
    category: body.category ?? null,
    availability: body.availability ?? defaultAvailability,
    stock: body.stock ?? null,
    image_url: body.image_url ?? null,
  })

/** Returns the state of a product after PATCH. */
export function patchProductState(product: ProductState, patch: ProductPatch): ProductState {
  const { price = product.price_minor, ...rest } = patch
  return syncAvailability({ ...toState(product), ...rest, price_minor: price })
}

const toState = (product: ProductState): ProductState => ({
  name: product.name,
  description: product.description,
  sku: product.sku,
  price_minor: product.price_minor,
  category: product.category,
  availability: product.availability,
  stock: product.stock,
  image_url: product.image_url,
})

/** Sets `in_stock` or `out_of_stock` from the stock, when it is counted. */
function syncAvailability(product: ProductState): ProductState {
  const { stock, availability } = product
  if (stock === null || availability === 'preorder' || availability === 'discontinued') {
    return product
  }
  return { ...product, availability: stock > 0 ? 'in_stock' : 'out_of_stock' }
}

/** The fields that decide whether a product can be bought. */
export interface Sellable {
  readonly name: string
  readonly availability: Availability
  readonly stock: number | null
  readonly deleted_at: number | null
}

const buyableAvailabilities: readonly Availability[] = ['in_stock', 'preorder']

/** True when the product can be added to a cart and ordered. */
export const isBuyable = ({ availability, stock, deleted_at }: Sellable): boolean =>
  deleted_at === null &&
  buyableAvailabilities.includes(availability) &&
  (stock === null || stock > 0)

/** Throws 409/4091 when the product cannot be bought and 409/4093 when the stock is too small. */
export function requireBuyable(product: Sellable, quantity: number): void {
  const { name, stock } = product
  if (!isBuyable(product)) {
    throw stock === 0
      ? problem('4093', 'product.short', { name, wanted: quantity, left: 0 })
      : problem('4091', 'product.not_buyable', { name })
  }
  if (stock !== null && stock < quantity) {
    throw problem('4093', 'product.short', { name, wanted: quantity, left: stock })
  }
}

/** The cache tag of one product. */
export const productCacheTag = (productId: number): string => `product ${productId}`

/** The cache tag of the set of products and their texts and prices. */
export const catalogueCacheTag = 'catalogue'

/** The cache tag of the stock, availability and rating of all products. */
export const stockAndRatingCacheTag = 'counts'

/** The cache tags of a page of products, in addition to the tags of the products on it. */
export const catalogueCacheTags = (sort: string, availability: unknown): readonly string[] =>
  sort === 'rating' || sort === 'updated_at' || availability !== undefined
    ? [catalogueCacheTag, stockAndRatingCacheTag]
    : [catalogueCacheTag]
