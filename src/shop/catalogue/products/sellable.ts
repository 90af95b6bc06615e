import { createMessage, type Message } from '#i18n/message.ts'
import { Problem, problem } from '#values/problem.ts'
import type { Availability } from './fields.ts'
import type { ProductRow } from './table.ts'
import { isActive, type ProductVisibility } from './visibility.ts'

/** Sets `in_stock`, `out_of_stock` or `backorder` from the stock, when it is counted. */
export function syncAvailability<P extends Stock & Pick<ProductRow, 'availability'>>(
  product: P,
): P {
  const { stock, availability } = product
  if (availability === 'preorder' || availability === 'discontinued') return product
  if (stock === null) {
    return availability === 'backorder' ? { ...product, availability: 'in_stock' } : product
  }
  return { ...product, availability: stock > 0 ? 'in_stock' : availabilityBelow(product) }
}

/** A counted stock, and whether more than it can be bought. */
export type Stock = Pick<ProductRow, 'stock' | 'backorder'>

/** The availability without a unit in stock. */
export const availabilityBelow = ({ backorder }: Pick<Stock, 'backorder'>): Availability =>
  backorder === 1 ? 'backorder' : 'out_of_stock'

/** True when a quantity can be bought, as far as the stock decides. */
export const hasStockFor = ({ stock, backorder }: Stock, quantity: number): boolean =>
  stock === null || backorder === 1 || stock >= quantity

/** The units in stock: none where units are owed. */
export const unitsLeft = (stock: number): number => Math.max(0, stock)

/** The fields that decide whether a product can be bought. */
export type Sellable = Pick<
  ProductRow,
  'name' | 'availability' | keyof Stock | 'variant_count' | 'deleted_at' | keyof ProductVisibility
>

/** The availabilities in which a product cannot be bought, whatever its stock. */
export const unbuyableAvailabilities: readonly Availability[] = ['out_of_stock', 'discontinued']

/** True for a product that is neither removed nor hidden. */
export const isListed = (product: Pick<Sellable, 'deleted_at' | keyof ProductVisibility>) =>
  product.deleted_at === null && isActive(product)

/** True when the product, or one of its variants, can be added to a cart and ordered. */
export const isAvailable = (product: Sellable): boolean => isListed(product) && isInStock(product)

const isInStock = ({ availability, ...stock }: Stock & Pick<Sellable, 'availability'>): boolean =>
  !unbuyableAvailabilities.includes(availability) && hasStockFor(stock, 1)

/** True when the product can be added to a cart and ordered; of one with variants, only those can. */
export const isBuyable = (product: Sellable): boolean =>
  product.variant_count === 0 && isAvailable(product)

/** True when a product of the catalogue is out of stock. */
export const isSoldOut = (product: Sellable): boolean =>
  isListed(product) && product.availability !== 'discontinued' && !isInStock(product)

/** The message for a product that cannot be bought, although it may be in stock. */
export const notBuyableMessage = ({ name, variant_count }: Sellable): Message =>
  createMessage(variant_count > 0 ? 'product.choose_variant' : 'product.not_buyable', { name })

/** Throws 409/4091 when the product cannot be bought and 409/4093 when the stock is too small. */
export function requireBuyableProduct(product: Sellable, quantity: number): void {
  const { name, stock } = product
  if (!isBuyable(product)) {
    throw stock !== null && stock <= 0
      ? problem('4093', 'product.short', { name, wanted: quantity, left: 0 })
      : new Problem('4091', notBuyableMessage(product))
  }
  if (stock !== null && !hasStockFor(product, quantity)) {
    throw problem('4093', 'product.short', { name, wanted: quantity, left: unitsLeft(stock) })
  }
}
