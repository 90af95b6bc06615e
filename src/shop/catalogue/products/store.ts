import { sql } from 'kysely'
import { reviewsCacheTag, sharedReviewsCacheTag } from '#shop/catalogue/reviews/rules.ts'
import { optionsKeyOf, searchedOptions } from '#shop/catalogue/variants/rules.ts'
import { requirePresent } from '#shop/require-present.ts'
import { invalidate } from '#store/changes.ts'
import type { Db } from '#store/database.ts'
import { dialectOf } from '#store/query/dialect.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import { rejectDuplicate } from '#store/reject-duplicate.ts'
import { saveRevision } from '#store/save-revision.ts'
import { updateWordIndex } from '#store/search/word-index.ts'
import { searchTextOf } from '#store/search/words.ts'
import { isUnchanged } from '#store/unchanged.ts'
import type { Instant } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import {
  catalogueCacheTag,
  type ProductState,
  productCacheTag,
  stockAndRatingCacheTag,
} from './rules.ts'
import type { ProductRow } from './table.ts'

/**
 * The availability `discontinued` as a literal. As a parameter, PostgreSQL could not see the value and would
 * estimate too few products with another one.
 */
export const discontinued = sql<'discontinued'>`'discontinued'`

const byId = prepareQuery((db: Db, param: { id: number }) =>
  db.selectFrom('products').selectAll().where('id', '=', param.id),
)

/** Returns the product with this ID, even if removed. */
export const findProduct = (db: Db, id: number): Promise<ProductRow | undefined> =>
  byId.first(db, { id })

const byIdForUpdate = prepareQuery((db: Db, param: { id: number }) =>
  db
    .selectFrom('products')
    .selectAll()
    .where('id', '=', param.id)
    // Concurrent orders would otherwise starve an optimistic update of a popular product.
    .$if(dialectOf(db) === 'postgres', (rows) => rows.forNoKeyUpdate()),
)

/** Returns the product with this ID, even if removed, locked until the transaction ends. */
export const lockProduct = (db: Db, id: number): Promise<ProductRow | undefined> =>
  byIdForUpdate.first(db, { id })

/** Returns the product with this ID. Throws 404/4041, and 410/4101 for a removed product. */
export const requireProduct = async (db: Db, id: number): Promise<ProductRow> =>
  requirePresent('product', await findProduct(db, id))

/** The columns that follow from the state of a product. */
export const derivedColumns = (state: ProductState) => ({
  options_key: optionsKeyOf(state.options),
  search_text: searchTextOf(state, searchedOptions(state.options)),
})

/** Inserts a product. Throws 409/4092 when the SKU, or the options of a variant, are taken. */
export async function insertProduct(
  db: Db,
  state: ProductState,
  now: Instant,
): Promise<ProductRow> {
  invalidate(catalogueCacheTag)
  const product = await rejectDuplicates(
    db
      .insertInto('products')
      .values({
        ...state,
        ...derivedColumns(state),
        created_at: now,
        updated_at: now,
        deleted_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
  await updateWordIndex(db, [{ id: product.id, before: null, after: product }])
  return product
}

/**
 * Updates a product to its next revision, if anything has changed. Throws 409/4092 when the SKU, or
 * the options of a variant, are taken, and StaleWriteError when the product has changed since it was read.
 */
export async function saveProduct(
  db: Db,
  product: ProductRow,
  state: ProductState & Partial<StoredRating>,
  now: Instant,
): Promise<ProductRow> {
  const { id } = product
  if (isUnchanged(product, state)) return product
  invalidate(productCacheTag(id), catalogueCacheTag, stockAndRatingCacheTag)
  const columns = { ...state, ...derivedColumns(state) }
  const saved = await rejectDuplicates(saveRevision(db, 'products', product, columns, now))
  await updateWordIndex(db, [{ id, before: product, after: saved }])
  return saved
}

/** Marks a product as removed and frees its SKU; its row stays for orders. */
export async function removeProduct(db: Db, { id }: ProductRow, now: Instant): Promise<void> {
  invalidate(productCacheTag(id), catalogueCacheTag, stockAndRatingCacheTag, reviewsCacheTag(id))
  const removed = await db
    .updateTable('products')
    .set((eb) => ({
      deleted_at: now,
      updated_at: now,
      sku: null,
      revision: eb('revision', '+', 1),
    }))
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning(['search_text', 'category', 'variant_of'])
    .executeTakeFirst()
  if (removed) await updateWordIndex(db, [{ id, before: removed, after: null }])
}

/** The columns of the rating of a product; the average is null without reviews. */
export type StoredRating = Pick<ProductRow, 'rating_sum' | 'rating_count' | 'rating_average'>

/** A change of the sum and the number of the ratings of a product. */
interface RatingChange {
  readonly id: number
  readonly sum: number
  readonly count: number
  readonly now: Instant
}

const changeRating = prepareQuery((db: Db, param: RatingChange) =>
  db
    .updateTable('products')
    .set((eb) => {
      // A variant has no rating, even if it has reviews of the time before it was one.
      const ofSingle = (change: number) =>
        eb.case().when('variant_of', 'is', null).then(change).else(eb.lit(0)).end()
      const sum = eb('rating_sum', '+', ofSingle(param.sum))
      const count = eb('rating_count', '+', ofSingle(param.count))
      return {
        rating_sum: sum,
        rating_count: count,
        // Null without ratings.
        rating_average: sql<number | null>`(${sum}) * 1.0 / nullif(${count}, 0)`,
        revision: eb('revision', '+', eb.lit(1)),
        updated_at: param.now,
      }
    })
    .where('id', '=', param.id)
    .where('deleted_at', 'is', null)
    .returning('variant_count'),
)

/** Changes the rating of a product, atomically. Throws 410/4101 for a removed product. */
export async function changeRatingOfProduct(db: Db, change: RatingChange): Promise<void> {
  invalidate(productCacheTag(change.id), stockAndRatingCacheTag)
  const counted = await changeRating.first(db, change)
  if (counted && counted.variant_count > 0) invalidate(sharedReviewsCacheTag)
  if (!counted) throw problem('4101', 'detail.gone', { name: 'product' })
}

/** Turns a unique violation into 409/4092. */
export const rejectDuplicates = <T>(write: Promise<T>): Promise<T> =>
  rejectDuplicate(write, 'product.duplicate_sku', {
    columns: ['products.variant_of', 'products.options_key'],
    key: 'variant.duplicate',
  })
