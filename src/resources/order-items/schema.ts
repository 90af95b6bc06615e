import { Type } from 'typebox'
import { Id, Money, stamps } from '#http/declare/schema.ts'
import { Quantity } from '#resources/carts/schema.ts'

/** One product in an order. */
export const OrderItem = Type.Object({
  id: Id('Identifies the item.'),
  product_id: Id('The product.'),
  name: Type.String({
    description: 'The name of the product when it was ordered.',
    examples: ['Enamel kettle'],
  }),
  unit_price: Money({ description: 'What one piece cost when it was ordered.' }),
  quantity: Quantity,
  line_total: Money({ description: 'What all pieces cost.' }),
  ...stamps,
})
