import { Type } from 'typebox'
import {
  Id,
  Money,
  nullable,
  oneOf,
  patchOf,
  stamps,
  type ValueOf,
  writable,
} from '#http/declare/schema.ts'

/** Whether a product can be bought. */
export const Availability = oneOf(['in_stock', 'out_of_stock', 'preorder', 'discontinued'], {
  description: 'Whether it can be bought; in_stock and out_of_stock follow a counted stock.',
  examples: ['in_stock'],
})
/** What it is unless somebody says otherwise. */
export const defaultAvailability = 'in_stock'
/** One of the words for it. */
export type Availability = ValueOf<typeof Availability>

const fields = {
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'What it is called.',
    examples: ['Enamel kettle'],
  }),
  description: Type.String({
    maxLength: 10_000,
    default: '',
    description: 'What there is to say about it.',
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
  price: Money({ description: 'The price of one piece.' }),
  category: nullable(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'What it is found under.',
      examples: ['kitchen'],
    }),
  ),
  availability: Availability,
  stock: nullable(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'Pieces left; null where they are not counted.',
      examples: [12],
    }),
  ),
  image_url: nullable(
    Type.String({
      maxLength: 2_000,
      format: 'uri',
      description: 'Where a picture of it is.',
      examples: ['https://example.com/kettle.jpg'],
    }),
  ),
}

/** A product of the catalogue, as the public sees it. */
export const Product = Type.Object({
  id: Id('Identifies the product.'),
  ...fields,
  currency: Type.String({ description: 'ISO 4217 code.', examples: ['USD'] }),
  rating: Type.Object(
    {
      average: nullable(
        Type.Number({ description: 'From 1 to 5; null without reviews.', examples: [4.5] }),
      ),
      count: Type.Integer({ description: 'How many reviews there are.', examples: [12] }),
    },
    { description: 'What its reviews come to.' },
  ),
  ...stamps,
})

const withEmbedded = Type.Object({
  ...Product.properties,
  reviews: Type.Null(),
  related: Type.Null(),
})

/** A whole product, as POST and PUT take it. */
export const ProductBody = writable(
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
  withEmbedded,
)
export type ProductBody = ValueOf<typeof ProductBody>

/** Some fields of a product, as PATCH takes them. */
export const ProductPatch = patchOf(ProductBody)
export type ProductPatch = ValueOf<typeof ProductPatch>

/** What products can be filtered by. */
export const ProductFilters = Type.Object({
  category: Type.Optional(Type.String({ description: 'Only products of this category.' })),
  availability: Type.Optional(Availability),
  buyer: Type.Optional(Id('Only what this user has bought.')),
  sku: Type.Optional(Type.String({ description: 'Only the product of this SKU.' })),
  name: Type.Optional(Type.String({ description: 'Only products of exactly this name.' })),
  price_min: Type.Optional(Money({ description: 'Only products of at least this price.' })),
  price_max: Type.Optional(Money({ description: 'Only products of at most this price.' })),
  q: Type.Optional(
    Type.String({ description: 'Only products with all these words in their texts.' }),
  ),
})
export type ProductFilters = ValueOf<typeof ProductFilters>

/** Related products cannot be filtered. */
export const RelatedFilters = Type.Object({})
