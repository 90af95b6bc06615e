import { sql } from 'kysely'
import { productSorts } from '#shop/catalogue/products/filtered-store.ts'
import { nameKey } from '#shop/catalogue/products/named-values.ts'
import {
  catalogueCacheTag,
  productCacheTag,
  stockAndRatingCacheTag,
} from '#shop/catalogue/products/rules.ts'
import { searchTextOfProduct } from '#shop/catalogue/products/searched-texts.ts'
import { type ProductRow, productRows, products } from '#shop/catalogue/products/table.ts'
import { invalidate } from '#store/changes.ts'
import { integer } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { idIn, isUnset } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { prepareSql } from '#store/query/prepared.ts'
import { updateWordIndex } from '#store/search/word-index.ts'
import { mergeSearchTexts } from '#store/search/words.ts'
import type { Instant } from '#values/instant.ts'
import { textKey } from '#values/text-key.ts'
import { parseOptions } from './options.ts'
import type { ParentState, VariantState } from './rules.ts'
import { productOptions } from './table.ts'

/**
 * Returns the products with these IDs, even if removed, locked until the transaction ends: in the order of
 * their IDs, and after any variant, which keeps transactions from a deadlock.
 */
export const lockParents = (db: Db, ids: readonly number[]): Promise<ProductRow[]> =>
  productRows.findAll(db, { id: ids }, { order: 'id', locks: true })

/** A variant with what its parent reflects of it. */
export interface StoredVariant extends VariantState {
  readonly variant_of: number
  readonly search_text: string
}

const variantsOfParents = prepareSql(
  (db: Db, { ids }: { ids: readonly number[] }) => sql`
    select variant_of, availability, price, options, search_text from products
    where ${idIn(db, 'products.variant_of', ids)} and variant_of is not null
      and ${isUnset('deleted_at')} order by id`,
  {
    variant_of: integer,
    ...products.schemasOf(['availability', 'price', 'options', 'search_text']),
  },
)

/** Returns the variants of these products, ordered by ID. */
export const findVariants = (db: Db, ids: readonly number[]): Promise<StoredVariant[]> =>
  variantsOfParents.all(db, { ids })

/** Returns one page of the variants of a product. */
export const listVariants = (
  db: Db,
  parentId: number,
  page: PageRequest,
): Promise<PageResult<ProductRow>> =>
  paginate(
    db,
    db.selectFrom('products').where('variant_of', '=', parentId).where('deleted_at', 'is', null),
    productSorts,
    page,
    (rows) => rows.selectAll('products'),
    { isFew: true },
  )

/** Stores what the variants of a locked product say about it, as its next revision. */
export async function updateParent(
  db: Db,
  parent: ProductRow,
  state: ParentState,
  now: Instant,
): Promise<ProductRow> {
  invalidate(productCacheTag(parent.id), catalogueCacheTag, stockAndRatingCacheTag)
  return await productRows.save(db, parent, state, now)
}

type OptionKeys = Readonly<Record<'name_key' | 'value_key', string>>

/** Stores the options of the variants of a product, for facets, unless they are stored as they are. */
async function replaceOptions(
  db: Db,
  parentId: number,
  variants: readonly StoredVariant[],
): Promise<void> {
  const options = variants.flatMap((variant) => Object.entries(parseOptions(variant.options) ?? {}))
  const rows = options.map(([name, value]) => {
    const keys = { name_key: nameKey(name), value_key: textKey(value) }
    return { product_id: parentId, ...keys, value }
  })
  const keyOf = ({ name_key, value_key }: OptionKeys) => JSON.stringify([name_key, value_key])
  const byKey = new Map(rows.map((row) => [keyOf(row), row]))
  const stored = await productOptions.findAll(db, { product_id: parentId })
  const isStored = (row: (typeof stored)[number]): boolean =>
    byKey.get(keyOf(row))?.value === row.value
  if (stored.length === byKey.size && stored.every(isStored)) return
  await productOptions.delete(db, { product_id: parentId })
  await productOptions.insertAll(db, [...byKey.values()])
}

/** Makes a search for the words and options of its variants find a locked product. */
export async function updateParentWords(
  db: Db,
  parent: ProductRow,
  variants: readonly StoredVariant[],
): Promise<void> {
  const own = searchTextOfProduct(parent)
  const search_text = mergeSearchTexts([own, ...variants.map((variant) => variant.search_text)])
  // Before the return below: another spelling of a value may leave the search text as it is.
  await replaceOptions(db, parent.id, variants)
  if (search_text === parent.search_text) return
  await productRows.update(db, { id: parent.id }, { search_text })
  await updateWordIndex(db, [{ id: parent.id, before: parent, after: { ...parent, search_text } }])
}
