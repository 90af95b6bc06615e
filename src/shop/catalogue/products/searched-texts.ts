import { optionEntry, parseOptions } from '#shop/catalogue/variants/options.ts'
import { searchTextOf } from '#store/search/words.ts'
import type { ProductRow } from './table.ts'

type SearchedColumns = Pick<ProductRow, 'name' | 'sku' | 'category' | 'options' | 'description'>

/** The words by which a product is found: first those of its name, then of its short fields, then of its prose. */
export function searchTextOfProduct(product: SearchedColumns): string {
  const { name, sku, category, description } = product
  const options = Object.entries(parseOptions(product.options) ?? {})
  const details = [sku, category, ...options.map(([, value]) => value)]
  return searchTextOf({
    name,
    details: details.filter((text) => text !== null),
    description,
    entries: options.map(([option, value]) => optionEntry(option, value)),
  })
}
