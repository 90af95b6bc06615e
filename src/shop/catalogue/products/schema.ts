import { Type } from 'typebox'
import {
  Id,
  listOf,
  Money,
  mergePatch,
  nullable,
  requestBody,
  stringEnum,
  timestamps,
  type ValueOf,
} from '#schema/words.ts'
import { ProductImage } from '#shop/catalogue/images/schema.ts'
import { OptionChanges, OptionList, orList } from '#shop/catalogue/variants/option-schema.ts'
import { bodyFieldsOf, filtersOf } from '#store/entity-fields.ts'
import { attributesOf, attributeValue } from './attributes.ts'
import { Availability, fields, optionsOf, optionValue, ProductStatus } from './fields.ts'
import { parameterPattern } from './named-values.ts'
import { UnitMeasurePatch, UnitPrice } from './unit-price.ts'

const { variant_of, options, cost_price, ...fieldsOfAll } = fields

/** A product in responses; the optional fields are those of variants, of their parents, and of administrators. */
export const Product = Type.Object({
  id: Id(),
  ...fieldsOfAll,
  description_html: Type.String({
    description: 'The description as HTML, safe to show; that of a plain text has its paragraphs.',
    examples: ['<p>Holds <strong>two litres</strong>; whistles.</p>'],
  }),
  availability: Availability,
  cost_price: Type.Optional(cost_price),
  variant_of: Type.Optional(variant_of),
  options: Type.Optional(orList(options, OptionList)),
  option_names: Type.Optional(
    Type.Array(Type.String(), {
      description: 'The names of the options in which the variants of this product differ.',
      examples: [['size']],
    }),
  ),
  price_from: Type.Optional(
    nullable(Money({ description: 'The lowest price of the variants that are not discontinued.' })),
  ),
  on_sale: Type.Boolean({
    description: 'Whether `compare_at_price` exceeds `price`.',
    examples: [false],
  }),
  lowest_price_30_days: nullable(
    Money({
      description:
        'While on sale, the lowest price of the 30 days before the reduction; null for a product that was always on sale.',
    }),
  ),
  unit_price: UnitPrice,
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
  // Of a parent without a SKU.
  variant_of_external_id: Type.Optional(Product.properties.external_id),
  variant_of_handle: Type.Optional(Product.properties.handle),
  variant_of_sku: Type.Optional(Product.properties.sku),
})

const productWithIncludes = Type.Object({
  ...Product.properties,
  reviews: Type.Array(Type.Object({})),
  related: Type.Array(Type.Object({})),
})

const bodyFields = {
  ...bodyFieldsOf(fields),
  options: Type.Optional(orList(options, OptionChanges)),
}

/** The body of POST and PUT. */
export const ProductBody = requestBody(bodyFields, productWithIncludes)
export type ProductBody = ValueOf<typeof ProductBody>

const { variant_of: _, ...fieldsOfVariant } = bodyFields
const [namedOptions] = options.anyOf

/** The body of a new variant below its parent, whose name and price it has unless it has its own. */
export const VariantBody = {
  ...requestBody(
    {
      ...fieldsOfVariant,
      name: Type.Optional(fields.name),
      price: Type.Optional(fields.price),
      options: namedOptions,
    },
    productWithIncludes,
  ),
  component: 'NewVariant',
}

/** The body of PATCH, in which null removes an option or an attribute. */
export const ProductPatch = mergePatch(
  requestBody(
    {
      ...bodyFields,
      attributes: Type.Optional(attributesOf(nullable(attributeValue))),
      options: Type.Optional(orList(optionsOf(nullable(optionValue)), OptionChanges)),
      unit_measure: Type.Optional(nullable(UnitMeasurePatch)),
    },
    productWithIncludes,
  ),
)
export type ProductPatch = ValueOf<typeof ProductPatch>

const optionParameter = parameterPattern('option')

const optionFilters = {
  [`^${optionParameter}$`]: {
    ...listOf(
      Type.String(),
      'Only products with this value of an option, such as `option.size=M`, whose name and value may be written in any case; of a product with variants, one of them has it.',
    ),
    maxProperties: 10,
  },
}

const attributeParameter = parameterPattern('attribute')

const attributeFilters = {
  [`^${attributeParameter}$`]: {
    ...listOf(
      Type.String(),
      'Only products with this value of an attribute, such as `attribute.material=steel`, whose name and value may be written in any case; of a product with variants, one of them may have it.',
    ),
    maxProperties: 10,
  },
}

const facetPattern = `^(category|availability|price|rating|${optionParameter}|${attributeParameter})$`

/** The filters by the value of a field. */
export const fieldFilters = filtersOf(fields)

/** The filters of the product list. */
export const ProductFilters = Type.Object(
  {
    category: Type.Optional(
      listOf(
        Type.String(),
        'Only products in the category with this name or handle, or in one below it.',
      ),
    ),
    brand: Type.Optional(
      listOf(Type.String(), 'Only products of this brand, or with a variant of it.'),
    ),
    tag: Type.Optional(
      listOf(Type.String(), 'Only products with this tag, or with a variant that has it.'),
    ),
    availability: Type.Optional(listOf(Availability, 'Only products with this availability.')),
    status: Type.Optional(
      listOf(
        ProductStatus,
        'Only products with this status, for administrators with the scope products:write; others see the active ones. A variant has that of its parent, too.',
      ),
    ),
    buyer: Type.Optional(Id('Only products that this user has bought.')),
    ...fieldFilters,
    handle: Type.Optional(
      Type.String({ description: 'Only the product that has this handle, or had it before.' }),
    ),
    price_min: Type.Optional(Money({ description: 'Only products with at least this price.' })),
    price_max: Type.Optional(Money({ description: 'Only products with at most this price.' })),
    q: Type.Optional(
      Type.String({
        description:
          'Only products with all these words, or their beginnings, in name, brand, tags, SKU, GTIN, options, category or description.',
      }),
    ),
    variants: Type.Optional(
      stringEnum(['all'], { description: 'Lists every variant beside its parent.' }),
    ),
    facets: Type.Optional({
      ...listOf(
        Type.String({ pattern: facetPattern }),
        'Adds the values of category, availability, price, rating, an option as option.size or an attribute as attribute.material, with the number of products that match all filters but its own; not with a cursor.',
      ),
      maxItems: 10,
    }),
  },
  { patternProperties: { ...optionFilters, ...attributeFilters } },
)
export type ProductFilters = ValueOf<typeof ProductFilters>

const Count = Type.Integer({ description: 'The number of products.', examples: [3] })
const FacetValue = Type.Object(
  { value: Type.String({ description: 'The value.', examples: ['M'] }), count: Count },
  { component: 'FacetValue' },
)
const valuesOf = (description: string) => Type.Array(FacetValue, { description })

/** The requested facets of the product list; options and attributes by their names, as `option.size`. */
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
    propertyNames: { pattern: facetPattern },
    additionalProperties: valuesOf('The values of an option or an attribute.'),
  },
)
export type Facets = ValueOf<typeof Facets>

/** What the product list has besides its products. */
export const ListEnvelope = Type.Object({ facets: Type.Optional(Facets) })
