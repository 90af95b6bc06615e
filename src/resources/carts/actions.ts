import type { Db } from '#db/database.ts'
import { writeBatch } from '#db/query/write-together.ts'
import { requireBuyable } from '#resources/products/rules.ts'
import type { Instant } from '#values/instant.ts'
import { type Cart, type CartLine, requireAddable } from './rules.ts'
import * as store from './store.ts'

/**
 * Adds units of a product to a user's cart. Throws 422/4221 for an unknown product, 409/4091 when
 * it cannot be bought or the cart would exceed a limit, and 409/4093 when the stock is too small.
 * Takes three statements, on PostgreSQL in two round trips.
 */
export async function addToCart(
  db: Db,
  userId: number,
  { product_id: productId, quantity }: { readonly product_id: number; readonly quantity: number },
  now: Instant,
): Promise<{ readonly line: CartLine; readonly isNew: boolean }> {
  await store.lockCart(db, userId)
  const offer = requireAddable(await store.findProductOffer(db, { userId, productId }), quantity)
  const { name, price_minor, availability, stock, revision, updated_at, deleted_at } = offer
  const { line_id: id, line_created_at, pieces_in_cart } = offer
  const line = {
    id,
    user_id: userId,
    product_id: productId,
    quantity: (pieces_in_cart ?? 0) + quantity,
    created_at: line_created_at ?? now,
    updated_at: now,
  }
  await writeBatch(db, [store.upsertLineStatement(line), store.touchCartStatement(userId, now)])
  const product = {
    ...{ name, price_minor, availability, stock },
    product_revision: revision,
    product_updated_at: updated_at,
    product_deleted_at: deleted_at,
  }
  return { isNew: pieces_in_cart === null, line: { ...line, ...product } }
}

/** Sets the quantity of a line. Throws 409/4091 or 409/4093 when it cannot be bought. */
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

/** Removes a line from its cart. */
export async function removeFromCart(db: Db, line: CartLine, now: Instant): Promise<void> {
  await store.removeLine(db, line)
  await store.touchCart(db, line.user_id, now)
}

/** Removes all lines of a cart. */
export async function emptyCart(db: Db, { user_id }: Cart, now: Instant): Promise<void> {
  const taken = await store.removeLines(db, user_id)
  if (taken.length > 0) await store.touchCart(db, user_id, now)
}
