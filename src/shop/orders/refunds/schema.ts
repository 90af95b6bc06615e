import { Type } from 'typebox'
import {
  Id,
  Money,
  nullable,
  requestBody,
  stringEnum,
  timestamps,
  type ValueOf,
} from '#schema/words.ts'
import { Quantity } from '#shop/checkout/carts/schema.ts'
import { maxOrderLines } from '#shop/orders/orders/schema.ts'

/** How far a refund has come. */
const RefundStatus = stringEnum(['pending', 'succeeded', 'failed'], {
  description: 'pending: the provider has not decided; it takes effect once succeeded.',
})

const returnedItem = Type.Object(
  { order_item_id: Id('The item of the order.'), quantity: Quantity },
  { additionalProperties: false, component: 'RefundItem' },
)

const reason = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Why the money is returned.',
  examples: ['Arrived broken'],
})

/** Money that goes back to the buyer of an order. */
export const Refund = Type.Object({
  id: Id('Identifies the refund.'),
  order_id: Id('The order.'),
  payment_id: Id('The payment that is returned.'),
  amount: Money({ description: 'What the buyer gets back.' }),
  currency: Type.String({ description: 'ISO 4217 code.', examples: ['USD'] }),
  items: Type.Array(returnedItem, { description: 'The pieces that are refunded.' }),
  shipping: Type.Boolean({ description: 'Whether the shipping cost is refunded.' }),
  restock: Type.Boolean({ description: 'Whether the pieces go back to the stock.' }),
  status: RefundStatus,
  reason: nullable(reason),
  failure: nullable(
    Type.String({ description: 'Why the provider rejected it.', examples: ['expired_card'] }),
  ),
  ...timestamps,
})

/** Body of POST; with neither amount, items nor shipping, all that is left is refunded. */
export const RefundBody = requestBody(
  {
    amount: Type.Optional(
      Money({ description: 'An amount above 0, without pieces and shipping cost.' }),
    ),
    items: Type.Optional(
      Type.Array(returnedItem, {
        minItems: 1,
        maxItems: maxOrderLines,
        description: 'The pieces to refund.',
      }),
    ),
    shipping: Type.Optional(Type.Boolean({ description: 'Refunds the shipping cost.' })),
    reason: Type.Optional(nullable(reason)),
    restock: Type.Optional(
      Type.Boolean({
        description: 'Puts the pieces back to the stock; true by default. Not with an amount.',
      }),
    ),
  },
  Refund,
)
export type RefundBody = ValueOf<typeof RefundBody>
