import { problem } from '#values/problem.ts'
import {
  type Availability,
  defaultAvailability,
  type ProductBody,
  type ProductPatch,
} from './schema.ts'

/** The changeable state of a product; amounts in minor units. */
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

/** The product that a whole body describes; absent optional fields take their defaults. */
export const describeProduct = (body: ProductBody): ProductState =>
  follow({
    name: body.name,
    description: body.description ?? '',
    sku: body.sku ?? null,
    price_minor: body.price,
    category: body.category ?? null,
    availability: body.availability ?? defaultAvailability,
    stock: body.stock ?? null,
    image_url: body.image_url ?? null,
  })

/** The product after some of its fields are changed. */
export function reviseProduct(product: ProductState, patch: ProductPatch): ProductState {
  const { price = product.price_minor, ...rest } = patch
  return follow({ ...stateOf(product), ...rest, price_minor: price })
}

const stateOf = (product: ProductState): ProductState => ({
  name: product.name,
  description: product.description,
  sku: product.sku,
  price_minor: product.price_minor,
  category: product.category,
  availability: product.availability,
  stock: product.stock,
  image_url: product.image_url,
})

/** Where stock is counted, in_stock and out_of_stock say what the count says. */
function follow(product: ProductState): ProductState {
  const { stock, availability } = product
  if (stock === null || availability === 'preorder' || availability === 'discontinued') {
    return product
  }
  return { ...product, availability: stock > 0 ? 'in_stock' : 'out_of_stock' }
}

/** What decides whether a product can be bought. */
export interface Sellable {
  readonly name: string
  readonly availability: Availability
  readonly stock: number | null
  readonly deleted_at: number | null
}

/** In which of its availabilities a product can be bought. */
const buyableWhile: readonly Availability[] = ['in_stock', 'preorder']

/** True while the product can be put in a cart and ordered. */
export const isBuyable = ({ availability, stock, deleted_at }: Sellable): boolean =>
  deleted_at === null && buyableWhile.includes(availability) && (stock === null || stock > 0)

/** Refuses with 409 when `quantity` pieces cannot be bought now. */
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

/** By what changes of one product are announced. */
export const changesOf = (productId: number): string => `product ${productId}`

/** By what is announced which products there are, and what is written of them. */
export const catalogueChanges = 'catalogue'

/** By what changes of stock, availability and ratings are announced, whatever the product. */
export const countChanges = 'counts'

/** The names of what a page of the catalogue rests on beside the products on it. */
export const catalogueOf = (sort: string, availability: unknown): readonly string[] =>
  sort === 'rating' || sort === 'updated_at' || availability !== undefined
    ? [catalogueChanges, countChanges]
    : [catalogueChanges]
