import type { Selectable } from 'kysely'
import {
  catalogueCacheTag,
  productCacheTag,
  stockAndRatingCacheTag,
} from '#shop/catalogue/products/rules.ts'
import { fields } from '#shop/catalogue/products/schema.ts'
import type { ProductRow } from '#shop/catalogue/products/table.ts'
import { invalidate } from '#store/changes.ts'
import type { Db } from '#store/database.ts'
import { sortColumnsOf } from '#store/entity-fields.ts'
import { dialectOf, idIn, isUnset, rowsFromJson } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate, type SortColumn } from '#store/query/page.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import { updateWordIndex } from '#store/search/word-index.ts'
import { mergeSearchTexts, searchTextOf } from '#store/search/words.ts'
import type { Tables } from '#store/tables.ts'
import type { Instant } from '#values/instant.ts'
import {
  optionValueKey,
  type ParentState,
  parseOptions,
  searchedOptions,
  type VariantState,
} from './rules.ts'

type ProductOptionRow = Selectable<Tables['product_options']>

const byIdsForUpdate = prepareQuery((db: Db, param: { ids: readonly number[] }) =>
  db
    .selectFrom('products')
    .selectAll()
    .where(idIn(db, 'products.id', param.ids))
    // In the order of their IDs, and after any variant, which keeps transactions from a deadlock.
    .orderBy('id')
    .$if(dialectOf(db) === 'postgres', (rows) => rows.forNoKeyUpdate()),
)

/** Returns the products with these IDs, even if removed, locked until the transaction ends. */
export const lockParents = (db: Db, ids: readonly number[]): Promise<ProductRow[]> =>
  byIdsForUpdate.all(db, { ids })

/** A variant with what its parent reflects of it. */
export interface StoredVariant extends VariantState {
  readonly variant_of: number
  readonly search_text: string
}

const variantsOfParents = prepareQuery((db: Db, param: { ids: readonly number[] }) =>
  db
    .selectFrom('products')
    .select(['variant_of', 'availability', 'price', 'options', 'search_text'])
    .where(idIn(db, 'products.variant_of', param.ids))
    .where('variant_of', 'is not', null)
    .where(isUnset('deleted_at'))
    .orderBy('id')
    .$narrowType<{ variant_of: number }>(),
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
    db.selectFrom('products').where('variant_of', '=', parentId).where('deleted_at', 'is', null),
    {
      ...(sortColumnsOf(fields) as Readonly<Record<string, SortColumn<Tables, 'products'>>>),
      id: 'id',
      created_at: 'created_at',
      updated_at: 'updated_at',
    },
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
  return await db
    .updateTable('products')
    .set((eb) => ({ ...state, revision: eb('revision', '+', eb.lit(1)), updated_at: now }))
    .where('id', '=', parent.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Stores the options of the variants of a product, for facets, unless they are stored as they are. */
async function replaceOptions(
  db: Db,
  parentId: number,
  variants: readonly StoredVariant[],
): Promise<void> {
  const options = variants.flatMap((variant) => Object.entries(parseOptions(variant.options) ?? {}))
  const rows = options.map(([name, value]) => {
    const value_key = optionValueKey(value)
    return { product_id: parentId, name, value_key, value }
  })
  const byKey = new Map(rows.map((row) => [`${row.name} ${row.value_key}`, row]))
  const stored = await storedOptions.all(db, { parentId })
  const isStored = ({ name, value_key, value }: ProductOptionRow): boolean =>
    byKey.get(`${name} ${value_key}`)?.value === value
  if (stored.length === byKey.size && stored.every(isStored)) return
  await db.deleteFrom('product_options').where('product_id', '=', parentId).execute()
  if (byKey.size > 0) await insertOptions.run(db, { rows: [...byKey.values()] })
}

const storedOptions = prepareQuery((db: Db, param: { parentId: number }) =>
  db.selectFrom('product_options').selectAll().where('product_id', '=', param.parentId),
)

const optionFields = {
  product_id: 'integer',
  name: 'text',
  value_key: 'text',
  value: 'text',
} as const
const optionColumns = ['product_id', 'name', 'value_key', 'value'] as const

const insertOptions = prepareQuery((db: Db, param: { rows: readonly ProductOptionRow[] }) =>
  db
    .insertInto('product_options')
    .columns(optionColumns)
    .expression((eb) =>
      eb.selectFrom(rowsFromJson(db, param.rows, optionFields).as('option')).select(optionColumns),
    ),
)

/** Makes a search for the words and options of its variants find a locked product. */
export async function updateParentWords(
  db: Db,
  parent: ProductRow,
  variants: readonly StoredVariant[],
): Promise<void> {
  const own = searchTextOf(parent, searchedOptions(parent.options))
  const search_text = mergeSearchTexts([own, ...variants.map((variant) => variant.search_text)])
  // Before the return below: another spelling of a value may leave the search text as it is.
  await replaceOptions(db, parent.id, variants)
  if (search_text === parent.search_text) return
  await db.updateTable('products').set({ search_text }).where('id', '=', parent.id).execute()
  await updateWordIndex(db, [{ id: parent.id, before: parent, after: { ...parent, search_text } }])
}
