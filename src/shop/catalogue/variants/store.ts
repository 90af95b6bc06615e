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
import { sectionOf } from '#shop/catalogue/products/visibility.ts'
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

/** Stores what the variants of locked products say about these, each as its next revision; returns them in order. */
export async function updateParents(
  db: Db,
  changes: readonly { readonly parent: ProductRow; readonly state: ParentState }[],
  now: Instant,
): Promise<readonly ProductRow[]> {
  if (changes.length === 0) return []
  const tags = changes.map(({ parent }) => productCacheTag(parent.id))
  invalidate(...tags, catalogueCacheTag, stockAndRatingCacheTag)
  const rows = changes.map(({ parent: { id, revision }, state }) => ({ id, revision, ...state }))
  await productRows.saveAll(db, rows, now)
  return changes.map(({ parent, state }) => ({
    ...parent,
    ...state,
    list_price: state.price_from ?? parent.price,
    revision: parent.revision + 1,
    updated_at: now,
  }))
}

type Parents = readonly Pick<ProductRow, 'id' | 'status'>[]

/** Gives the variants of products their status, and returns what that changes. */
export async function setParentStatuses(
  db: Db,
  parents: Parents,
  now: Instant,
): Promise<readonly StockChange[]> {
  const statusOf = new Map(parents.map(({ id, status }) => [id, status]))
  const variants = await productRows.findAll(
    db,
    { variant_of: [...statusOf.keys()], deleted_at: null },
    { order: 'id', locks: true },
  )
  const changes = variants.flatMap((before) => {
    const parent_status = statusOf.get(before.variant_of ?? 0) ?? null
    if (before.parent_status === parent_status) return []
    const section = sectionOf({ ...before, parent_status })
    const { id, revision } = before
    const next = { parent_status, section, revision: revision + 1, updated_at: now }
    return [{ id, before, after: { ...before, ...next } }]
  })
  const rows = changes.map(({ id, before: { revision }, after: { parent_status } }) => ({
    ...{ id, revision, parent_status },
  }))
  await productRows.saveAll(db, rows, now)
  invalidate(...changes.map(({ id }) => productCacheTag(id)), sharedReviewsCacheTag)
  await updateWordIndex(db, changes.map(indexedChange))
  await storeAttributes(db, changes)
  return changes
}

/** A locked product with its variants, ordered by ID. */
export interface Family {
  readonly parent: ProductRow
  readonly variants: readonly StoredVariant[]
}

type StoredOption = Readonly<
  Record<'product_id' | 'section', number> & Record<'name_key' | 'value_key' | 'value', string>
>

/** Stores the options of the variants of products, for facets, unless they are stored as they are. */
async function replaceOptions(db: Db, families: readonly Family[]): Promise<void> {
  const ids = families.map(({ parent }) => parent.id)
  const stored = Map.groupBy(
    await productOptions.findAll(db, { product_id: ids }),
    ({ product_id }) => product_id,
  )
  const changed = families.flatMap((family) => {
    const { id } = family.parent
    const rows = optionsOf(family)
    return isSameOptions(rows, stored.get(id) ?? []) ? [] : [{ id, rows }]
  })
  if (changed.length === 0) return
  await productOptions.delete(db, { product_id: changed.map(({ id }) => id) })
  await productOptions.insertAll(
    db,
    changed.flatMap(({ rows }) => rows),
  )
}

const keyOfOption = ({ name_key, value_key }: StoredOption): string =>
  JSON.stringify([name_key, value_key])

/** The options of the variants of a product, each value once. */
function optionsOf({ parent, variants }: Family): readonly StoredOption[] {
  const { id: product_id, section } = parent
  const options = variants.flatMap((variant) => Object.entries(parseOptions(variant.options) ?? {}))
  const rows = options.map(([name, value]) => {
    const keys = { name_key: nameKey(name), value_key: textKey(value) }
    return { product_id, section, ...keys, value }
  })
  return [...new Map(rows.map((row) => [keyOfOption(row), row])).values()]
}

function isSameOptions(rows: readonly StoredOption[], stored: readonly StoredOption[]): boolean {
  const byKey = new Map(rows.map((row) => [keyOfOption(row), row]))
  return (
    rows.length === stored.length &&
    stored.every((row) => {
      const own = byKey.get(keyOfOption(row))
      return own?.value === row.value && own.section === row.section
    })
  )
}

/** Makes a search for the words and options of their variants find locked products. */
export async function updateParentWords(db: Db, all: readonly Family[]): Promise<void> {
  const families = all.map(({ parent, variants }) => ({
    parent,
    variants: variants.filter(isOfParent),
  }))
  // Before the texts are compared: another spelling of a value may leave the search text as it is.
  await replaceOptions(db, families)
  const changes = families.flatMap(({ parent, variants }) => {
    const own = searchTextOfProduct(parent)
    const search_text = mergeSearchTexts([own, ...variants.map((variant) => variant.search_text)])
    if (search_text === parent.search_text) return []
    return [{ id: parent.id, before: parent, after: { ...parent, search_text } }]
  })
  await productRows.updateAll(
    db,
    changes.map(({ id, after: { search_text } }) => ({ id, search_text })),
  )
  await updateWordIndex(db, changes.map(indexedChange))
}
