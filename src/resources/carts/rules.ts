import { createMessage, type Message } from '#i18n/message.ts'
import { isBuyable, requireBuyable, type Sellable } from '#resources/products/rules.ts'
import type { Availability } from '#resources/products/schema.ts'
import { dayMs, type Instant } from '#values/instant.ts'
import { fieldProblem, problem } from '#values/problem.ts'
import { lineLimit, type ProblemCode, quantityLimit } from './schema.ts'

/** A line of a cart with what its product is now; amounts in minor units. */
export interface CartLine {
  readonly id: number
  readonly user_id: number
  readonly product_id: number
  readonly quantity: number
  readonly name: string
  readonly price_minor: number
  readonly availability: Availability
  readonly stock: number | null
  readonly product_revision: number
  readonly product_updated_at: Instant
  readonly product_deleted_at: Instant | null
  readonly created_at: Instant
  readonly updated_at: Instant
}

/** A cart with its lines. */
export interface Cart {
  readonly user_id: number
  readonly revision: number
  readonly created_at: Instant
  readonly updated_at: Instant
  /** Since when there is a cart to read, be it an untouched one. */
  readonly user_created_at: Instant
  readonly lines: readonly CartLine[]
}

/** What a cart holds of a product before pieces of it are added. */
export interface Room {
  /** Pieces of this product in the cart; null where there is no line of it. */
  readonly pieces_in_cart: number | null
  /** Different products in the cart. */
  readonly lines_in_cart: number
}

/**
 * Refuses what cannot be put in a cart: with 422 a product that is not in the catalogue, with 409
 * one that cannot be bought or is short, and a cart that would overflow.
 */
export function requireAddable<ProductOffer extends Sellable & Room>(
  offer: ProductOffer | undefined,
  quantity: number,
): ProductOffer {
  if (!offer || offer.deleted_at !== null) {
    throw fieldProblem([{ field: 'product_id', message: createMessage('field.unknown_product') }])
  }
  const { pieces_in_cart, lines_in_cart } = offer
  const pieces = quantity + (pieces_in_cart ?? 0)
  requireBuyable(offer, pieces)
  if (pieces_in_cart === null && lines_in_cart >= lineLimit) {
    throw problem('4091', 'cart.item_limit', { limit: lineLimit })
  }
  if (pieces > quantityLimit) throw problem('4091', 'cart.quantity_limit', { limit: quantityLimit })
  return offer
}

const abandonedAfterMs = dayMs

/** What a cart is: empty, active, or abandoned once untouched for 24 hours. */
export function cartStatus({ lines, updated_at }: Cart, now: Instant) {
  if (lines.length === 0) return 'empty'
  return now - updated_at >= abandonedAfterMs ? 'abandoned' : 'active'
}

/** When what is told of a line changed, as far as is known; its creation first. */
export const lineChanges = (
  line: Pick<CartLine, 'created_at' | 'updated_at' | 'product_updated_at'>,
): readonly Instant[] => [line.created_at, line.updated_at, line.product_updated_at]

/** When what is told of a cart changed, as far as is known: by itself, in its lines, or by time. */
export function cartChanges(cart: Cart, now: Instant): readonly Instant[] {
  const { user_created_at, created_at, updated_at, lines } = cart
  const abandoned = updated_at + abandonedAfterMs
  const byTime = lines.length > 0 && now >= abandoned ? [abandoned] : []
  return [user_created_at, created_at, updated_at, ...lines.flatMap(lineChanges), ...byTime]
}

/** How many pieces the lines hold. */
export const countPieces = (lines: readonly { readonly quantity: number }[]): number =>
  lines.reduce((pieces, { quantity }) => pieces + quantity, 0)

/** What a line costs, in minor units. */
const lineTotalMinor = (line: {
  readonly price_minor: number
  readonly quantity: number
}): number => line.price_minor * line.quantity

/** What the lines cost together, in minor units. */
export const subtotalMinor = (
  lines: readonly { readonly price_minor: number; readonly quantity: number }[],
): number => lines.reduce((total, line) => total + lineTotalMinor(line), 0)

/** A line that cannot be ordered, and why. */
export interface CartProblem {
  readonly item_id: number
  readonly code: ProblemCode
  readonly message: Message
}

/** Everything that stands in the way of ordering the cart as it is. */
export const cartProblems = ({ lines }: Cart): readonly CartProblem[] =>
  lines.flatMap((line) => lineProblem(line) ?? [])

function lineProblem(line: CartLine): CartProblem | undefined {
  const { id, name, stock, quantity } = line
  const product = { ...line, deleted_at: line.product_deleted_at }
  if (stock === 0 && line.product_deleted_at === null) {
    const message = createMessage('product.short', { name, wanted: quantity, left: 0 })
    return { item_id: id, code: 'out_of_stock', message }
  }
  if (!isBuyable(product)) {
    return {
      item_id: id,
      code: 'unavailable',
      message: createMessage('product.not_buyable', { name }),
    }
  }
  if (stock === null || stock >= quantity) return undefined
  const message = createMessage('product.short', { name, wanted: quantity, left: stock })
  return { item_id: id, code: 'insufficient_stock', message }
}

/**
 * Changes whenever the cart's representation does: with its own revision, with that of a product
 * in it, and when it comes to be abandoned.
 */
export function cartRevision(cart: Cart, now: Instant): string {
  const products = cart.lines.reduce((sum, { product_revision }) => sum + product_revision, 0)
  return `${cart.revision}.${products}.${cartStatus(cart, now)}`
}

/** A line of a cart as it is told. */
export const presentLine = (line: CartLine) => ({
  ...line,
  unit_price: line.price_minor,
  line_total: lineTotalMinor(line),
})
