import { optionEntry, parseOptions, valueEntry } from '#shop/catalogue/variants/options.ts'
import { searchTextOf } from '#store/search/words.ts'
import { attributeEntries } from './attributes.ts'
import type { ProductRow } from './table.ts'
import { isActive, type ProductVisibility } from './visibility.ts'

type SearchedColumns = Pick<
  ProductRow,
  'name' | 'sku' | 'gtin' | 'brand' | 'tags' | 'category' | 'options' | 'attributes' | 'description'
>

/** What the word index needs of a change of a product; null before it is created, and after it is removed. */
export const indexedChange = (change: {
  readonly id: number
  readonly before: IndexedProduct | null
  readonly after: IndexedProduct | null
}) => ({
  id: change.id,
  before: change.before && indexedText(change.before),
  after: change.after && indexedText(change.after),
})

const indexedText = <P extends IndexedProduct>(product: P) => ({
  search_text: product.search_text,
  category: product.category,
  variant_of: product.variant_of,
  isHidden: !isActive(product),
})

type IndexedProduct = Pick<ProductRow, 'search_text' | 'category' | 'variant_of'> &
  ProductVisibility

/** The entry of the search index for the products with a value of a field; the value in any case. */
export const fieldEntry = (field: string, value: string): string => valueEntry(`:${field}`, value)

/** The words by which a product is found: first those of its name, then of its short fields, then of its prose. */
export function searchTextOfProduct(product: SearchedColumns): string {
  const { name, sku, gtin, brand, category, description } = product
  const tags = JSON.parse(product.tags) as readonly string[]
  const options = Object.entries(parseOptions(product.options) ?? {})
  const details = [brand, sku, gtin, ...tags, category, ...options.map(([, value]) => value)]
  return searchTextOf({
    name,
    details: details.filter((text) => text !== null),
    description,
    entries: [
      ...options.map(([option, value]) => optionEntry(option, value)),
      ...(brand === null ? [] : [fieldEntry('brand', brand)]),
      ...tags.map((tag) => fieldEntry('tag', tag)),
      ...attributeEntries(product.attributes),
    ],
  })
}
