import { type ImageSource, imageSourcesOf, imagesField } from '../images/image-sources.ts'
import { attribute, withAttributes } from './attributes.ts'
import {
  backorder,
  categories,
  flag,
  flagOf,
  gtin,
  images as image,
  list,
  noSeparator,
  price,
  stock,
  text,
  urlName,
  weight,
  wordsOf,
} from './column-rules.ts'
import type { ColumnRules, Fields, FileFormat, ForeignRecord, ForeignRow } from './format.ts'
import { mergeFields } from './merge-fields.ts'
import { rowsOfProduct, singleRow } from './product-rows.ts'

/** What stands in the first record of a product. */
const product: ColumnRules = {
  Handle: urlName,
  Title: text('name'),
  'Body (HTML)': text('description_html'),
  Vendor: text('brand'),
  Type: text('category'),
  Tags: list('tags'),
  'SEO Title': text('seo_title'),
  'SEO Description': text('seo_description'),
  'Google Shopping / Gender': attribute('gender'),
  'Google Shopping / Age Group': attribute('age_group'),
  'Google Shopping / Condition': attribute('condition'),
  'Google Shopping / MPN': attribute('mpn'),
}

/** The columns of further values, such as `Fit (product.metafields.custom.fit)`; those of the taxonomy are lists. */
const metafieldsOf = (kind: 'product' | 'variant') => ({
  lists: new RegExp(`^(.+?) ?\\(${kind}\\.metafields\\.shopify\\.[^)]+\\)$`),
  texts: new RegExp(`^(.+?) ?\\(${kind}\\.metafields\\.(?!shopify\\.)[^)]+\\)$`),
})
const [ofProduct, ofVariant] = [metafieldsOf('product'), metafieldsOf('variant')]

const withMetafields = (
  { matching }: ForeignRecord,
  { lists, texts }: ReturnType<typeof metafieldsOf>,
  fields: Fields,
): Fields =>
  withAttributes(fields, [
    ...matching(lists).map(([name, cell]) => [name, wordsOf(cell, ';')] as const),
    ...matching(texts).map(([name, cell]) => [name, [cell]] as const),
  ])

/** What each record may have. */
const images: ColumnRules = { 'Image Src': image }

/** What stands in the record of each variant. */
const variant: ColumnRules = {
  'Variant SKU': text('sku'),
  'Variant Grams': weight('weight_grams', 'g'),
  'Variant Price': price('price'),
  'Variant Compare At Price': price('compare_at_price'),
  'Variant Requires Shipping': flag('requires_shipping'),
  'Variant Barcode': gtin,
  'Variant Inventory Policy': backorder('continue'),
  'Cost per item': price('cost_price'),
  'Variant Image': image,
}

/** The stock, which is counted where a tracker is named, or a file has no such column. */
const counted: ColumnRules = { 'Variant Inventory Qty': stock('stock') }

const optionsOf = ({ cell }: ForeignRecord, column: 'Name' | 'Value'): readonly string[] =>
  [1, 2, 3].map((number) => cell(`Option${number} ${column}`))

/** What a product without options has instead of them. */
const noOption = { name: 'Title', value: 'Default Title' }

const isVariant = (record: ForeignRecord): boolean =>
  ['Variant SKU', 'Variant Price', 'Option1 Value'].some((column) => record.cell(column) !== '')

/** The category of the taxonomy there, for products without a type of their own. */
const taxonomy: ColumnRules = { 'Product Category': categories(noSeparator, '>') }

/** Hidden by its status there, or because it is not published; shown if the file says one of both. */
function statusOf(record: ForeignRecord): Fields {
  const status = record.cell('Status').toLowerCase()
  if (status === 'draft' || status === 'archived') return { status }
  if (flagOf(record.cell('Published')) === false) return { status: 'draft' }
  return record.has('Status') || record.has('Published') ? { status: 'active' } : {}
}

function productOf(record: ForeignRecord): Fields {
  const fields = { ...record.fields(product), ...statusOf(record) }
  const { tags: _, ...ofTaxonomy } = record.fields(taxonomy)
  const type = fields['category'] ?? null
  const isOther = type !== null && type !== ofTaxonomy['category']
  return withMetafields(record, ofProduct, { ...fields, ...(isOther ? {} : ofTaxonomy) })
}

function variantOf(record: ForeignRecord): Fields {
  const tracker = 'Variant Inventory Tracker'
  const isCounted = !record.has(tracker) || record.cell(tracker) !== ''
  const stockOf = isCounted ? record.fields(counted) : { stock: null }
  return withMetafields(record, ofVariant, { ...record.fields(variant), ...stockOf })
}

/** The images of a product, of which each record may have one, in the order that the file gives them. */
function imagesOf(unit: readonly ForeignRecord[]): readonly ImageSource[] {
  const found = unit.flatMap((record) => {
    const [image] = imageSourcesOf(record.fields(images))
    const position = Number(record.cell('Image Position')) || Number.POSITIVE_INFINITY
    const { line, record: number } = record
    const alt = record.cell('Image Alt Text')
    return image ? [{ position, image: { ...image, alt, line, record: number } }] : []
  })
  // Equal places, also those without, stay as they are.
  return found
    .toSorted((one, other) =>
      one.position < other.position ? -1 : Number(one.position > other.position),
    )
    .map(({ image }) => image)
}

function rowsOf(unit: readonly ForeignRecord[]): readonly ForeignRow[] {
  const [first] = unit
  if (!first) return []
  const handle = first.cell('Handle')
  const names = optionsOf(first, 'Name')
  const [value] = optionsOf(first, 'Value')
  const pictures = imagesOf(unit)
  const ofUnit = { image_url: pictures[0]?.url ?? null, [imagesField]: pictures }
  const isSingle = names[0] === '' || (names[0] === noOption.name && value === noOption.value)
  if (isSingle)
    return [singleRow(0, handle, mergeFields(productOf(first), { ...variantOf(first), ...ofUnit }))]
  const variants = unit.flatMap((record, at) => {
    if (!isVariant(record)) return []
    const values = optionsOf(record, 'Value')
    const options = names.flatMap((name, place) =>
      name === '' ? [] : [[name, values[place] ?? ''] as const],
    )
    return [{ at, fields: variantOf(record), options }]
  })
  return rowsOfProduct({ at: 0, fields: { ...productOf(first), ...ofUnit }, handle, variants })
}

/** The CSV of products that Shopify exports: one record for each variant and each further picture. */
export const shopify: FileFormat = {
  name: 'shopify',
  marks: [
    ['Handle', 'Title', 'Variant Price'],
    ['URL handle', 'Title', 'Price'],
  ],
  otherNames: {
    'URL handle': 'Handle',
    Description: 'Body (HTML)',
    SKU: 'Variant SKU',
    Barcode: 'Variant Barcode',
    Price: 'Variant Price',
    'Compare-at price': 'Variant Compare At Price',
    'Variant Compare-at Price': 'Variant Compare At Price',
    'Inventory tracker': 'Variant Inventory Tracker',
    'Inventory quantity': 'Variant Inventory Qty',
    'Continue selling when out of stock': 'Variant Inventory Policy',
    'Weight value (grams)': 'Variant Grams',
    'Requires shipping': 'Variant Requires Shipping',
    'Published on online store': 'Published',
    'Product image URL': 'Image Src',
    'Variant image URL': 'Variant Image',
  },
  rules: [product, images, taxonomy, variant, counted],
  structure: [
    ...['Status', 'Published', 'Variant Inventory Tracker', 'Image Position', 'Image Alt Text'],
    /^option[123]_(name|value)$/,
    /\((product|variant)\.metafields\./,
  ],
  unit: 'Handle',
  open: () => ({ rows: rowsOf }),
}
