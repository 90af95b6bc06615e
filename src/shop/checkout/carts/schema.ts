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
import { ProductOptions } from '#shop/catalogue/products/fields.ts'
import { AppliedDiscount, EnteredCode } from '#shop/checkout/discounts/schema.ts'

/** The maximum quantity of a line. */
export const maxQuantity = 999
/** The number of lines in a cart from which on no further product can be added. */
export const maxLines = 100
/** The maximum number of lines in a cart that takes over another one: two full carts fit. */
export const maxMergedLines = 2 * maxLines

/** The quantity of a line. */
export const Quantity = Type.Integer({
  minimum: 1,
  maximum: maxQuantity,
  description: 'The number of units.',
  examples: [2],
})

/** A line of a cart in responses. */
export const CartItem = Type.Object({
  id: Id(),
  product_id: Id(),
  name: Type.String({ description: 'The name of the product.', examples: ['Enamel kettle'] }),
  options: ProductOptions,
  unit_price: Money({ description: 'The current price of one unit.' }),
  quantity: Quantity,
  line_total: Money({ description: 'The quantity times the current price.' }),
  discount: Money({ description: 'The share of the discount of the cart.' }),
  ...timestamps,
})

/** The body of POST. */
export const CartItemBody = requestBody(
  { product_id: CartItem.properties.product_id, quantity: Quantity },
  CartItem,
)

/** The body of PATCH. */
export const CartItemPatch = requestBody({ quantity: Type.Optional(Quantity) }, CartItem)
export type CartItemPatch = ValueOf<typeof CartItemPatch>

/** The body of PUT of the discount of a cart. */
export const CartDiscountBody = Type.Object({ code: EnteredCode }, { additionalProperties: false })

const CartState = stringEnum(['empty', 'active', 'abandoned'], {
  description: 'A cart with items is abandoned 24 hours after its last change.',
})

const totals = {
  status: CartState,
  item_count: Type.Integer({ description: 'The sum of the quantities.', examples: [3] }),
  subtotal: Money({ description: 'The sum of the items at current prices, before the discount.' }),
  discount: AppliedDiscount,
  discount_total: Money({ description: 'The amount that the discount takes off.' }),
  currency: Type.String({ description: 'The ISO 4217 code of the currency.', examples: ['USD'] }),
}

/** A cart in responses; its lines are embedded as `items`. */
export const Cart = Type.Object({ user_id: Id(), ...totals, ...timestamps })

/** The reason why a line or the whole cart cannot be ordered. */
export const ProblemCode = stringEnum(
  ['unavailable', 'out_of_stock', 'insufficient_stock', 'discount_unusable', 'total_too_large'],
  { description: 'Why the item, the discount or the whole cart cannot be ordered.' },
)
export type ProblemCode = ValueOf<typeof ProblemCode>

/** Whether a cart can be ordered, and its problems. */
export const CartStatus = Type.Object({
  ...totals,
  checkout_ready: Type.Boolean({ description: 'Whether the cart can be ordered.' }),
  problems: Type.Array(
    Type.Object({
      item_id: nullable(Id('The ID of the item; null for a problem of the whole cart.')),
      code: ProblemCode,
      message: Type.String({
        description: 'The reason in a sentence.',
        examples: ['Enamel kettle: 3 requested, 2 in stock.'],
      }),
    }),
    { description: 'The problems that prevent an order; empty when there are none.' },
  ),
  ...timestamps,
})
