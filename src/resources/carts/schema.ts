import { Type } from 'typebox'
import { Id, Money, oneOf, stamps, type ValueOf, writable } from '#http/declare/schema.ts'

/** The most pieces of one product that a line holds. */
export const quantityLimit = 999
/** The most different products that a cart holds. */
export const lineLimit = 100

/** How many pieces of a product a line holds. */
export const Quantity = Type.Integer({
  minimum: 1,
  maximum: quantityLimit,
  description: 'How many pieces.',
  examples: [2],
})

/** One product in a cart. */
export const CartItem = Type.Object({
  id: Id('Identifies the line.'),
  product_id: Id('The product.'),
  name: Type.String({ description: 'The name of the product.', examples: ['Enamel kettle'] }),
  unit_price: Money({ description: 'What one piece costs now.' }),
  quantity: Quantity,
  line_total: Money({ description: 'What the line costs now.' }),
  ...stamps,
})

/** What POST takes to put a product in a cart. */
export const CartItemBody = writable(
  { product_id: CartItem.properties.product_id, quantity: Quantity },
  CartItem,
)

/** What PATCH takes to change a line. */
export const CartItemPatch = writable({ quantity: Type.Optional(Quantity) }, CartItem)
export type CartItemPatch = ValueOf<typeof CartItemPatch>

const CartState = oneOf(['empty', 'active', 'abandoned'], {
  description: 'abandoned: untouched for 24 hours.',
})

const sums = {
  status: CartState,
  item_count: Type.Integer({ description: 'Pieces, over all lines.', examples: [3] }),
  subtotal: Money({ description: 'What all lines cost now.' }),
  currency: Type.String({ description: 'ISO 4217 code.', examples: ['USD'] }),
}

/** A user's cart; its lines are embedded as `items`. */
export const Cart = Type.Object({ user_id: Id('Whose cart it is.'), ...sums, ...stamps })

/** Why a line stands in the way of ordering. */
export const ProblemCode = oneOf(['unavailable', 'out_of_stock', 'insufficient_stock'], {
  description: 'What is the matter with the line.',
})
export type ProblemCode = ValueOf<typeof ProblemCode>

/** Whether a cart can be ordered as it is. */
export const CartStatus = Type.Object({
  ...sums,
  checkout_ready: Type.Boolean({ description: 'True when it can be ordered as it is.' }),
  problems: Type.Array(
    Type.Object({
      item_id: Id('The line in question.'),
      code: ProblemCode,
      message: Type.String({
        description: 'The same in a sentence.',
        examples: ['Enamel kettle: 3 requested, 2 in stock.'],
      }),
    }),
    { description: 'Why it cannot be ordered; empty where it can.' },
  ),
  ...stamps,
})
