import type { Db } from '#db/database.ts'
import { createMessage } from '#i18n/message.ts'
import { requireBuyable } from '#resources/products/rules.ts'
import type { Instant } from '#values/instant.ts'
import { fieldProblem, problem } from '#values/problem.ts'
import type { Cart, CartLine } from './rules.ts'
import { lineLimit, quantityLimit } from './schema.ts'
import * as store from './store.ts'

/**
 * Puts pieces of a product in a user's cart; refused with 422 for an unknown product and with 409
 * when it cannot be bought, is short, or the cart would overflow. Three queries, on PostgreSQL one.
 */
export async function addToCart(
  db: Db,
  userId: number,
  wanted: { readonly product_id: number; readonly quantity: number },
  now: Instant,
): Promise<{ readonly line: CartLine; readonly isNew: boolean }> {
  const { product_id: productId, quantity } = wanted
  const addition = { userId, productId, quantity, now }
  const { offer, added } = await store.findOfferAdding(db, addition)
  if (!offer) {
    throw fieldProblem([{ field: 'product_id', message: createMessage('field.unknown_product') }])
  }
  const row = added ?? (await addByRules(db, offer, addition))
  const { name, price_minor, availability, stock, revision, updated_at, deleted_at } = offer
  const product = { name, price_minor, availability, stock }
  return {
    // Not by what the offer said: somebody may have begun the line in the meantime.
    isNew: row.quantity === quantity,
    line: {
      ...row,
      ...product,
      product_revision: revision,
      product_updated_at: updated_at,
      product_deleted_at: deleted_at,
    },
  }
}

async function addByRules(db: Db, offer: store.ProductOffer, addition: store.Addition) {
  requireBuyable(offer, addition.quantity + (offer.pieces_in_cart ?? 0))
  if (offer.pieces_in_cart === null && offer.lines_in_cart >= lineLimit) {
    throw problem('4091', 'cart.item_limit', { limit: lineLimit })
  }
  const row = await store.addPieces(db, addition)
  if (!row) throw problem('4091', 'cart.quantity_limit', { limit: quantityLimit })
  await store.touchCart(db, addition.userId, addition.now)
  return row
}

/** Sets how many pieces a line holds; refused with 409 when they cannot be bought. */
export async function changeLine(
  db: Db,
  line: CartLine,
  quantity: number | undefined,
  now: Instant,
): Promise<CartLine> {
  if (quantity === undefined || quantity === line.quantity) return line
  requireBuyable({ ...line, deleted_at: line.product_deleted_at }, quantity)
  await store.changeQuantity(db, line, quantity, now)
  await store.touchCart(db, line.user_id, now)
  return { ...line, quantity, updated_at: now }
}

/** Takes a line out of its cart. */
export async function removeFromCart(db: Db, line: CartLine, now: Instant): Promise<void> {
  await store.removeLine(db, line)
  await store.touchCart(db, line.user_id, now)
}

/** Takes every line out of a cart. */
export async function emptyCart(db: Db, { user_id }: Cart, now: Instant): Promise<void> {
  const taken = await store.takeLines(db, user_id)
  if (taken.length > 0) await store.touchCart(db, user_id, now)
}
