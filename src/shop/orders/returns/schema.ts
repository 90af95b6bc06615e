import { Type } from 'typebox'
import { Id, nullable, requestBody, stringEnum, timestamps, type ValueOf } from '#schema/words.ts'
import { Quantity } from '#shop/checkout/carts/schema.ts'
import { maxOrderLines } from '#shop/orders/orders/schema.ts'

const ReturnStatus = stringEnum(['requested', 'approved', 'rejected', 'received', 'refunded'], {
  description: 'How far it has come.',
})
export type ReturnStatus = ValueOf<typeof ReturnStatus>

const kind = stringEnum(['return', 'withdrawal'], {
  description:
    'A `return` is of pieces that were sent; a `withdrawal` from the contract also of those that were not yet.',
})

const returnItem = Type.Object(
  { order_item_id: Id('The item of the order.'), quantity: Quantity },
  { additionalProperties: false, component: 'ReturnItem' },
)

/** The pieces of a return. */
export const returnItems = Type.Array(returnItem, {
  minItems: 1,
  maxItems: maxOrderLines,
  description: 'The pieces.',
})

const words = (description: string, example: string) =>
  nullable(Type.String({ minLength: 1, maxLength: 500, description, examples: [example] }))

const reason = words('Why the buyer returns them.', 'Too small')
const reply = words('What the shop answers, such as why it rejects the return.', 'They were worn.')
const restock = Type.Boolean({
  description: 'Whether the pieces go back to the stock with their refund.',
  examples: [true],
})

/** Pieces that a buyer returns. */
export const Return = Type.Object({
  id: Id('Identifies the return.'),
  order_id: Id('The order.'),
  kind,
  items: returnItems,
  status: ReturnStatus,
  restock,
  declared_by: nullable(
    Type.String({
      description: 'Who declared a withdrawal without signing in.',
      examples: ['Ada Lovelace'],
    }),
  ),
  reason,
  reply,
  ...timestamps,
})

/** Body of POST. */
export const NewReturn = requestBody(
  { items: returnItems, kind, reason: Type.Optional(reason) },
  Return,
)
export type NewReturn = ValueOf<typeof NewReturn>

/** Body of PATCH. */
export const ReturnPatch = requestBody(
  {
    status: Type.Optional(ReturnStatus),
    restock: Type.Optional(restock),
    reply: Type.Optional(reply),
    refund: Type.Optional(
      Type.Boolean({
        description: 'With `true`, the pieces of a return that was received are refunded.',
      }),
    ),
  },
  Return,
)
export type ReturnPatch = ValueOf<typeof ReturnPatch>
