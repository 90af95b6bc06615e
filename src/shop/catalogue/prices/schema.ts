import { Type } from 'typebox'
import { DateTime } from '#schema/words.ts'
import { Product } from '#shop/catalogue/products/schema.ts'

const { price, compare_at_price, on_sale } = Product.properties

/** A price that a product has or had. */
export const Price = Type.Object({
  price,
  compare_at_price,
  on_sale,
  at: DateTime({ description: 'From when it is the price.' }),
})
