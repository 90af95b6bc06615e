import { createMessage, type Message } from '#i18n/message.ts'
import { isBuyable, requireBuyable, type Sellable } from '#resources/products/rules.ts'
import type { Availability } from '#resources/products/schema.ts'
import { dayMs, type Instant } from '#values/instant.ts'
import { fieldProblem, problem } from '#values/problem.ts'
import { maxLines, maxQuantity, type ProblemCode } from './schema.ts'

/** A line of a cart with the current state of its product; amounts in minor units. */
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
  /** When the user was created, and with it the empty cart. */
  readonly user_created_at: Instant
  readonly lines: readonly CartLine[]
}

/** The quantities in a cart before units of a product are added. */
export interface CartQuantities {
  /** Units of this product in the cart; null without a line of it. */
  readonly pieces_in_cart: number | null
  /** The number of lines in the cart. */
  readonly lines_in_cart: number
}

/**
 * Returns the offer when `quantity` units can be added to the cart. Throws 422/4221 for an unknown
 * or removed product, 409/4091 when it cannot be bought or the cart would exceed a limit, and
 * 409/4093 when the stock is too small.
 */
export function requireAddable<ProductOffer extends Sellable & CartQuantities>(
  offer: ProductOffer | undefined,
  quantity: number,
): ProductOffer {
  if (!offer || offer.deleted_at !== null) {
    throw fieldProblem([{ field: 'product_id', message: createMessage('field.unknown_product') }])
  }
  const { pieces_in_cart, lines_in_cart } = offer
  const pieces = quantity + (pieces_in_cart ?? 0)
  requireBuyable(offer, pieces)
  if (pieces_in_cart === null && lines_in_cart >= maxLines) {
    throw problem('4091', 'cart.item_limit', { limit: maxLines })
  }
  if (pieces > maxQuantity) throw problem('4091', 'cart.quantity_limit', { limit: maxQuantity })
  return offer
}

const abandonedAfterMs = dayMs

/** A cart with lines is abandoned 24 hours after its last change. */
export function cartStatus({ lines, updated_at }: Cart, now: Instant) {
  if (lines.length === 0) return 'empty'
  return now - updated_at >= abandonedAfterMs ? 'abandoned' : 'active'
}

/** The times at which the representation of a line changed; the creation first. */
export const lineChangeTimes = (
  line: Pick<CartLine, 'created_at' | 'updated_at' | 'product_updated_at'>,
): readonly Instant[] => [line.created_at, line.updated_at, line.product_updated_at]

/** The times at which the representation of a cart changed, including its abandonment. */
export function cartChangeTimes(cart: Cart, now: Instant): readonly Instant[] {
  const { user_created_at, created_at, updated_at, lines } = cart
  const abandonedAt = updated_at + abandonedAfterMs
  const abandonedTimes = lines.length > 0 && now >= abandonedAt ? [abandonedAt] : []
  return [
    user_created_at,
    created_at,
    updated_at,
    ...lines.flatMap(lineChangeTimes),
    ...abandonedTimes,
  ]
}

/** The sum of the quantities of the lines. */
export const countPieces = (lines: readonly { readonly quantity: number }[]): number =>
  lines.reduce((pieces, { quantity }) => pieces + quantity, 0)

const lineTotalMinor = (line: {
  readonly price_minor: number
  readonly quantity: number
}): number => line.price_minor * line.quantity

/** The sum of the line totals, in minor units. */
export const subtotalMinor = (
  lines: readonly { readonly price_minor: number; readonly quantity: number }[],
): number => lines.reduce((total, line) => total + lineTotalMinor(line), 0)

/** The reason why a line cannot be ordered. */
export interface CartProblem {
  readonly item_id: number
  readonly code: ProblemCode
  readonly message: Message
}

/** The problems of all lines that cannot be ordered. */
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
 * The revision of a cart's representation. It changes with the cart, with a product in it, and when
 * the cart becomes abandoned.
 */
export function cartRevision(cart: Cart, now: Instant): string {
  const products = cart.lines.reduce((sum, { product_revision }) => sum + product_revision, 0)
  return `${cart.revision}.${products}.${cartStatus(cart, now)}`
}

/** Adds the computed fields of a line's representation. */
export const presentLine = (line: CartLine) => ({
  ...line,
  unit_price: line.price_minor,
  line_total: lineTotalMinor(line),
})
