import { textKey } from '#values/text-key.ts'
import { withAttributes } from './attributes.ts'
import {
  backorder,
  categories,
  flagOf,
  images,
  moreImages,
  price,
  published,
  stock,
  text,
  urlName,
  weight,
  wordsOf,
} from './column-rules.ts'
import { addBounded, Families } from './families.ts'
import type { ColumnRules, Fields, FileFormat, ForeignRecord, FormatReader } from './format.ts'
import { inherited, optionsOf, pick } from './product-rows.ts'

const product: ColumnRules = {
  sku: text('sku'),
  name: text('name'),
  description: text('description_html'),
  categories: categories(',', '/', 'Default Category'),
  url_key: urlName,
  tax_class_name: text('tax_class'),
  cost: price('cost_price'),
  weight: weight('weight_grams', 'kg'),
  meta_title: text('seo_title'),
  meta_description: text('seo_description'),
  base_image: images,
  additional_images: moreImages,
  product_online: published,
}

const regular: ColumnRules = { price: price('price') }
/** A price instead of the regular one. */
const special: ColumnRules = { special_price: price('price') }
const counted: ColumnRules = { qty: stock('stock'), allow_backorders: backorder('2') }

function pricesOf(record: ForeignRecord): Fields {
  const fields = record.fields(regular)
  const isForATime = ['special_price_from_date', 'special_price_to_date'].some(
    (date) => record.cell(date) !== '',
  )
  if (record.cell('special_price') === '' || isForATime) {
    return { ...fields, compare_at_price: null }
  }
  return { ...record.fields(special), compare_at_price: fields['price'] ?? null }
}

/** The stock, unless it is not managed; a product that is not in stock has none. */
function stockOf(record: ForeignRecord): Fields {
  const isInStock = flagOf(record.cell('is_in_stock')) ?? true
  if (flagOf(record.cell('manage_stock')) === false) {
    return { stock: null, availability: isInStock ? 'in_stock' : 'out_of_stock' }
  }
  return isInStock ? record.fields(counted) : { stock: 0 }
}

/** The values of attributes, `brand=Larkpost,color=Red`, by name. */
function attributesOf(cell: string): ReadonlyMap<string, string> {
  const pairs = cell.split(/,(?=[\w-]+=)/).map((pair) => pair.split('='))
  return new Map(pairs.map(([name = '', ...value]) => [name.trim(), value.join('=').trim()]))
}

const brandNames = ['brand', 'manufacturer']

const additionalOf = (record: ForeignRecord): ReadonlyMap<string, string> =>
  attributesOf(record.cell('additional_attributes'))

const brandOf = (record: ForeignRecord): Fields => {
  const attributes = additionalOf(record)
  const [brand] = brandNames.flatMap((name) => attributes.get(name) || [])
  return brand ? { brand } : {}
}

/** Adds the attributes of a record but for the brand and what are options of variants. */
const withAdditional = (record: ForeignRecord, fields: Fields, options: readonly string[]) => {
  const given = Array.from(
    additionalOf(record),
    ([name, values]) => [name, wordsOf(values, '|')] as const,
  )
  return withAttributes(fields, given, [...options, ...brandNames])
}

/** A product of which a product with options names this one as a variant. */
interface Variation {
  readonly parent: string
  readonly options: Readonly<Record<string, string>>
}

const notOptions = new Set(['sku', 'price', 'display', 'image'])

/** The variants of a product: `sku=TEE-S,size=S|sku=TEE-M,size=M`. */
function variationsOf(record: ForeignRecord): readonly (readonly [sku: string, Variation])[] {
  const parent = record.cell('sku')
  return wordsOf(record.cell('configurable_variations'), '|').map((each) => {
    const attributes = attributesOf(each)
    const options = optionsOf([...attributes].filter(([name]) => !notOptions.has(name)))
    return [attributes.get('sku') ?? '', { parent, options }] as const
  })
}

/** Texts for one view of the shop are a further record of a product. */
const isForOneView = (record: ForeignRecord): boolean => record.cell('store_view_code') !== ''

function openReader(): FormatReader {
  const families = new Families()
  const variations = new Map<string, Variation>()
  const prices = new Map<string, number>()
  const productOf = (record: ForeignRecord): Fields => ({
    ...record.fields(product),
    ...brandOf(record),
    ...pricesOf(record),
  })
  return {
    note: (record) => {
      const sku = record.cell('sku')
      const fields = productOf(record)
      if (typeof fields['price'] === 'number') addBounded(prices, textKey(sku), fields['price'])
      for (const [own, variation] of variationsOf(record)) {
        addBounded(variations, textKey(own), variation)
        families.addParent([sku], { sku, fields: pick(fields, inherited) })
      }
    },
    rows: ([record]) => {
      if (record === undefined || isForOneView(record)) return []
      const fields = productOf(record)
      const variation = variations.get(textKey(record.cell('sku')))
      if (variation) {
        const { handle: _, ...own } = fields
        const ofParent = families.parentOf(variation.parent)?.fields
        const { options, parent } = variation
        const inOurs = { options, variant_of_sku: parent }
        const whole = { ...own, ...ofParent, ...stockOf(record), ...inOurs }
        return [{ at: 0, fields: withAdditional(record, whole, Object.keys(options)) }]
      }
      const children = variationsOf(record)
      if (children.length === 0) {
        const whole = { ...fields, ...stockOf(record) }
        return [{ at: 0, fields: withAdditional(record, whole, []) }]
      }
      const names = children.flatMap(([, { options }]) => Object.keys(options))
      const lowest = children.flatMap(([sku]) => prices.get(textKey(sku)) ?? [])
      const own =
        typeof fields['price'] === 'number' && fields['price'] > 0 ? fields['price'] : null
      const shown = own ?? (lowest.length === 0 ? null : Math.min(...lowest))
      return [{ at: 0, fields: withAdditional(record, { ...fields, price: shown }, names) }]
    },
  }
}

/** The CSV of products that Magento and Adobe Commerce export. A product with options names its variants. */
export const magento: FileFormat = {
  name: 'magento',
  marks: [['sku', 'product_type', 'attribute_set_code']],
  rules: [product, regular, special, counted],
  structure: [
    ...['store_view_code', 'product_type', 'configurable_variations', 'additional_attributes'],
    ...['is_in_stock', 'manage_stock', 'special_price_from_date', 'special_price_to_date'],
  ],
  open: openReader,
}
