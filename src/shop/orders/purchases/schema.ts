import { Type } from 'typebox'
import { DateTime, Id, Money, nullable, timestamps, type ValueOf } from '#schema/words.ts'

/** A purchase in responses. */
export const Purchase = Type.Object({
  id: Id(),
  user_id: nullable(Id('The ID of the buyer; null once that user is erased.')),
  product_id: Id(),
  order_id: Id(),
  quantity: Type.Integer({ minimum: 1, description: 'The number of units.', examples: [2] }),
  unit_price: Money({ description: 'The price of one unit at the time of the order.' }),
  purchased_at: DateTime({ description: 'When the order was paid.' }),
  ...timestamps,
})

/** The filters of the purchase list. */
export const PurchaseFilters = Type.Object({
  user_id: Type.Optional(
    Id('Only purchases of this user; only administrators may name another user.'),
  ),
  product_id: Type.Optional(Id('Only purchases of this product.')),
  order_id: Type.Optional(Id('Only purchases of this order.')),
})
export type PurchaseFilters = ValueOf<typeof PurchaseFilters>
