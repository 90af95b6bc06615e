import { Type } from 'typebox'
import { Id, Money, nullable, timestamps } from '#schema/words.ts'
import { ProductOptions } from '#shop/catalogue/products/fields.ts'
import { Percent } from '#shop/checkout/pricing/percent.ts'

/** An item of an order: one product, its price and quantity. */
export const OrderItem = Type.Object({
  id: Id('Identifies the item.'),
  product_id: nullable(
    Id('The product ordered; null for an item of an imported order that no product here is.'),
  ),
  name: Type.String({
    description: 'The name of the product when it was ordered.',
    examples: ['Enamel kettle'],
  }),
  sku: nullable(
    Type.String({
      description: 'The SKU of the product when it was ordered.',
      examples: ['KET-0042'],
    }),
  ),
  options: ProductOptions,
  unit_price: Money({ description: 'Price of one piece when it was ordered.' }),
  quantity: Type.Integer({ minimum: 1, description: 'The number of units.', examples: [2] }),
  shipped_quantity: Type.Integer({
    minimum: 0,
    description: 'The pieces that are in parcels.',
    examples: [1],
  }),
  line_total: Money({ description: 'Price of all pieces, before the discount.' }),
  discount: Money({ description: 'The share of the discount of the order.' }),
  tax_rate: Percent('The tax rate in percent, as decimal text.', '19'),
  tax: Money({ description: 'Tax on the line after its discount.' }),
  ...timestamps,
})
