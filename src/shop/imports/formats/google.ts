import { textKey } from '#values/text-key.ts'
import { attribute, withAttributes } from './attributes.ts'
import {
  categories,
  gramsOf,
  gtin,
  images,
  isWeightUnit,
  moreImages,
  noSeparator,
  price,
  text,
} from './column-rules.ts'
import { addBounded, Families } from './families.ts'
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

const amount = /^([\d.,]+)\s*([A-Z]{3})$|^([A-Z]{3})\s*([\d.,]+)$/

/** An amount with its currency, `15.00 USD`. */
const amountIn = (field: string): ColumnRule => ({
  isNumber: true,
  read: (cell, ctx) => {
    const [, one, code, otherCode, other] = amount.exec(cell) ?? []
    const currency = code ?? otherCode
    const fields = price(field).read(one ?? other ?? cell, ctx)
    return currency === undefined ? fields : { ...fields, currency }
  },
})

/** A weight with its unit, `0.5 kg`. */
const shippingWeight: ColumnRule = {
  read: (cell) => {
    const [, number = '', unit = ''] = /^([\d.,]+)\s*([a-z]+)$/i.exec(cell) ?? []
    const name = unit.toLowerCase()
    const grams = isWeightUnit(name) ? gramsOf(number, name) : cell
    return { weight_grams: cell === '' ? null : grams }
  },
}

const availabilities: Readonly<Record<string, string>> = {
  in_stock: 'in_stock',
  out_of_stock: 'out_of_stock',
  preorder: 'preorder',
  backorder: 'in_stock',
}

const availability: ColumnRule = {
  read: (cell) => {
    const name = cell.toLowerCase().replaceAll(' ', '_')
    return cell === '' ? {} : { availability: availabilities[name] ?? cell }
  },
}

const product: ColumnRules = {
  id: text('sku'),
  title: text('name'),
  description: text('description'),
  image_link: images,
  additional_image_link: moreImages,
  availability,
  brand: text('brand'),
  gtin,
  product_type: categories(noSeparator, '>'),
  shipping_weight: shippingWeight,
  cost_of_goods_sold: amountIn('cost_price'),
  gender: attribute('gender'),
  age_group: attribute('age_group'),
  condition: attribute('condition'),
  mpn: attribute('mpn'),
}

const regular: ColumnRules = { price: amountIn('price') }
const sale: ColumnRules = { sale_price: amountIn('price') }

function pricesOf(record: ForeignRecord): Fields {
  const fields = record.fields(regular)
  const isForATime = record.cell('sale_price_effective_date') !== ''
  if (record.cell('sale_price') === '' || isForATime) {
    return { ...fields, compare_at_price: null }
  }
  return { ...fields, ...record.fields(sale), compare_at_price: fields['price'] ?? null }
}

const optionColumns = ['color', 'size', 'material', 'pattern']

const variantOptions = ({ cell }: ForeignRecord) =>
  optionsOf(optionColumns.map((column) => [column, cell(column)] as const))

/** The first item of a group, from which the product of the group is made. */
interface Group {
  readonly line: number
  /** The options that its items have. */
  readonly options: Set<string>
}

const groupOf = (record: ForeignRecord): string => record.cell('item_group_id')

function openReader(): FormatReader {
  const families = new Families()
  const groups = new Map<string, Group>()
  const ids = new Map<string, true>()
  const isVariant = (record: ForeignRecord): boolean =>
    groupOf(record) !== '' && Object.keys(variantOptions(record)).length > 0
  const parentSku = (group: string): string =>
    ids.has(textKey(group)) ? makeSku(group, ['group']) : group
  const parentRow = (record: ForeignRecord, fields: Fields): readonly ForeignRow[] => {
    const group = groupOf(record)
    if (groups.get(textKey(group))?.line !== record.line) return []
    const { gtin: _, weight_grams: __, availability: ___, ...shown } = fields
    const shownPrice = families.lowestPrice([group]) ?? fields['price']
    const ofGroup = { ...shown, sku: parentSku(group), price: shownPrice }
    return [{ at: 0, fields: ofGroup, isSkuMade: true }]
  }
  return {
    note: (record) => {
      addBounded(ids, textKey(record.cell('id')), true)
      if (!isVariant(record)) return
      const group = groupOf(record)
      const known = groups.get(textKey(group))
      const options = new Set(Object.keys(variantOptions(record)))
      if (known) for (const name of options) known.options.add(name)
      else addBounded(groups, textKey(group), { line: record.line, options })
      families.addPrice(group, pricesOf(record)['price'])
      if (!known) {
        families.addParent([group], { sku: group, fields: pick(record.fields(product), inherited) })
      }
    },
    rows: ([record]) => {
      if (!record) return []
      const fields = { ...record.fields(product), ...pricesOf(record) }
      if (!isVariant(record)) {
        const own = Object.entries(variantOptions(record))
        return [
          {
            at: 0,
            fields: withAttributes(
              fields,
              own.map(([name, value]) => [name, [value]]),
            ),
          },
        ]
      }
      const group = groupOf(record)
      const options = variantOptions(record)
      const inOurs = { options, variant_of_sku: parentSku(group) }
      return [
        ...parentRow(record, fields),
        { at: 0, fields: { ...fields, ...families.parentOf(group)?.fields, ...inOurs } },
      ]
    },
  }
}

/** A feed of Google Merchant Center: items, of which those with an `item_group_id` are variants of one product. */
export const google: FileFormat = {
  name: 'google',
  marks: [
    ['id', 'title', 'price', 'availability', 'link'],
    ['id', 'title', 'price', 'availability', 'image_link'],
  ],
  rules: [product, regular, sale],
  structure: ['item_group_id', 'sale_price_effective_date', ...optionColumns],
  open: openReader,
}
