import { Type } from 'typebox'
import {
  DateTime,
  EmailAddress,
  Money,
  nullable,
  requestBody,
  timestamps,
  type ValueOf,
} from '#schema/words.ts'
import { fields as productFields } from '#shop/catalogue/products/fields.ts'
import { OrderItem } from '#shop/orders/order-items/schema.ts'
import { maxOrderLines, Order, OrderStatus } from '#shop/orders/orders/schema.ts'
import { Shipping, ShippingChoice } from '#shop/orders/shipping/schema.ts'

const optional = <S extends Parameters<typeof nullable>[0]>(schema: S) =>
  Type.Optional(nullable(schema))

/** An amount of an order, of which the examples add up. */
const amountLike = (
  name: 'discount_total' | 'shipping_cost' | 'tax' | 'total' | 'refunded_total',
  example: number,
) => ({ ...Order.properties[name], examples: [example] })

/** The most pieces of one item. */
const maxQuantity = 1_000_000

/** What a row has of an item of an order. */
export const itemFields = {
  sku: Type.Optional(productFields.sku),
  name: optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The name of the item; that of the product here with the SKU if left out.',
      examples: ['Enamel kettle', 'Frying pan'],
    }),
  ),
  options: Type.Optional(OrderItem.properties.options),
  quantity: Type.Integer({
    minimum: 1,
    maximum: maxQuantity,
    description: 'The number of pieces.',
    examples: [1, 2],
  }),
  unit_price: Money({ description: 'The price of one piece.', examples: [20, 5] }),
}

const { address_id: _, ...destination } = ShippingChoice.properties
const { carrier, tracking_number, tracking_url, shipped_at, delivered_at } = Shipping.properties
const shipping = {
  ...destination,
  carrier: Type.Optional(carrier),
  tracking_number: Type.Optional(tracking_number),
  tracking_url: Type.Optional(tracking_url),
  shipped_at: Type.Optional(shipped_at),
  delivered_at: Type.Optional(delivered_at),
}

/** What a row has of its order. */
const orderFields = {
  number: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'What people call the order by.',
    examples: ['1001'],
  }),
  status: { ...OrderStatus, examples: ['delivered'] },
  created_at: DateTime({
    description: 'When the order was placed.',
    examples: ['2024-03-01T10:20:30Z'],
  }),
  external_id: Type.Optional(Order.properties.external_id),
  contact: optional(
    Type.Object(
      {
        name: optional(
          Type.String({
            maxLength: 200,
            description: 'Name of the buyer.',
            examples: ['Ada Lovelace'],
          }),
        ),
        email: optional({
          ...EmailAddress('Email address of the buyer.'),
          examples: ['ada@example.com'],
        }),
      },
      { additionalProperties: false, description: 'The buyer.' },
    ),
  ),
  shipping: optional({
    ...requestBody(shipping, Shipping),
    description: 'How and where the order was sent.',
  }),
  note: Type.Optional(Order.properties.note),
  discount_total: Type.Optional(amountLike('discount_total', 2)),
  shipping_cost: Type.Optional(amountLike('shipping_cost', 4)),
  tax: Type.Optional(amountLike('tax', 5)),
  tax_included: Type.Optional(Order.properties.tax_included),
  total: amountLike('total', 32),
  refunded_total: Type.Optional(amountLike('refunded_total', 0)),
}

const items = Type.Array(requestBody(itemFields, OrderItem), {
  minItems: 1,
  maxItems: maxOrderLines,
  description: 'The items of the order.',
})

const onlyRead = Type.Object({ ...Order.properties, ...timestamps })

/** An order of another shop. */
export const ImportedOrder = requestBody({ ...orderFields, items }, onlyRead)
export type ImportedOrder = ValueOf<typeof ImportedOrder>

/** What a row may have: an order with its items, or with one of them. */
export const ImportedRow = requestBody(
  { ...orderFields, ...itemFields, items: Type.Optional(items) },
  onlyRead,
)
