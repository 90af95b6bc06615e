import { sql } from 'kysely'
import { invalidate } from '#db/changes.ts'
import type { Db } from '#db/database.ts'
import { isUniqueViolation } from '#db/errors.ts'
import { dialectOf } from '#db/query/dialect.ts'
import { prepareQuery } from '#db/query/prepared.ts'
import { updateWordIndex } from '#db/search/word-index.ts'
import { searchTextOf } from '#db/search/words.ts'
import { requireWritten } from '#db/stale-write.ts'
import { reviewsCacheTag } from '#resources/reviews/rules.ts'
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
export async function requireProduct(db: Db, id: number): Promise<ProductRow> {
  const product = await findProduct(db, id)
  if (!product) throw problem('4041', 'detail.no_resource', { name: 'product' })
  if (product.deleted_at !== null) throw problem('4101', 'detail.gone', { name: 'product' })
  return product
}

/** Inserts a product. Throws 409/4092 when the SKU is taken. */
export async function insertProduct(
  db: Db,
  state: ProductState,
  now: Instant,
): Promise<ProductRow> {
  invalidate(catalogueCacheTag)
  const product = await rejectDuplicateSku(
    db
      .insertInto('products')
      .values({
        ...state,
        search_text: searchTextOf(state),
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
 * Updates a product to its next revision. Throws 409/4092 when the SKU is taken and
 * StaleWriteError when the product has changed since it was read.
 */
export async function saveProduct(
  db: Db,
  product: ProductRow,
  state: ProductState,
  now: Instant,
): Promise<ProductRow> {
  const { id, revision } = product
  invalidate(productCacheTag(id), catalogueCacheTag, stockAndRatingCacheTag)
  const saved = await rejectDuplicateSku(
    db
      .updateTable('products')
      .set({
        ...state,
        search_text: searchTextOf(state),
        revision: revision + 1,
        updated_at: now,
      })
      .where('id', '=', id)
      .where('revision', '=', revision)
      .returningAll()
      .executeTakeFirst(),
  ).then(requireWritten)
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
    .returning(['search_text', 'category'])
    .executeTakeFirst()
  if (removed) await updateWordIndex(db, [{ id, before: removed, after: null }])
}

const addRating = prepareQuery((db: Db, param: { id: number; rating: number; now: Instant }) =>
  db
    .updateTable('products')
    .set((eb) => {
      const sum = eb('rating_sum', '+', param.rating)
      const count = eb('rating_count', '+', eb.lit(1))
      return {
        rating_sum: sum,
        rating_count: count,
        rating_average: sql<number>`(${sum}) * 1.0 / (${count})`,
        revision: eb('revision', '+', eb.lit(1)),
        updated_at: param.now,
      }
    })
    .where('id', '=', param.id)
    .where('deleted_at', 'is', null)
    .returning('id'),
)

/** Adds a rating to the totals of a product, atomically. Throws 410/4101 for a removed product. */
export async function addRatingToProduct(
  db: Db,
  id: number,
  rating: number,
  now: Instant,
): Promise<void> {
  invalidate(productCacheTag(id), stockAndRatingCacheTag)
  const counted = await addRating.first(db, { id, rating, now })
  if (!counted) throw problem('4101', 'detail.gone', { name: 'product' })
}

async function rejectDuplicateSku<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (isUniqueViolation(error)) throw problem('4092', 'product.duplicate_sku')
    throw error
  }
}
