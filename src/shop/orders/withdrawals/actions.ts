import { findOrder, type OrderState } from '#shop/orders/orders/store.ts'
import { orders } from '#shop/orders/orders/table.ts'
import { piecesByItem } from '#shop/orders/parcels/quantities.ts'
import { readToSend } from '#shop/orders/parcels/store.ts'
import type { ItemQuantity } from '#shop/orders/parcels/table.ts'
import { createReturn } from '#shop/orders/returns/actions.ts'
import { piecesToReturn } from '#shop/orders/returns/claims.ts'
import { isReturnable } from '#shop/orders/returns/rules.ts'
import type { Shop } from '#shop/shop.ts'
import type { Db } from '#store/database.ts'
import { accountKey } from '#values/account-key.ts'
import type { Instant } from '#values/instant.ts'
import { textKey } from '#values/text-key.ts'
import type { WithdrawalBody } from './schema.ts'

/** Returns the order with a number, if it was placed with an address. */
async function findDeclared(
  db: Db,
  { order_number, email }: WithdrawalBody,
): Promise<OrderState | undefined> {
  const found = await orders.find(db, { number_key: textKey(order_number) })
  if (!found?.contact_email || accountKey(found.contact_email) !== accountKey(email)) {
    return undefined
  }
  return findOrder(db, found.id)
}

/** Returns what is left of the requested pieces; all that is left where none are requested. */
function declaredPieces(
  requested: readonly ItemQuantity[] | undefined,
  left: readonly ItemQuantity[],
): readonly ItemQuantity[] {
  if (!requested) return left
  const wanted = piecesByItem([{ items: requested }])
  return left.flatMap(({ order_item_id, quantity }) => {
    const pieces = Math.min(quantity, wanted.get(order_item_id) ?? 0)
    return pieces > 0 ? [{ order_item_id, quantity: pieces }] : []
  })
}

/**
 * Withdraws from the contract for pieces of the order with this number and address (Directive (EU) 2023/2673), as far as
 * they are left and the time is not over. Does nothing otherwise: the answer tells strangers nothing.
 */
export async function withdraw(
  db: Db,
  body: WithdrawalBody,
  shop: Shop,
  now: Instant,
): Promise<void> {
  const order = await findDeclared(db, body)
  if (!order || order.deleted_at !== null || !isReturnable(order, shop, now)) return
  const { items, claims } = await readToSend(db, order)
  const pieces = declaredPieces(body.items, piecesToReturn(items, claims, 'withdrawal'))
  if (pieces.length === 0) return
  const declared = { items: pieces, kind: 'withdrawal', declared_by: body.name } as const
  await createReturn(db, order, declared, shop, now)
}
