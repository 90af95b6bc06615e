import { resourceWord } from '#i18n/message.ts'
import { lockUser } from '#shop/accounts/users/store.ts'
import {
  hasStockFor,
  requireBuyableProduct,
  type Sellable,
} from '#shop/catalogue/products/sellable.ts'
import { findDiscountByCode } from '#shop/checkout/discounts/discounts.ts'
import { coveringBelow } from '#shop/checkout/discounts/scope.ts'
import { hasUsedUp } from '#shop/checkout/discounts/uses.ts'
import type { Db } from '#store/database.ts'
import { writeBatch } from '#store/query/write-batch.ts'
import type { Instant } from '#values/instant.ts'
import { Problem, problem } from '#values/problem.ts'
import { findProductInCart, type ProductInCart } from './product-in-cart-store.ts'
import {
  type Cart,
  type CartLine,
  cartDiscountReason,
  mergeLines,
  type PricedCart,
  type PricedLine,
  priceCart,
  requireAddableProduct,
} from './rules.ts'
import * as store from './store.ts'
import { cartItems } from './table.ts'

/** Returns the cart of a user with the shares of its discount. */
export async function loadCart(
  db: Db,
  userId: number,
  now: Instant,
): Promise<PricedCart | undefined> {
  const cart = await store.findCart(db, userId)
  return cart && priceCart(cart, now)
}

/** Adds their shares of the discount of the cart to lines of a user; reads the cart if it has one. */
export async function priceLines(
  db: Db,
  lines: readonly CartLine[],
  now: Instant,
): Promise<PricedLine[]> {
  const [first] = lines
  const cart = first?.discount_code ? await loadCart(db, first.user_id, now) : undefined
  const shares = new Map(cart?.lines.map(({ id, discount }) => [id, discount]))
  return lines.map((line) => ({ ...line, discount: shares.get(line.id) ?? 0 }))
}

/** Returns a line of a user's cart with its share of the discount. */
export async function loadLine(
  db: Db,
  userId: number,
  itemId: number,
  now: Instant,
): Promise<PricedLine | undefined> {
  const line = await store.findLine(db, userId, itemId)
  return line && (await priceLines(db, [line], now))[0]
}

/**
 * Sets the discount of a cart by its code. Throws 409/4091, saying why, when the cart cannot use it.
 */
export async function applyDiscount(
  db: Db,
  cart: Cart,
  code: string,
  now: Instant,
): Promise<PricedCart> {
  const discount = await coveringBelow(db, await findDiscountByCode(db, code), cart.lines)
  const is_discount_used_up = await hasUsedUp(db, discount, {
    userId: cart.user_id,
    email: cart.confirmed_email,
  })
  const changed = { ...cart, discount, discount_code: code, is_discount_used_up }
  const reason = cartDiscountReason(changed, now)
  if (reason) throw new Problem('4091', reason)
  // The code as the shop writes it, as in orders.
  const discountCode = discount?.code ?? code
  if (discountCode === cart.discount_code) return priceCart(cart, now)
  await writeBatch(db, [store.setDiscountStatement(cart.user_id, discountCode, now)])
  const revision = cart.revision + 1
  return priceCart({ ...changed, discount_code: discountCode, revision, updated_at: now }, now)
}

/** Removes the discount of a cart. */
export async function removeDiscount(db: Db, cart: Cart, now: Instant): Promise<void> {
  if (cart.discount_code === null) return
  await writeBatch(db, [store.setDiscountStatement(cart.user_id, null, now)])
}

/** Pieces of a product that somebody wants to order. */
export interface WantedPieces {
  readonly product: Sellable & { readonly id: number }
  readonly quantity: number
  /** The network for which the order would hold them; null for an administrator. */
  readonly network: string | null
}

/** Tells whether unpaid orders of others would yield what the stock lacks. */
export type WouldYield = (db: Db, wanted: WantedPieces) => Promise<boolean>

/** Returns the product; where others would yield what it lacks, as if it were in stock. */
async function withYielding<P extends WantedPieces['product']>(
  db: Db,
  product: P,
  quantity: number,
  { network, wouldYield }: CartChange,
): Promise<P> {
  if (hasStockFor(product, quantity)) return product
  const isFree = await wouldYield(db, { product, quantity, network })
  return isFree ? { ...product, stock: quantity, availability: 'in_stock' } : product
}

/** The circumstances of a change of a cart. */
interface CartChange {
  readonly network: string | null
  readonly wouldYield: WouldYield
  readonly now: Instant
}

/**
 * Adds units of a product to a user's cart. Throws 422/4221 for an unknown product, 409/4091 when
 * it cannot be bought or the cart would exceed a limit, 409/4093 when the stock is too small, and
 * 410/4101 when the user was removed meanwhile.
 * Takes three statements, on PostgreSQL in two round trips; more where the stock is too small.
 */
export async function addToCart(
  db: Db,
  userId: number,
  { product_id: productId, quantity }: { readonly product_id: number; readonly quantity: number },
  change: CartChange,
): Promise<{ readonly line: PricedLine; readonly isNew: boolean }> {
  const { now } = change
  await lockUser(db, userId)
  const found = await findProductInCart(db, { userId, productId })
  const total = quantity + (found?.quantity_in_cart ?? 0)
  const product = requireAddableProduct(
    found && (await withYielding(db, found, total, change)),
    quantity,
  )
  // A guest may have been merged into an account since the request began.
  if (product.buyer_removed_at !== null)
    throw problem('4101', 'detail.gone', { name: resourceWord('user') })
  const { line_id: id, line_created_at, quantity_in_cart } = product
  const line = {
    id,
    user_id: userId,
    product_id: productId,
    quantity: (quantity_in_cart ?? 0) + quantity,
    created_at: line_created_at ?? now,
    updated_at: now,
  }
  await writeBatch(db, [store.upsertLineStatement(line), store.touchCartStatement(userId, now)])
  const [priced] = await priceLines(db, [{ ...line, ...productColumnsOf(product) }], now)
  return { isNew: quantity_in_cart === null, line: priced as PricedLine }
}

/** The columns of a line that its product and its cart decide. */
const productColumnsOf = (product: ProductInCart) => ({
  name: product.name,
  price: product.price,
  variant_of: product.variant_of,
  options: product.options,
  category: product.category,
  availability: product.availability,
  stock: product.stock,
  backorder: product.backorder,
  variant_count: product.variant_count,
  status: product.status,
  parent_status: product.parent_status,
  product_revision: product.revision,
  product_updated_at: product.updated_at,
  product_deleted_at: product.deleted_at,
  discount_code: product.discount_code,
})

/** Sets the quantity of a line. Throws 409/4091 or 409/4093 when it cannot be bought. */
export async function changeLine(
  db: Db,
  line: PricedLine,
  quantity: number | undefined,
  change: CartChange,
): Promise<PricedLine> {
  if (quantity === undefined || quantity === line.quantity) return line
  const { now } = change
  const product = { ...line, id: line.product_id, deleted_at: line.product_deleted_at }
  requireBuyableProduct(await withYielding(db, product, quantity, change), quantity)
  await writeBatch(db, [
    cartItems.updateWrite({ id: line.id, user_id: line.user_id }, { quantity, updated_at: now }),
    store.touchCartStatement(line.user_id, now),
  ])
  const [priced = line] = await priceLines(db, [{ ...line, quantity, updated_at: now }], now)
  return priced
}

/** Removes a line from its cart. */
export async function removeFromCart(db: Db, line: CartLine, now: Instant): Promise<void> {
  await writeBatch(db, [
    cartItems.deleteWrite({ id: line.id, user_id: line.user_id }),
    store.touchCartStatement(line.user_id, now),
  ])
}

/** Removes all lines of a cart, and its discount. */
export async function emptyCart(
  db: Db,
  { user_id, discount_code }: Cart,
  now: Instant,
): Promise<void> {
  const taken = await store.removeLines(db, user_id)
  if (taken.length > 0 || discount_code !== null)
    await writeBatch(db, [store.setDiscountStatement(user_id, null, now)])
}

/** Adds the lines of another cart to a cart, and its discount if there is none; both are locked. */
export async function mergeCarts(
  db: Db,
  { from, to }: { readonly from: number; readonly to: number },
  now: Instant,
): Promise<void> {
  const other = await store.findCart(db, from)
  const own = await store.findCart(db, to)
  if (!own || !other || other.lines.length === 0) return
  await store.setQuantities(db, to, mergeLines(own.lines, other.lines), now)
  const code = own.discount_code ?? other.discount_code
  await writeBatch(db, [store.setDiscountStatement(to, code, now)])
}
