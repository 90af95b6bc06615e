import { createMessage } from '#i18n/message.ts'
import { makeHandle } from '#shop/catalogue/handles/rules.ts'
import { textKey } from '#values/text-key.ts'
import { withAttributes } from './attributes.ts'
import {
  backorder,
  categories,
  first,
  flagOf,
  gtin,
  images,
  list,
  price,
  published,
  stock,
  text,
  weight,
  wordsOf,
} from './column-rules.ts'
import { Families } from './families.ts'
import type {
  ColumnRule,
  ColumnRules,
  Fields,
  FileFormat,
  ForeignRecord,
  ForeignRow,
  FormatReader,
} from './format.ts'
import { inherited, makeSku, optionsOf, pick } from './product-rows.ts'

/** The stock; `parent` stands for that of the product, which has none here. */
const stockColumn: ColumnRule = {
  isNumber: true,
  read: (cell, ctx) => {
    if (cell !== 'parent') return stock('stock').read(cell, ctx)
    ctx.warn('stock', cell, createMessage('import.stock_of_parent'))
    return { stock: null }
  },
}

const product: ColumnRules = {
  Name: text('name'),
  Description: text('description_html'),
  Categories: categories(',', '>'),
  Tags: list('tags'),
  Brands: first('brand'),
  'Meta: _yoast_wpseo_title': text('seo_title'),
  'Meta: _yoast_wpseo_metadesc': text('seo_description'),
}

/** What a variation has of its own. */
const own: ColumnRules = {
  SKU: text('sku'),
  Published: published,
  'Backorders allowed?': backorder('notify'),
  'Tax class': text('tax_class'),
  Stock: stockColumn,
  'GTIN, UPC, EAN, or ISBN': gtin,
  'Weight (kg)': weight('weight_grams', 'kg'),
  'Weight (g)': weight('weight_grams', 'g'),
  'Weight (lbs)': weight('weight_grams', 'lb'),
  'Weight (oz)': weight('weight_grams', 'oz'),
  Images: images,
}

const regular: ColumnRules = { 'Regular price': price('price') }
/** A price instead of the regular one. */
const sale: ColumnRules = { 'Sale price': price('price') }

/** The price: that of a sale, unless it is for a time only, which has no place here. */
function pricesOf(record: ForeignRecord): Fields {
  const fields = record.fields(regular)
  if (record.cell('Sale price') === '') return { ...fields, compare_at_price: null }
  const dates = ['Date sale price starts', 'Date sale price ends'].map(record.cell)
  if (dates.some((date) => date !== '')) {
    record.warn('price', record.cell('Sale price'), createMessage('import.dated_sale'))
    return { ...fields, compare_at_price: null }
  }
  return { ...record.fields(sale), compare_at_price: fields['price'] ?? null }
}

/** Whether it can be bought, where its stock is not counted. */
function availabilityOf(record: ForeignRecord): Fields {
  const cell = record.cell('In stock?')
  if (cell === '' || !['', 'parent'].includes(record.cell('Stock'))) return {}
  return { availability: flagOf(cell) === false ? 'out_of_stock' : 'in_stock' }
}

/** A product without shipping is `virtual`, a word beside its type. */
const shippingOf = (types: readonly string[]): Fields => ({
  requires_shipping: !types.includes('virtual'),
})

const typesOf = (record: ForeignRecord): readonly string[] =>
  wordsOf(record.cell('Type').toLowerCase(), ',')

/** The attributes of a record: those of a variation are its options. */
function attributesOf({ cell, matching }: ForeignRecord) {
  const numbers = matching(/^Attribute (\d+) name$/i)
  return numbers.map(([number, name]) => [name, cell(`Attribute ${number} value(s)`)] as const)
}

const variationOptions = (record: ForeignRecord) => optionsOf(attributesOf(record))

/** Adds the attributes of a record but for those by which its variations differ. */
const withOwnAttributes = (record: ForeignRecord, fields: Fields, options: readonly string[]) =>
  withAttributes(
    fields,
    attributesOf(record).map(([name, values]) => [name, wordsOf(values, ',')]),
    options,
  )

/** The names by which variations call their product. */
const namesOf = (record: ForeignRecord): readonly string[] => {
  const [id, sku] = [record.cell('ID'), record.cell('SKU')]
  return [...(id === '' ? [] : [`id:${id}`]), ...(sku === '' ? [] : [sku])]
}

/** Products are found by their SKU, else by a name for their address, with their ID where they share it. */
const skuOf = (record: ForeignRecord, uses: ReadonlyMap<string, number>): string => {
  const sku = record.cell('SKU')
  if (sku !== '') return sku
  const handle = makeHandle(record.cell('Name'))
  return makeSku(handle, (uses.get(handle) ?? 0) > 1 ? [record.cell('ID')] : [])
}

/** What a product has that its variations have themselves; the stock and the lowest price are theirs. */
function ownFieldsOf(record: ForeignRecord, families: Families): Fields {
  const prices = pricesOf(record)
  const fields = record.fields(own)
  if (!typesOf(record).includes('variable')) {
    return { ...fields, ...prices, ...availabilityOf(record) }
  }
  const { stock: _, ...ofParent } = fields
  const price = prices['price'] ?? families.lowestPrice(namesOf(record))
  return { ...ofParent, ...prices, price }
}

function openReader(): FormatReader {
  const families = new Families()
  const uses = new Map<string, number>()
  const note = (record: ForeignRecord): void => {
    const types = typesOf(record)
    if (types.includes('variation')) {
      families.addPrice(record.cell('Parent'), pricesOf(record)['price'])
      families.addOptions(record.cell('Parent'), Object.keys(variationOptions(record)))
      return
    }
    if (record.cell('SKU') === '') {
      const handle = makeHandle(record.cell('Name'))
      uses.set(handle, (uses.get(handle) ?? 0) + 1)
    }
    if (!types.includes('variable')) return
    const fields = pick(record.fields(product), inherited)
    families.addParent(namesOf(record), { sku: skuOf(record, uses), fields })
  }
  const variationRow = (record: ForeignRecord): ForeignRow => {
    const named = record.cell('Parent')
    const parent = families.parentOf(named)
    const parentSku = parent?.sku ?? (named || null)
    const options = variationOptions(record)
    const fields = { ...record.fields(own), ...pricesOf(record), ...availabilityOf(record) }
    const sku = record.cell('SKU')
    // One without a SKU may have that of its product.
    const isOwn = sku !== '' && textKey(sku) !== textKey(parentSku ?? '')
    return {
      at: 0,
      fields: {
        ...record.fields({ Name: text('name') }),
        ...parent?.fields,
        ...fields,
        ...shippingOf(typesOf(record)),
        sku: isOwn ? sku : makeSku(parentSku ?? '', Object.values(options)),
        options,
        variant_of_sku: parentSku,
      },
      isSkuMade: !isOwn,
    }
  }
  const productRow = (record: ForeignRecord): ForeignRow => {
    const fields = ownFieldsOf(record, families)
    const sku = skuOf(record, uses)
    const isSkuMade = record.cell('SKU') === ''
    const shared = { ...record.fields(product), ...shippingOf(typesOf(record)) }
    const options = families.optionsOf(namesOf(record))
    const whole = withOwnAttributes(record, { ...shared, ...fields, sku }, options)
    return { at: 0, fields: whole, isSkuMade }
  }
  return {
    note,
    rows: ([record]) => {
      if (!record) return []
      const isVariation = typesOf(record).includes('variation')
      return [isVariation ? variationRow(record) : productRow(record)]
    },
  }
}

/** The CSV of products that WooCommerce exports: a record for each product and each variation, in any order. */
export const woocommerce: FileFormat = {
  name: 'woocommerce',
  marks: [['Type', 'SKU', 'Name', 'Regular price', 'Categories']],
  rules: [product, own, regular, sale],
  structure: [
    ...['ID', 'Type', 'Parent', 'In stock?', 'Date sale price starts', 'Date sale price ends'],
    /^attribute_\d+_(name|value\(s\))$/,
  ],
  open: openReader,
}
