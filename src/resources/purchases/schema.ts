import { Type } from 'typebox'
import { Id, Moment, Money, nullable, stamps, type ValueOf } from '#http/declare/schema.ts'

/** That somebody bought a product: one line of a paid order. */
export const Purchase = Type.Object({
  id: Id('Identifies the purchase.'),
  user_id: nullable(Id('Who bought; null once that user is erased.')),
  product_id: Id('The product bought.'),
  order_id: Id('The order it was bought with.'),
  quantity: Type.Integer({ minimum: 1, description: 'How many pieces.', examples: [2] }),
  unit_price: Money({ description: 'What one piece cost.' }),
  purchased_at: Moment({ description: 'When the order was paid.' }),
  ...stamps,
})

/** What purchases can be filtered by. */
export const PurchaseFilters = Type.Object({
  user_id: Type.Optional(
    Id('Only what this user bought; anyone but an administrator names nobody else.'),
  ),
  product_id: Type.Optional(Id('Only purchases of this product.')),
  order_id: Type.Optional(Id('Only purchases of this order.')),
})
export type PurchaseFilters = ValueOf<typeof PurchaseFilters>
