import { type TSchema, Type } from 'typebox'
import {
  Id,
  listOf,
  Money,
  mapOf,
  mergePatch,
  nullable,
  requestBody,
  stringEnum,
  timestamps,
  type ValueOf,
} from '#schema/words.ts'
import { ProductImage } from '#shop/catalogue/images/schema.ts'
import { columnDefault } from '#store/columns.ts'
import {
  bodyFieldsOf,
  filterable,
  filtersOf,
  keyed,
  sortable,
  withDefault,
} from '#store/entity-fields.ts'
import { textKey } from '#values/text-key.ts'

/** Whether a product can be bought. */
export const Availability = stringEnum(['in_stock', 'out_of_stock', 'preorder', 'discontinued'], {
  description:
    'Whether the product can be bought; in_stock and out_of_stock follow the stock when it is counted.',
  examples: ['in_stock'],
})
/** The availability of a product created without one. */
export const defaultAvailability = 'in_stock'
export type Availability = ValueOf<typeof Availability>

/** The names of options. */
const namePattern = '[a-z][a-z0-9_]{0,30}'
const optionNamePattern = `^${namePattern}$`

/** The maximum number of options of a variant. */
export const maxOptions = 10

const optionValue = Type.String({ minLength: 1, maxLength: 100, examples: ['M'] })

const optionsOf = <S extends TSchema>(values: S) =>
  nullable(
    mapOf(
      values,
      { names: optionNamePattern, maxProperties: maxOptions },
      'What tells a variant from its siblings.',
    ),
  )

/** The options of a variant; null for any other product. */
export const ProductOptions = optionsOf(optionValue)

/** What clients set of a product. */
export const fields = {
  name: filterable(
    sortable(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The name of the product.',
        examples: ['Enamel kettle'],
      }),
    ),
    'Only products with exactly this name.',
  ),
  description: columnDefault(
    withDefault(
      Type.String({
        maxLength: 10_000,
        description: 'A description of the product, as plain text.',
        examples: ['Holds two litres; whistles.'],
      }),
      '',
    ),
    '',
  ),
  sku: keyed(
    filterable(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'Stock keeping unit; unique, whatever its case and blanks.',
        }),
      ),
      'Only the product with this SKU.',
    ),
    (sku) => (sku === null ? null : textKey(sku)),
  ),
  price: sortable(Money({ description: 'The price of one unit.' }), 'list_price'),
  category: nullable(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The category of the product; a new name is a new category.',
      examples: ['kitchen'],
    }),
  ),
  availability: withDefault(Availability, defaultAvailability),
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
      description: 'The URL of a picture; with images that of the first, and read-only.',
      examples: ['https://example.com/kettle.jpg'],
    }),
  ),
  variant_of: nullable(Id('The product of which this one is a variant; it cannot be a variant.')),
  options: ProductOptions,
}

const { variant_of, options, ...fieldsOfAll } = fields

/** A product in responses; the optional fields are those of variants, and those of their parents. */
export const Product = Type.Object({
  id: Id(),
  ...fieldsOfAll,
  availability: Availability,
  variant_of: Type.Optional(variant_of),
  options: Type.Optional(options),
  option_names: Type.Optional(
    Type.Array(Type.String(), {
      description: 'The names of the options in which the variants of this product differ.',
      examples: [['size']],
    }),
  ),
  price_from: Type.Optional(
    nullable(Money({ description: 'The lowest price of the variants that are not discontinued.' })),
  ),
  currency: Type.String({ description: 'The ISO 4217 code of the currency.', examples: ['USD'] }),
  images: Type.Array(ProductImage, { description: 'The images, in the order of their positions.' }),
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

/** The shop whose IDs a file has. */
export const ShopId = Type.String({ description: 'The shop that has exported it, a UUID.' })

/** What exports of products have besides, since a file names parents of another shop by their SKU. */
export const ExportedProduct = Type.Object({
  shop_id: ShopId,
  variant_of_sku: Product.properties.sku,
})

const productWithIncludes = Type.Object({
  ...Product.properties,
  reviews: Type.Array(Type.Object({})),
  related: Type.Array(Type.Object({})),
})

const bodyFields = bodyFieldsOf(fields)

/** The body of POST and PUT. */
export const ProductBody = requestBody(bodyFields, productWithIncludes)
export type ProductBody = ValueOf<typeof ProductBody>

/** The body of PATCH, in which null removes an option. */
export const ProductPatch = mergePatch(
  requestBody(
    { ...bodyFields, options: Type.Optional(optionsOf(nullable(optionValue))) },
    productWithIncludes,
  ),
)
export type ProductPatch = ValueOf<typeof ProductPatch>

const optionFilters = {
  [`^option\\.${namePattern}$`]: {
    ...listOf(
      Type.String(),
      'Only products with this value of an option, such as `option.size=M`; of a product with variants, one of them has it.',
    ),
    maxProperties: 10,
  },
}

/** The filters by the value of a field. */
export const fieldFilters = filtersOf(fields)

/** The filters of the product list. */
export const ProductFilters = Type.Object(
  {
    category: Type.Optional(listOf(Type.String(), 'Only products in this category.')),
    availability: Type.Optional(listOf(Availability, 'Only products with this availability.')),
    buyer: Type.Optional(Id('Only products that this user has bought.')),
    ...fieldFilters,
    price_min: Type.Optional(Money({ description: 'Only products with at least this price.' })),
    price_max: Type.Optional(Money({ description: 'Only products with at most this price.' })),
    q: Type.Optional(
      Type.String({
        description:
          'Only products with all these words, or their beginnings, in name, SKU, options, category or description.',
      }),
    ),
    variants: Type.Optional(
      stringEnum(['all'], { description: 'Lists every variant beside its parent.' }),
    ),
    facets: Type.Optional({
      ...listOf(
        Type.String({ pattern: `^(category|availability|price|rating|option\\.${namePattern})$` }),
        'Adds the values of category, availability, price, rating or an option as option.size, with the number of products that match all filters but its own; not with a cursor.',
      ),
      maxItems: 10,
    }),
  },
  { patternProperties: optionFilters },
)
export type ProductFilters = ValueOf<typeof ProductFilters>

const Count = Type.Integer({ description: 'The number of products.', examples: [3] })
const FacetValue = Type.Object(
  { value: Type.String({ description: 'The value.', examples: ['M'] }), count: Count },
  { component: 'FacetValue' },
)
const valuesOf = (description: string) => Type.Array(FacetValue, { description })

/** The requested facets of the product list; options by their name, as `option.size`. */
export const Facets = Type.Object(
  {
    category: Type.Optional(valuesOf('The categories.')),
    availability: Type.Optional(valuesOf('The availabilities.')),
    price: Type.Optional(
      Type.Array(
        Type.Object({
          from: Money({ description: 'The lowest price.' }),
          to: Money({ description: 'The highest price.' }),
          count: Count,
        }),
        { description: 'The ranges of prices.' },
      ),
    ),
    rating: Type.Optional(
      Type.Array(
        Type.Object({
          value: Type.Integer({ description: 'The average rating in whole stars.', examples: [4] }),
          count: Count,
        }),
        { description: 'The ratings.' },
      ),
    ),
  },
  {
    description: 'At most 100 values of each requested facet.',
    propertyNames: { pattern: `^(category|availability|price|rating|option\\.${namePattern})$` },
    additionalProperties: valuesOf('The values of an option.'),
  },
)
export type Facets = ValueOf<typeof Facets>

/** What the product list has besides its products. */
export const ListEnvelope = Type.Object({ facets: Type.Optional(Facets) })
