import { writeCell } from '#http/codec/csv/cells.ts'
import { bulkProduct } from '#src/demo/bulk.ts'

/** One row of so many has a price that is no number. */
export const badEvery = 1000

/** Returns a CSV file of generated products, in which some rows are wrong. */
export function productFile(rows: number): string {
  const lines = ['sku,name,description,price,category,availability,stock,image_url']
  for (let n = 0; n < rows; n += 1) {
    const product = bulkProduct(n)
    const price = isBad(n) ? 'cheap' : (product.price / 100).toFixed(2)
    const { sku, name, description, category, availability, stock, image_url } = product
    const cells = [sku, name, description, price, category, availability, stock, image_url]
    lines.push(cells.map(writeCell).join(','))
  }
  return `${lines.join('\n')}\n`
}

/** True for a row with such a price. */
export const isBad = (row: number): boolean => row % badEvery === badEvery - 1

const sizes = ['S', 'M', 'L', 'XL']

const csvOf = (header: string, rows: readonly (readonly unknown[])[]): string =>
  [header, ...rows.map((cells) => cells.map((cell) => writeCell(String(cell))).join(','))].join(
    '\n',
  )

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at)

/** Returns a CSV file as Shopify exports products: each has as many rows as sizes. */
export function shopifyFile(rows: number): string {
  const header =
    'Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Variant SKU,Variant Grams,Variant Inventory Qty,Variant Price,Status'
  const lines = numbers(rows).map((row) => {
    const [n, at] = [Math.floor(row / sizes.length), row % sizes.length]
    const { name, description, sku, category, price } = bulkProduct(n)
    const shared = [name, `<p>${description}</p>`, 'Acme', category, 'new, sale', 'TRUE', 'Size']
    const own = at === 0 ? shared : ['', '', '', '', '', '', '']
    const variant = [sizes[at], `${sku}-${at}`, 200 + at, row % 50, (price / 100).toFixed(2)]
    return [`${sku?.toLowerCase()}`, ...own, ...variant, at === 0 ? 'active' : '']
  })
  return csvOf(header, lines)
}

/** Returns CSV files of rows that are variants of so many parents, or of none: parents, and what is done with variants. */
export function variantFiles(rows: number, parents: number) {
  const skuOf = (row: number) => `${parents}-${row}`
  const parentOf = (row: number) => `${parents}-P${row % parents}`
  const isOf = (row: number) => (parents === 0 ? ['', ''] : [parentOf(row), `size ${row}`])
  const all = numbers(rows)
  return {
    parents: csvOf(
      'sku,name,price',
      numbers(parents).map((at) => [parentOf(at), `Parent ${at}`, 5]),
    ),
    new: csvOf(
      'sku,name,price,stock,variant_of_sku,options.size',
      all.map((row) => [skuOf(row), `Product ${row}`, 5 + (row % 100), row % 9, ...isOf(row)]),
    ),
    stock: csvOf(
      'sku,stock',
      all.map((row) => [skuOf(row), (row % 9) + 1]),
    ),
    price: csvOf(
      'sku,price',
      all.map((row) => [skuOf(row), 6 + (row % 100)]),
    ),
  }
}
