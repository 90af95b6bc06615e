import { type TSchema, Type } from 'typebox'
import { Id, Money, nullable, stringEnum, type ValueOf } from '#schema/words.ts'
import { Handle } from '#shop/catalogue/handles/rules.ts'
import { asJson, columnDefault, storedAs } from '#store/columns.ts'
import {
  filterable,
  keyed,
  long,
  sortable,
  splitLong,
  unique,
  withDefault,
} from '#store/entity-fields.ts'
import { textKey } from '#values/text-key.ts'
import { attributesOf, attributeValue } from './attributes.ts'
import { valuesByName } from './named-values.ts'
import { UnitMeasure } from './unit-price.ts'

/** Whether a product can be bought. */
export const Availability = stringEnum(
  ['in_stock', 'out_of_stock', 'preorder', 'discontinued', 'backorder'],
  {
    description:
      'Whether the product can be bought; in_stock, out_of_stock and backorder follow the stock when it is counted.',
    examples: ['in_stock'],
  },
)
/** The availability of a product created without one. */
export const defaultAvailability = 'in_stock'
export type Availability = ValueOf<typeof Availability>

/** What a product may be, in the order of its sections. */
export const productStatuses = ['active', 'draft', 'archived'] as const

/** Whether the public sees a product. */
export const ProductStatus = stringEnum(productStatuses, {
  description:
    'Whether the product is shown and sold; a draft or archived one only administrators with the scope products:write see, and its variants.',
  examples: ['active'],
})
export type ProductStatus = ValueOf<typeof ProductStatus>
/** The status of a product created without one. */
const defaultStatus = 'active'

/** The maximum number of options of a variant. */
export const maxOptions = 10

/** The value of an option. */
export const optionValue = Type.String({ minLength: 1, maxLength: 100, examples: ['M'] })

/** The options of a variant, or of a change of them. */
export const optionsOf = <S extends TSchema>(values: S, component?: string) =>
  valuesByName(
    values,
    maxOptions,
    'What tells a variant from its siblings, by names of 1 to 50 characters.',
    'Size',
    component,
  )

/** The options of a variant; null for any other product. */
export const ProductOptions = optionsOf(optionValue, 'Options')

const text = (maxLength: number, description: string, example: string) =>
  nullable(Type.String({ minLength: 1, maxLength, description, examples: [example] }))

/** A list of texts, each once by its key, as it was first written. */
const distinctTexts = {
  ...asJson,
  toColumn: (texts: string[]) =>
    JSON.stringify(
      [...new Map(texts.toReversed().map((each) => [textKey(each), each])).values()].reverse(),
    ),
}

/** The largest number of characters of a description. */
export const maxTextLength = 10_000

/** The largest length of a description in HTML; that of the longest text with references for all characters is less. */
export const maxHtmlLength = 60_000

/** What clients set of a product. */
export const fields = {
  name: filterable(
    sortable(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The name of the product.',
        examples: ['Enamel kettle', 'Frying pan'],
      }),
    ),
    'Only products with exactly this name.',
  ),
  description: long(
    columnDefault(
      withDefault(
        Type.String({
          maxLength: maxTextLength,
          description:
            'A description of the product, as plain text; setting it alone replaces description_html, too.',
          examples: ['Holds two litres; whistles.'],
        }),
        '',
      ),
      '',
    ),
  ),
  sku: unique(
    keyed(
      filterable(
        nullable(
          Type.String({
            minLength: 1,
            maxLength: 64,
            description: 'Stock keeping unit; unique, whatever its case and blanks.',
            examples: ['KETTLE-1', 'PAN-1'],
          }),
        ),
        'Only the product with this SKU.',
      ),
      (sku) => (sku === null ? null : textKey(sku)),
    ),
    'product.duplicate_sku',
  ),
  price: sortable(Money({ description: 'The price of one unit.' }), 'list_price'),
  category: nullable(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'The name of the category of the product; a new name is a new category, at the root.',
      examples: ['kitchen'],
    }),
  ),
  availability: withDefault(Availability, defaultAvailability),
  status: columnDefault(withDefault(ProductStatus, defaultStatus), defaultStatus),
  stock: nullable(
    Type.Integer({
      minimum: -1_000_000_000,
      maximum: 1_000_000_000,
      description:
        'Units in stock; null when the stock is not counted. Below 0, which needs `backorder`, units are owed.',
      examples: [12, 3],
    }),
  ),
  backorder: columnDefault(
    withDefault(
      Type.Boolean({
        description: 'Whether the product can be bought when its stock is 0 or below.',
        examples: [false],
      }),
      false,
    ),
    0,
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
  handle: unique(
    nullable(
      Handle(
        'Names the product in the addresses of a shop front; unique. Null or left out, it stays, and a new product that is no variant has one made from its name.',
        'enamel-kettle',
      ),
    ),
    'product.duplicate_handle',
  ),
  brand: text(100, 'The brand.', 'Larkpost'),
  gtin: unique(
    keyed(
      nullable(
        Type.String({
          format: 'gtin',
          maxLength: 14,
          description:
            'Global Trade Item Number: 8, 12, 13 or 14 digits, the last of which is right; unique, whatever its leading zeros.',
          examples: ['4006381333931'],
        }),
      ),
      (gtin) => gtin?.padStart(14, '0') ?? null,
    ),
    'product.duplicate_gtin',
  ),
  external_id: unique(
    filterable(
      text(200, 'The ID of the product in another system; unique.', 'ERP-4711'),
      'Only the product with this ID of another system.',
    ),
    'product.duplicate_external_id',
  ),
  tax_class: text(
    50,
    'The class by which tax rates are chosen, before the category; a variant without one has that of its parent.',
    'reduced',
  ),
  compare_at_price: nullable(
    Money({ description: 'A price to compare with, such as the one before a reduction.' }),
  ),
  cost_price: nullable(
    Money({
      description:
        'What one unit costs the shop; shown to administrators with the scope products:write only, and in no event.',
    }),
  ),
  weight_grams: nullable(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'The weight of one unit with its packaging.',
      examples: [850],
    }),
  ),
  unit_measure: nullable(UnitMeasure),
  requires_shipping: columnDefault(
    withDefault(
      Type.Boolean({
        description: 'Whether the product is sent; an order of none that is needs no address.',
        examples: [true],
      }),
      true,
    ),
    1,
  ),
  tags: long(
    columnDefault(
      withDefault(
        storedAs(
          Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
            maxItems: 50,
            description: 'Words by which products are grouped and found, each once.',
            examples: [['summer', 'sale']],
          }),
          distinctTexts,
        ),
        [],
      ),
      '[]',
    ),
  ),
  attributes: long(attributesOf(attributeValue, 'Attributes')),
  seo_title: long(text(200, 'The title of its page for search engines.', 'Enamel kettle, 2 l')),
  seo_description: long(
    text(500, 'The description of its page for search engines.', 'A kettle that whistles.'),
  ),
  description_html: long(
    nullable(
      Type.String({
        maxLength: maxHtmlLength,
        description:
          'The description as HTML. Setting it sets description to its text. Headings, lists, links, tables, emphasis and pictures of https are kept; other blocks become paragraphs.',
        examples: ['<p>Holds <strong>two litres</strong>; whistles.</p>'],
      }),
    ),
  ),
}

/** Those that are long texts, and the others. */
export const { short: shortFields, long: longFields } = splitLong(fields)
