import { sql } from 'kysely'
import { storeAttributes } from '#shop/catalogue/products/attribute-store.ts'
import type { StockChange } from '#shop/catalogue/products/events.ts'
import { productSorts } from '#shop/catalogue/products/filtered-store.ts'
import { sectionsOf } from '#shop/catalogue/products/filters.ts'
import { nameKey } from '#shop/catalogue/products/named-values.ts'
import {
  catalogueCacheTag,
  productCacheTag,
  stockAndRatingCacheTag,
} from '#shop/catalogue/products/rules.ts'
import type { ProductFilters } from '#shop/catalogue/products/schema.ts'
import { indexedChange, searchTextOfProduct } from '#shop/catalogue/products/searched-texts.ts'
import { type ProductRow, productRows, products } from '#shop/catalogue/products/table.ts'
import { sharedReviewsCacheTag } from '#shop/catalogue/reviews/rules.ts'
import { invalidate } from '#store/changes.ts'
import { integer } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { idIn, isUnset, lockRows, withoutIndex } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { prepareSql } from '#store/query/prepared.ts'
import { updateWordIndex } from '#store/search/word-index.ts'
import { mergeSearchTexts } from '#store/search/words.ts'
import type { Instant } from '#values/instant.ts'
import { textKey } from '#values/text-key.ts'
import { parseOptions } from './options.ts'
import { isOfParent, type ParentState, type VariantState } from './rules.ts'
import { productOptions } from './table.ts'

/**
 * Returns the products with these IDs, even if removed, locked until the transaction ends: in the order of
 * their IDs, and after any variant, which keeps transactions from a deadlock.
 */
export const lockParents = (db: Db, ids: readonly number[]): Promise<ProductRow[]> =>
  productRows.findAll(db, { id: ids }, { order: 'id', locks: true })

/** Returns the IDs and options of the variants of a product, in the order of their IDs, locked until the transaction ends. */
export const lockOptions = (db: Db, parentId: number) => optionsOfParent.all(db, { parentId })

const optionsOfParent = prepareSql(
  (db: Db, { parentId }: { parentId: number }) => sql`
    select id, options, options_key from products
    where variant_of = ${parentId} and variant_of is not null and ${isUnset('deleted_at')}
    order by id ${lockRows(db, 'products')}`,
  products.schemasOf(['id', 'options', 'options_key']),
)

/** Frees the options of these variants for others, until they get new ones. */
export async function freeOptions(db: Db, ids: readonly number[]): Promise<void> {
  await productRows.update(db, { id: ids }, { options_key: null })
}

/** A variant with what its parent reflects of it. */
export interface StoredVariant extends VariantState {
  readonly variant_of: number
  readonly search_text: string
}

const variantsOfParents = prepareSql(
  (db: Db, { ids }: { ids: readonly number[] }) => sql`
    select variant_of, availability, price, options, status, search_text from products
    where ${idIn(db, 'products.variant_of', ids)} and variant_of is not null
      and ${isUnset('deleted_at')} order by id`,
  {
    variant_of: integer,
    ...products.schemasOf(['availability', 'price', 'options', 'status', 'search_text']),
  },
)

/** Returns the variants of these products, ordered by ID. */
export const findVariants = (db: Db, ids: readonly number[]): Promise<StoredVariant[]> =>
  variantsOfParents.all(db, { ids })

/** Returns one page of the variants of a product with the status of filters. */
export const listVariants = (
  db: Db,
  parentId: number,
  page: PageRequest,
  filters: ProductFilters,
): Promise<PageResult<ProductRow>> =>
  paginate(
    db,
    db
      .selectFrom('products')
      .where('variant_of', '=', parentId)
      .where('deleted_at', 'is', null)
      .where(withoutIndex<number>('section'), 'in', sectionsOf({ ...filters, variants: 'all' })),
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
/** Gives the variants of a product its status, and returns what that changes. */
export async function setParentStatus(
  db: Db,
  { id: variant_of, status: parent_status }: Pick<ProductRow, 'id' | 'status'>,
  now: Instant,
): Promise<readonly StockChange[]> {
  const before = await productRows.findAll(
    db,
    { variant_of, deleted_at: null },
    { order: 'id', locks: true },
  )
  const after = await productRows.reviseRows(
    db,
    { variant_of, deleted_at: null },
    { parent_status },
    now,
  )
  const byId = new Map(before.map((variant) => [variant.id, variant]))
  const changes = after.map((variant) => ({
    before: byId.get(variant.id) ?? variant,
    after: variant,
  }))
  invalidate(...after.map(({ id }) => productCacheTag(id)), sharedReviewsCacheTag)
  const withIds = changes.map((change) => ({ id: change.after.id, ...change }))
  await updateWordIndex(db, withIds.map(indexedChange))
  await storeAttributes(db, withIds)
  return changes
}

/** Stores the options of the variants of a product, for facets, unless they are stored as they are. */
async function replaceOptions(
  db: Db,
  { id: product_id, section }: Pick<ProductRow, 'id' | 'section'>,
  variants: readonly StoredVariant[],
): Promise<void> {
  const options = variants.flatMap((variant) => Object.entries(parseOptions(variant.options) ?? {}))
  const rows = options.map(([name, value]) => {
    const keys = { name_key: nameKey(name), value_key: textKey(value) }
    return { product_id, section, ...keys, value }
  })
  const keyOf = ({ name_key, value_key }: OptionKeys) => JSON.stringify([name_key, value_key])
  const byKey = new Map(rows.map((row) => [keyOf(row), row]))
  const stored = await productOptions.findAll(db, { product_id })
  const isStored = (row: (typeof stored)[number]): boolean =>
    byKey.get(keyOf(row))?.value === row.value && row.section === section
  if (stored.length === byKey.size && stored.every(isStored)) return
  await productOptions.delete(db, { product_id })
  await productOptions.insertAll(db, [...byKey.values()])
}

/** Makes a search for the words and options of its variants find a locked product. */
export async function updateParentWords(
  db: Db,
  parent: ProductRow,
  allVariants: readonly StoredVariant[],
): Promise<void> {
  const own = searchTextOfProduct(parent)
  const variants = allVariants.filter(isOfParent)
  const search_text = mergeSearchTexts([own, ...variants.map((variant) => variant.search_text)])
  // Before the return below: another spelling of a value may leave the search text as it is.
  await replaceOptions(db, parent, variants)
  if (search_text === parent.search_text) return
  await productRows.update(db, { id: parent.id }, { search_text })
  const change = { id: parent.id, before: parent, after: { ...parent, search_text } }
  await updateWordIndex(db, [indexedChange(change)])
}
