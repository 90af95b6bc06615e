import { Type } from 'typebox'
import {
  Id,
  Moment,
  Money,
  nullable,
  oneOf,
  stamps,
  type ValueOf,
  writable,
} from '#http/declare/schema.ts'
import { Quantity } from '#resources/carts/schema.ts'
import { OrderItem } from '#resources/order-items/schema.ts'
import { ShippingChoice } from '#resources/shipping/schema.ts'

/** The most different products that an order holds. */
const orderLineLimit = 100

/** Where an order stands. */
export const OrderStatus = oneOf(
  ['pending', 'paid', 'shipped', 'delivered', 'cancelled', 'refunded'],
  { description: 'Where the order stands.', examples: ['pending'] },
)
export type OrderStatus = ValueOf<typeof OrderStatus>

const note = nullable(
  Type.String({
    maxLength: 2_000,
    description: 'A word to the shop.',
    examples: ['Please ring twice.'],
  }),
)

/** What a user has ordered; prices are frozen as they were then. */
export const Order = Type.Object({
  id: Id('Identifies the order.'),
  user_id: nullable(Id('Who ordered; null once that user is erased.')),
  status: OrderStatus,
  currency: Type.String({ description: 'ISO 4217 code.', examples: ['USD'] }),
  item_count: Type.Integer({ description: 'Pieces, over all items.', examples: [3] }),
  subtotal: Money({ description: 'What the items cost.' }),
  shipping_cost: Money({ description: 'What the method of shipping costs.' }),
  tax: Money({ description: 'Tax on top of the prices, which include theirs.' }),
  total: Money({ description: 'What is to be paid.' }),
  note,
  expires_at: nullable(Moment({ description: 'When an unpaid order is cancelled.' })),
  ...stamps,
})

const line = {
  ...writable({ product_id: OrderItem.properties.product_id, quantity: Quantity }, OrderItem),
  component: 'OrderLine',
}

const items = Type.Array(line, {
  minItems: 1,
  maxItems: orderLineLimit,
  description: 'What is ordered, each product once.',
})

const shipping = Type.Optional({
  ...ShippingChoice,
  component: 'ShippingChoice',
  description: 'How and where to send it.',
})

const withEmbedded = Type.Object({ ...Order.properties, payments: Type.Null() })

/** What POST takes; without items, the cart is ordered. */
export const NewOrder = writable(
  {
    items: Type.Optional(items),
    shipping,
    note: Type.Optional(note),
    expected_total: Type.Optional(
      Money({ description: 'Refuses the order when its total is another.' }),
    ),
  },
  withEmbedded,
)
export type NewOrder = ValueOf<typeof NewOrder>

/** What PUT takes; items and shipping that are left out stay as they are. */
export const OrderBody = writable(
  {
    items: Type.Optional(items),
    shipping,
    note: Type.Optional(note),
  },
  withEmbedded,
)
export type OrderBody = ValueOf<typeof OrderBody>

/** What PATCH takes. */
export const OrderPatch = writable(
  { status: Type.Optional(OrderStatus), note: Type.Optional(note) },
  withEmbedded,
)
export type OrderPatch = ValueOf<typeof OrderPatch>

/** What orders can be filtered by. */
export const OrderFilters = Type.Object({
  status: Type.Optional(OrderStatus),
  user_id: Type.Optional(Id('Only orders of this user; for administrators.')),
})
export type OrderFilters = ValueOf<typeof OrderFilters>
