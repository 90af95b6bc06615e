import { createMessage, type Message } from '#i18n/message.ts'
import {
  hasStockFor,
  isBuyable,
  isListed,
  notBuyableMessage,
  requireBuyableProduct,
  type Sellable,
  unitsLeft,
} from '#shop/catalogue/products/sellable.ts'
import type { ProductRow } from '#shop/catalogue/products/table.ts'
import { parseOptions } from '#shop/catalogue/variants/options.ts'
import type { Discount } from '#shop/checkout/discounts/discounts.ts'
import {
  type DiscountedPurchase,
  discountTermsOf,
  unusableReason,
} from '#shop/checkout/discounts/rules.ts'
import { discountLines } from '#shop/checkout/pricing/discount-amount.ts'
import type { Shop } from '#shop/shop.ts'
import { dayMs, type Instant } from '#values/instant.ts'
import { type Minor, maximumMinor, sumAmounts, timesQuantity } from '#values/money.ts'
import { fieldProblem, problem } from '#values/problem.ts'
import { maxLines, maxMergedLines, maxQuantity, type ProblemCode } from './schema.ts'
import type { CartItemRow } from './table.ts'

/** A line of a cart with the current state of its product; amounts in minor units. */
export interface CartLine
  extends CartItemRow,
    Pick<ProductRow, 'name' | 'price' | 'variant_of' | 'options' | 'category'>,
    Pick<
      ProductRow,
      'availability' | 'stock' | 'backorder' | 'variant_count' | 'status' | 'parent_status'
    > {
  readonly product_revision: number
  readonly product_updated_at: Instant
  readonly product_deleted_at: Instant | null
  /** The code of the discount of the cart. */
  readonly discount_code: string | null
}

/** A line with its share of the discount of the cart, in minor units. */
export interface PricedLine extends CartLine {
  readonly discount: Minor
}

/** A cart with its lines. */
export interface Cart {
  readonly user_id: number
  readonly revision: number
  readonly created_at: Instant
  readonly updated_at: Instant
  /** When the user was created, and with it the empty cart. */
  readonly user_created_at: Instant
  /** The address of the user, once it is confirmed: what others have used with it is told to nobody else. */
  readonly confirmed_email: string | null
  /** The code of a shipping method with which it can be ordered; null while none is active. */
  readonly checkout_method: string | null
  /** The code of a discount, as the buyer entered it. */
  readonly discount_code: string | null
  /** The discount with that code, if there is one. */
  readonly discount: Discount | undefined
  /** True once the user has used that discount as often as each user may. */
  readonly is_discount_used_up: boolean
  readonly lines: readonly CartLine[]
}

/** The quantities in a cart before units of a product are added. */
export interface CartQuantities {
  /** Units of this product in the cart; null without a line of it. */
  readonly quantity_in_cart: number | null
  /** The number of lines in the cart. */
  readonly lines_in_cart: number
}

/**
 * Returns the product if `quantity` units can be added to the cart. Throws 422/4221 for an unknown
 * or removed product, 409/4091 when it cannot be bought or the cart would exceed a limit, and
 * 409/4093 when the stock is too small.
 */
export function requireAddableProduct<Product extends Sellable & CartQuantities>(
  product: Product | undefined,
  quantity: number,
): Product {
  if (!product || !isListed(product)) {
    throw fieldProblem([{ field: 'product_id', message: createMessage('field.unknown_product') }])
  }
  const { quantity_in_cart, lines_in_cart } = product
  const total = quantity + (quantity_in_cart ?? 0)
  requireBuyableProduct(product, total)
  if (quantity_in_cart === null && lines_in_cart >= maxLines) {
    throw problem('4091', 'cart.item_limit', { limit: maxLines })
  }
  if (total > maxQuantity) throw problem('4091', 'cart.quantity_limit', { limit: maxQuantity })
  return product
}

type Quantities = Pick<CartLine, 'product_id' | 'quantity'>

/**
 * Returns the lines that a cart gets from another one: the quantities of a product in both are added
 * up, to at most 999; further products follow. Two full carts fit into one. Of more lines, those added
 * last are kept.
 */
export function mergeLines(
  own: readonly Quantities[],
  others: readonly Quantities[],
): readonly Quantities[] {
  const quantities = new Map(own.map(({ product_id, quantity }) => [product_id, quantity]))
  const isNew = ({ product_id }: Quantities) => !quantities.has(product_id)
  const added = others.filter(isNew)
  const shared = others.filter((line) => !isNew(line))
  const excess = Math.max(0, own.length + added.length - maxMergedLines)
  return [...shared, ...added.slice(excess)].map(({ product_id, quantity }) => ({
    product_id,
    quantity: Math.min(maxQuantity, quantity + (quantities.get(product_id) ?? 0)),
  }))
}

/** How long after its last change a cart with lines is abandoned, in milliseconds. */
export const abandonedAfterMs = dayMs

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
  const { user_created_at, created_at, updated_at, lines, discount } = cart
  const abandonedAt = updated_at + abandonedAfterMs
  const abandonedTimes = lines.length > 0 && now >= abandonedAt ? [abandonedAt] : []
  return [
    user_created_at,
    created_at,
    updated_at,
    ...lines.flatMap(lineChangeTimes),
    ...abandonedTimes,
    ...(discount ? discountChangeTimes(discount, now) : []),
  ]
}

const discountChangeTimes = (
  { updated_at, starts_at, ends_at }: Discount,
  now: Instant,
): readonly Instant[] => [
  updated_at,
  ...[starts_at, ends_at].filter((at) => at !== null).filter((at) => at <= now),
]

/** The sum of the quantities of the lines. */
export const totalQuantity = (lines: readonly { readonly quantity: number }[]): number =>
  lines.reduce((sum, { quantity }) => sum + quantity, 0)

const lineTotalMinor = (line: { readonly price: number; readonly quantity: number }): Minor =>
  timesQuantity(line.price, line.quantity)

/** The sum of the line totals, in minor units. */
export const subtotalMinor = (
  lines: readonly { readonly price: number; readonly quantity: number }[],
): Minor => sumAmounts(lines.map(lineTotalMinor))

/** The reason why a line, the discount or the whole cart cannot be ordered. */
export interface CartProblem {
  /** Null for the discount and the whole cart. */
  readonly item_id: number | null
  readonly code: ProblemCode
  readonly message: Message
}

/**
 * The problems of all lines that cannot be ordered, of a discount that cannot be used, and of items
 * that cost too much for one order even before discount, shipping and tax.
 */
export function cartProblems(
  cart: PricedCart,
  now: Instant,
  { currencyDigits }: Pick<Shop, 'currencyDigits'>,
): readonly CartProblem[] {
  const { lines } = cart
  const message = lines.length === 0 ? undefined : cartDiscountReason(cart, now)
  const isTooLarge = subtotalMinor(lines) > maximumMinor(currencyDigits)
  return [
    ...lines.flatMap((line) => lineProblem(line) ?? []),
    ...(message ? [{ item_id: null, code: 'discount_unusable', message } as const] : []),
    ...(isTooLarge ? [tooLarge] : []),
  ]
}

/** True for a cart with items, none of which prevents an order, while a shipping method is active. */
export const isOrderable = (
  cart: PricedCart,
  now: Instant,
  shop: Pick<Shop, 'currencyDigits'>,
): boolean =>
  cart.lines.length > 0 &&
  cart.checkout_method !== null &&
  cartProblems(cart, now, shop).length === 0

const tooLarge: CartProblem = {
  item_id: null,
  code: 'total_too_large',
  message: createMessage('order.too_large'),
}

const toPurchase = ({ lines }: Pick<Cart, 'lines'>): DiscountedPurchase => ({
  lines: lines.map((line) => ({ ...line, line_total: lineTotalMinor(line) })),
  subtotalMinor: subtotalMinor(lines),
})

/** Returns why the cart cannot use its discount; undefined if it can, or has none. */
export function cartDiscountReason(
  cart: Pick<Cart, 'lines' | 'discount' | 'discount_code' | 'is_discount_used_up'>,
  now: Instant,
): Message | undefined {
  const { discount, discount_code: code, is_discount_used_up: isUsedUpByUser } = cart
  if (code === null) return undefined
  return unusableReason(discount, code, { ...toPurchase(cart), isUsedUpByUser }, now)
}

/** A cart whose lines have their shares of its discount. */
export interface PricedCart extends Cart {
  readonly lines: readonly PricedLine[]
}

/** Adds the share of the discount to each line; 0 while the cart cannot use its code. */
export function priceCart(cart: Cart, now: Instant): PricedCart {
  const { discount } = cart
  const terms = discount && !cartDiscountReason(cart, now) ? discountTermsOf(discount) : undefined
  const shares = terms ? discountLines(toPurchase(cart).lines, terms.value, terms.scope) : []
  const lines = cart.lines.map((line, index) => ({ ...line, discount: shares[index] ?? 0 }))
  return { ...cart, lines }
}

const discountMinor = (lines: readonly PricedLine[]): Minor =>
  lines.reduce((sum, { discount }) => sum + discount, 0)

/** The discount of a cart in its representation, and what it takes off. */
function presentDiscount({ discount_code, lines }: PricedCart) {
  const amount = discountMinor(lines)
  return {
    discount: discount_code === null ? null : { code: discount_code, amount },
    discount_total: amount,
  }
}

function lineProblem(line: CartLine): CartProblem | undefined {
  const { id, name, stock, quantity } = line
  const product = { ...line, deleted_at: line.product_deleted_at }
  if (stock !== null && stock <= 0 && isListed(product) && product.backorder === 0) {
    const message = createMessage('product.short', { name, wanted: quantity, left: 0 })
    return { item_id: id, code: 'out_of_stock', message }
  }
  if (!isBuyable(product)) {
    return {
      item_id: id,
      code: 'unavailable',
      message: notBuyableMessage(product),
    }
  }
  if (stock === null || hasStockFor(product, quantity)) return undefined
  const message = createMessage('product.short', { name, wanted: quantity, left: unitsLeft(stock) })
  return { item_id: id, code: 'insufficient_stock', message }
}

/**
 * The revision of a cart's representation. It changes with the cart, with a product in it, and when
 * the cart becomes abandoned, with its discount, and with the shipping method of its link.
 */
export function cartRevision(cart: PricedCart, now: Instant): string {
  const products = cart.lines.reduce((sum, { product_revision }) => sum + product_revision, 0)
  const discount =
    cart.discount_code === null
      ? ''
      : `.${cart.discount?.revision ?? 0}.${presentDiscount(cart).discount_total}.${cartDiscountReason(cart, now)?.key ?? ''}`
  return `${cart.revision}.${products}.${cartStatus(cart, now)}.${cart.checkout_method}${discount}`
}

/** Adds the computed fields of a line's representation. */
export const presentLine = (line: PricedLine) => ({
  ...line,
  options: parseOptions(line.options),
  unit_price: line.price,
  line_total: lineTotalMinor(line),
})

/** Adds the computed fields of a cart's representation. */
export const presentCart = (cart: PricedCart, now: Instant, currency: string) => ({
  user_id: cart.user_id,
  status: cartStatus(cart, now),
  item_count: totalQuantity(cart.lines),
  subtotal: subtotalMinor(cart.lines),
  currency,
  ...presentDiscount(cart),
  created_at: cart.created_at,
  updated_at: cart.updated_at,
})
