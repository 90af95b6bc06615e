import { attributesOf } from './attributes.ts'
import {
  categories,
  flagOf,
  gtin,
  images,
  list,
  price,
  published,
  stock,
  text,
  urlName,
  weight,
  withAlts,
  wordsOf,
} from './column-rules.ts'
import type { ColumnRule, ColumnRules, FileFormat, ForeignRecord, ForeignRow } from './format.ts'
import { singleRow } from './product-rows.ts'

/** Features: `Height:8 cm:1,Material:Wood:2:0`. */
const features: ColumnRule = {
  read: (cell) =>
    attributesOf(
      wordsOf(cell, ',').map((each) => {
        const [, name = '', value = ''] = /^([^:]*):(.*?)(?::\d*){0,2}$/s.exec(each) ?? []
        return [name, [value.trim()]]
      }),
    ),
}

const product: ColumnRules = {
  'Active (0/1)': published,
  Name: text('name'),
  Reference: text('sku'),
  Categories: categories(',', '/'),
  'Wholesale price': price('cost_price'),
  Brand: text('brand'),
  EAN13: gtin,
  Weight: weight('weight_grams', 'kg'),
  Quantity: stock('stock'),
  Description: text('description_html'),
  Tags: list('tags'),
  'Meta title': text('seo_title'),
  'Meta description': text('seo_description'),
  'Friendly URL': urlName,
  'Image URLs': images,
  Features: features,
}

const withoutTax: ColumnRules = { 'Price tax excluded': price('price') }
const withTax: ColumnRules = { 'Price tax included': price('price') }

/** The price as the shop has prices, if the file has it so. */
const priceRules = ({ shop, has }: ForeignRecord): ColumnRules => {
  const [wanted, other] = shop.pricesIncludeTax ? [withTax, withoutTax] : [withoutTax, withTax]
  return Object.keys(wanted).every(has) ? wanted : other
}

/** What its images show, in their order. */
const imageAlts = 'Image alt texts'

/** A product without shipping. */
const isVirtual = 'Virtual product'

function rowsOf([record]: readonly ForeignRecord[]): readonly ForeignRow[] {
  if (!record) return []
  const shipping = record.has(isVirtual)
    ? { requires_shipping: flagOf(record.cell(isVirtual)) !== true }
    : {}
  const handle = record.cell('Friendly URL') || record.cell('Product ID')
  return [
    singleRow(0, handle, {
      ...withAlts(record.fields(product), wordsOf(record.cell(imageAlts), ',')),
      ...record.fields(priceRules(record)),
      ...shipping,
    }),
  ]
}

/** The CSV of products of PrestaShop: that of its list of products, and that of its sample of an import. */
export const prestashop: FileFormat = {
  name: 'prestashop',
  marks: [
    ['Product ID', 'Name *', 'Price tax excluded'],
    ['Product ID', 'Name', 'Reference', 'Price (tax excl.)'],
    ['ID', 'Name *', 'Reference #'],
  ],
  otherNames: {
    ID: 'Product ID',
    'Name *': 'Name',
    'Reference #': 'Reference',
    'Categories (x,y,z...)': 'Categories',
    Category: 'Categories',
    'Price tax excl.': 'Price tax excluded',
    'Price (tax excl.)': 'Price tax excluded',
    'Price tax incl.': 'Price tax included',
    'Price (tax incl.)': 'Price tax included',
    Manufacturer: 'Brand',
    'Tags (x,y,z...)': 'Tags',
    'URL rewritten': 'Friendly URL',
    'Rewritten URL': 'Friendly URL',
    'Cost price': 'Wholesale price',
    'Virtual product (0/1)': isVirtual,
    'Virtual product (0 = No, 1 = Yes)': isVirtual,
    'Feature(Name:Value:Position)': 'Features',
    'Feature (Name:Value:Position:Customized)': 'Features',
    'Image URLs (x,y,z...)': 'Image URLs',
    'Image alt texts (x,y,z...)': imageAlts,
  },
  rules: [product, withoutTax, withTax],
  structure: ['Product ID', isVirtual, imageAlts],
  taxExcluded: /^price_\(?tax_excl/,
  taxIncluded: /^price_\(?tax_incl/,
  open: () => ({ rows: rowsOf }),
}
