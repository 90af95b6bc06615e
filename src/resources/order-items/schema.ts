import { Type } from 'typebox'
import { Id, Money, timestamps } from '#http/declare/schema.ts'
import { Quantity } from '#resources/carts/schema.ts'

/** An item of an order: one product, its price and quantity. */
export const OrderItem = Type.Object({
  id: Id('Identifies the item.'),
  product_id: Id('The product ordered.'),
  name: Type.String({
    description: 'The name of the product when it was ordered.',
    examples: ['Enamel kettle'],
  }),
  unit_price: Money({ description: 'Price of one piece when it was ordered.' }),
  quantity: Quantity,
  line_total: Money({ description: 'Price of all pieces.' }),
  ...timestamps,
})
