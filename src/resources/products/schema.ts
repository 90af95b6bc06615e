import { Type } from 'typebox'
import {
  Id,
  Money,
  mergePatch,
  nullable,
  requestBody,
  stringEnum,
  timestamps,
  type ValueOf,
} from '#http/declare/schema.ts'

/** Whether a product can be bought. */
export const Availability = stringEnum(['in_stock', 'out_of_stock', 'preorder', 'discontinued'], {
  description:
    'Whether the product can be bought; in_stock and out_of_stock follow the stock when it is counted.',
  examples: ['in_stock'],
})
/** The availability of a product created without one. */
export const defaultAvailability = 'in_stock'
export type Availability = ValueOf<typeof Availability>

const fields = {
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'The name of the product.',
    examples: ['Enamel kettle'],
  }),
  description: Type.String({
    maxLength: 10_000,
    default: '',
    description: 'A description of the product, as plain text.',
    examples: ['Holds two litres; whistles.'],
  }),
  sku: nullable(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Stock keeping unit; unique.',
      examples: ['KET-0042'],
    }),
  ),
  price: Money({ description: 'The price of one unit.' }),
  category: nullable(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The category of the product.',
      examples: ['kitchen'],
    }),
  ),
  availability: Availability,
  stock: nullable(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'Units in stock; null when the stock is not counted.',
      examples: [12],
    }),
  ),
  image_url: nullable(
    Type.String({
      maxLength: 2_000,
      format: 'uri',
      description: 'The URL of a picture of the product.',
      examples: ['https://example.com/kettle.jpg'],
    }),
  ),
}

/** A product in responses. */
export const Product = Type.Object({
  id: Id('The ID of the product.'),
  ...fields,
  currency: Type.String({ description: 'The ISO 4217 code of the currency.', examples: ['USD'] }),
  rating: Type.Object(
    {
      average: nullable(
        Type.Number({
          description: 'The average rating, from 1 to 5; null without reviews.',
          examples: [4.5],
        }),
      ),
      count: Type.Integer({ description: 'The number of reviews.', examples: [12] }),
    },
    { description: 'A summary of the reviews.' },
  ),
  ...timestamps,
})

const productWithIncludes = Type.Object({
  ...Product.properties,
  reviews: Type.Null(),
  related: Type.Null(),
})

/** The body of POST and PUT. */
export const ProductBody = requestBody(
  {
    name: fields.name,
    price: fields.price,
    description: Type.Optional(fields.description),
    sku: Type.Optional(fields.sku),
    category: Type.Optional(fields.category),
    availability: Type.Optional({ ...fields.availability, default: defaultAvailability }),
    stock: Type.Optional(fields.stock),
    image_url: Type.Optional(fields.image_url),
  },
  productWithIncludes,
)
export type ProductBody = ValueOf<typeof ProductBody>

/** The body of PATCH. */
export const ProductPatch = mergePatch(ProductBody)
export type ProductPatch = ValueOf<typeof ProductPatch>

/** The filters of the product list. */
export const ProductFilters = Type.Object({
  category: Type.Optional(Type.String({ description: 'Only products in this category.' })),
  availability: Type.Optional(Availability),
  buyer: Type.Optional(Id('Only products that this user has bought.')),
  sku: Type.Optional(Type.String({ description: 'Only the product with this SKU.' })),
  name: Type.Optional(Type.String({ description: 'Only products with exactly this name.' })),
  price_min: Type.Optional(Money({ description: 'Only products with at least this price.' })),
  price_max: Type.Optional(Money({ description: 'Only products with at most this price.' })),
  q: Type.Optional(
    Type.String({
      description:
        'Only products with all these words, or their beginnings, in name, description or category.',
    }),
  ),
})
export type ProductFilters = ValueOf<typeof ProductFilters>

/** The list of related products has no filters. */
export const RelatedFilters = Type.Object({})
