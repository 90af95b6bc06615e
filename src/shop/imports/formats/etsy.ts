import { createMessage } from '#i18n/message.ts'
import { makeHandle } from '#shop/catalogue/handles/rules.ts'
import { attribute } from './attributes.ts'
import { images, list, moreImages, price, stock, text, wordsOf } from './column-rules.ts'
import type { ColumnRules, FileFormat, ForeignRecord, ForeignRow } from './format.ts'
import { rowsOfProduct, singleRow } from './product-rows.ts'

const product: ColumnRules = {
  TITLE: text('name'),
  DESCRIPTION: text('description'),
  PRICE: price('price'),
  CURRENCY_CODE: text('currency'),
  TAGS: list('tags'),
  MATERIALS: attribute('materials', ','),
  IMAGE1: images,
  ...Object.fromEntries(
    [2, 3, 4, 5, 6, 7, 8, 9, 10].map((number) => [`IMAGE${number}`, moreImages]),
  ),
}

const counted: ColumnRules = { QUANTITY: stock('stock') }

/** The options of a listing, and their values. */
const optionsOf = ({ cell }: ForeignRecord): readonly (readonly [string, readonly string[]])[] =>
  [1, 2].flatMap((number) => {
    const variation = `VARIATION ${number}`
    const name = cell(`${variation} NAME`) || cell(`${variation} TYPE`)
    const values = wordsOf(cell(`${variation} VALUES`), ',')
    return name === '' || values.length === 0 ? [] : [[name, values] as const]
  })

type Combination = readonly (readonly [name: string, value: string])[]

/** The values of a listing's options with each other, as many as a product has variants. */
const combine = (options: ReturnType<typeof optionsOf>): readonly Combination[] =>
  options.reduce<readonly Combination[]>(
    (before, [name, values]) =>
      before.flatMap((each) => values.map((value) => [...each, [name, value] as const])),
    [[]],
  )

function rowsOf([record]: readonly ForeignRecord[]): readonly ForeignRow[] {
  if (!record) return []
  const fields = record.fields(product)
  const handle = makeHandle(record.cell('TITLE'))
  const skus = wordsOf(record.cell('SKU'), ',')
  const combinations = combine(optionsOf(record))
  const [sku = null] = skus
  if (combinations.length === 1) {
    return [singleRow(0, handle, { ...fields, ...record.fields(counted), sku })]
  }
  const { price: ofAll, currency } = fields
  const isEach = skus.length === combinations.length
  // Which of them has how many is not in the file.
  const quantity = record.cell('QUANTITY')
  if (quantity !== '') record.warn('stock', quantity, createMessage('import.stock_of_parent'))
  return rowsOfProduct({
    at: 0,
    fields,
    handle,
    variants: combinations.map((options, at) => ({
      at: 0,
      fields: { price: ofAll, currency, sku: isEach ? skus[at] : null },
      options,
    })),
  })
}

/** The CSV of listings that Etsy exports, each with its variations in one record. */
export const etsy: FileFormat = {
  name: 'etsy',
  marks: [['TITLE', 'DESCRIPTION', 'PRICE', 'CURRENCY_CODE', 'QUANTITY']],
  rules: [product, counted],
  structure: ['SKU', /^variation_[12]_(name|type|values)$/],
  open: () => ({ rows: rowsOf }),
}
