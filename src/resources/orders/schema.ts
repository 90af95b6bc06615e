import { Type } from 'typebox'
import {
  DateTime,
  Id,
  Money,
  nullable,
  requestBody,
  stringEnum,
  timestamps,
  type ValueOf,
} from '#http/declare/schema.ts'
import { Quantity } from '#resources/carts/schema.ts'
import { OrderItem } from '#resources/order-items/schema.ts'
import { ShippingChoice } from '#resources/shipping/schema.ts'

/** Maximum number of different products in an order. */
const maxOrderLines = 100

/** The status of an order. */
export const OrderStatus = stringEnum(
  ['pending', 'paid', 'shipped', 'delivered', 'cancelled', 'refunded'],
  { description: 'The status of the order.', examples: ['pending'] },
)
export type OrderStatus = ValueOf<typeof OrderStatus>

const note = nullable(
  Type.String({
    maxLength: 2_000,
    description: 'A note to the shop.',
    examples: ['Please ring twice.'],
  }),
)

/** An order, with prices as they were when it was placed. */
export const Order = Type.Object({
  id: Id('Identifies the order.'),
  user_id: nullable(Id('The user who ordered; null once erased.')),
  status: OrderStatus,
  currency: Type.String({ description: 'ISO 4217 code.', examples: ['USD'] }),
  item_count: Type.Integer({ description: 'Number of pieces over all items.', examples: [3] }),
  subtotal: Money({ description: 'Sum of the items.' }),
  shipping_cost: Money({ description: 'Cost of the shipping method.' }),
  tax: Money({ description: 'Tax added to the prices, which already include tax.' }),
  total: Money({ description: 'Amount to pay.' }),
  note,
  expires_at: nullable(DateTime({ description: 'When the order is cancelled unless paid.' })),
  ...timestamps,
})

const line = {
  ...requestBody({ product_id: OrderItem.properties.product_id, quantity: Quantity }, OrderItem),
  component: 'OrderLine',
}

const items = Type.Array(line, {
  minItems: 1,
  maxItems: maxOrderLines,
  description: 'The items to order, each product once.',
})

const shipping = Type.Optional({
  ...ShippingChoice,
  component: 'ShippingChoice',
  description: 'How and where to send the order.',
})

const withEmbedded = Type.Object({ ...Order.properties, payments: Type.Null() })

/** Body of POST; without items, the cart is ordered. */
export const NewOrder = requestBody(
  {
    items: Type.Optional(items),
    shipping,
    note: Type.Optional(note),
    expected_total: Type.Optional(Money({ description: 'Answers 409 unless the total is this.' })),
  },
  withEmbedded,
)
export type NewOrder = ValueOf<typeof NewOrder>

/** Body of PUT; omitted items and shipping stay unchanged. */
export const OrderBody = requestBody(
  {
    items: Type.Optional(items),
    shipping,
    note: Type.Optional(note),
  },
  withEmbedded,
)
export type OrderBody = ValueOf<typeof OrderBody>

/** Body of PATCH. */
export const OrderPatch = requestBody(
  { status: Type.Optional(OrderStatus), note: Type.Optional(note) },
  withEmbedded,
)
export type OrderPatch = ValueOf<typeof OrderPatch>

/** Filters of order lists. */
export const OrderFilters = Type.Object({
  status: Type.Optional(OrderStatus),
  user_id: Type.Optional(
    Id('Only orders of this user. Another user than the caller: administrators only.'),
  ),
})
export type OrderFilters = ValueOf<typeof OrderFilters>
