import { Type } from 'typebox'
import {
  DateTime,
  Id,
  listOf,
  Money,
  nullable,
  protectedField,
  requestBody,
  stringEnum,
  timestamps,
  type ValueOf,
} from '#schema/words.ts'
import { maxMergedLines, Quantity } from '#shop/checkout/carts/schema.ts'
import { AppliedDiscount, EnteredCode } from '#shop/checkout/discounts/schema.ts'
import { OrderItem } from '#shop/orders/order-items/schema.ts'
import { ShippingChoice } from '#shop/orders/shipping/schema.ts'

/** Maximum number of different products in an order: that of a cart. */
export const maxOrderLines = maxMergedLines

/** The status of an order. */
export const OrderStatus = stringEnum(
  ['pending', 'paid', 'shipped', 'delivered', 'cancelled', 'refunded'],
  { description: 'The status of the order.', examples: ['pending'] },
)
export type OrderStatus = ValueOf<typeof OrderStatus>

/** Why an order was cancelled. */
export const CancelReason = stringEnum(
  ['requested', 'expired', 'refunded', 'stock_needed', 'discount_needed'],
  {
    description:
      'Why the order was cancelled; with `stock_needed` and `discount_needed`, another order needed what it held unpaid.',
    examples: ['expired'],
  },
)
export type CancelReason = ValueOf<typeof CancelReason>

/** Where an order comes from. */
const OrderSource = stringEnum(['api', 'import'], {
  description: '`import`: from the history of another shop; `api`: placed here.',
  examples: ['api'],
})
export type OrderSource = ValueOf<typeof OrderSource>

const note = nullable(
  Type.String({
    maxLength: 2_000,
    description: 'A note to the shop.',
    examples: ['Please ring twice.'],
  }),
)

const external_id = nullable(
  Type.String({
    minLength: 1,
    maxLength: 200,
    description:
      'The ID of the order in another system; unique. Only an administrator can set it; a PUT without it keeps it.',
    examples: ['ERP-4711'],
  }),
)
const settableId = Type.Optional(protectedField(external_id, 'administrators-any-credential'))

/** An order, with prices as they were when it was placed. */
export const Order = Type.Object({
  id: Id('Identifies the order.'),
  number: Type.String({
    description: 'What people call the order by; unique.',
    examples: ['1001'],
  }),
  source: OrderSource,
  user_id: nullable(Id('The user who ordered; null once erased.')),
  status: OrderStatus,
  cancel_reason: nullable(CancelReason),
  currency: Type.String({ description: 'ISO 4217 code.', examples: ['USD'] }),
  item_count: Type.Integer({ description: 'Number of pieces over all items.', examples: [3] }),
  subtotal: Money({ description: 'Sum of the items, before the discount.' }),
  shipping_cost: Money({ description: 'Cost of the shipping method.' }),
  tax: Money({ description: 'All tax, on items and shipping.' }),
  total: Money({ description: 'Amount to pay.' }),
  refunded_total: Money({ description: 'What was returned of it.' }),
  discount: AppliedDiscount,
  discount_total: Money({ description: 'What the discount takes off.' }),
  tax_included: Type.Boolean({
    description: 'Whether the prices include the tax; otherwise the total adds it.',
    examples: [true],
  }),
  contact: Type.Object(
    {
      name: nullable(
        Type.String({ description: 'Name of the buyer.', examples: ['Ada Lovelace'] }),
      ),
      email: nullable(
        Type.String({ description: 'Email address of the buyer.', examples: ['ada@example.com'] }),
      ),
    },
    { description: 'The buyer when the order was placed; null once erased.' },
  ),
  note,
  external_id,
  expires_at: nullable(DateTime({ description: 'When the order is cancelled unless paid.' })),
  ...timestamps,
})

const line = {
  ...requestBody({ product_id: Id('The product ordered.'), quantity: Quantity }, OrderItem),
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

const withEmbedded = Type.Object({
  ...Order.properties,
  parcels: Type.Array(Type.Object({})),
  payments: Type.Array(Type.Object({})),
})

/** Body of POST; without items, the cart is ordered. */
export const NewOrder = requestBody(
  {
    items: Type.Optional(items),
    shipping,
    note: Type.Optional(note),
    external_id: settableId,
    expected_total: Type.Optional(Money({ description: 'Answers 409 unless the total is this.' })),
    discount_code: Type.Optional(
      nullable({
        ...EnteredCode,
        description:
          'The code of a discount; by default that of the cart when the cart is ordered. Null for none.',
      }),
    ),
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
    external_id: settableId,
    discount_code: Type.Optional(
      nullable({
        ...EnteredCode,
        description: 'Null removes the discount; omitted, it stays. Takes no other code.',
      }),
    ),
  },
  withEmbedded,
)
export type OrderBody = ValueOf<typeof OrderBody>

/** Body of PATCH. */
export const OrderPatch = requestBody(
  { status: Type.Optional(OrderStatus), note: Type.Optional(note), external_id: settableId },
  withEmbedded,
)
export type OrderPatch = ValueOf<typeof OrderPatch>

/** Filters of order lists. */
export const OrderFilters = Type.Object({
  status: Type.Optional(listOf(OrderStatus, 'Only orders with this status.')),
  user_id: Type.Optional(
    Id('Only orders of this user. Another user than the caller: administrators only.'),
  ),
  number: Type.Optional(
    Type.String({ description: 'Only the order with this number, ignoring case.' }),
  ),
  external_id: Type.Optional(
    Type.String({ description: 'Only the order with this ID of another system.' }),
  ),
  q: Type.Optional(
    Type.String({
      description:
        'Only orders that have words that begin with all these, in number, ID, contact name and email, recipient, tracking number or an SKU, ignoring case and accents. New orders and changes are found within two seconds. Administrators only.',
    }),
  ),
})
export type OrderFilters = ValueOf<typeof OrderFilters>
