import { invalidate } from '#db/changes.ts'
import type { Db } from '#db/database.ts'
import { dayOf } from '#db/query/day.ts'
import { idIn, withoutIndex } from '#db/query/dialect.ts'
import { type PageRequest, type PageResult, paginate, sumCounts } from '#db/query/page.ts'
import { prepareQuery } from '#db/query/prepared.ts'
import { endOfDay, type Instant } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import { type PurchaseAndReview, reviewsCacheTag } from './rules.ts'
import type { ReviewBody, ReviewFilters } from './schema.ts'
import type { ReviewRow } from './table.ts'

// The maximum number of reviews embedded in a product.
const maxEmbeddedReviews = 20

const byId = prepareQuery((db: Db, param: { productId: number; reviewId: number }) =>
  db
    .selectFrom('reviews')
    .selectAll()
    .where('id', '=', param.reviewId)
    .where('product_id', '=', param.productId),
)

/** Returns the review with this ID of a product. */
export const findReview = (
  db: Db,
  productId: number,
  reviewId: number,
): Promise<ReviewRow | undefined> => byId.first(db, { productId, reviewId })

/** Returns one page of the reviews of a product that match every filter. */
export function listReviews(
  db: Db,
  productId: number,
  { rating, user_id }: ReviewFilters,
  page: PageRequest,
): Promise<PageResult<ReviewRow>> {
  let query = db.selectFrom('reviews').where('product_id', '=', productId)
  if (rating !== undefined) query = query.where('rating', '=', rating)
  if (user_id !== undefined) query = query.where('user_id', '=', user_id)
  const columns = { id: 'id', rating: 'rating', created_at: 'created_at' } as const
  return paginate(
    query,
    columns,
    page,
    (rows) => rows.selectAll('reviews'),
    user_id === undefined ? { length: countReviews(db, productId, rating) } : { isFew: true },
  )
}

function countReviews(db: Db, productId: number, rating: number | undefined): Promise<number> {
  const counters = db.selectFrom('review_counts').where('product_id', '=', productId)
  return sumCounts(rating === undefined ? counters : counters.where('rating', '=', rating))
}

/** Returns up to `embeddedReviews` newest reviews of each product, in one query. */
export async function loadReviewsOf<P extends { readonly id: number }>(
  db: Db,
  products: readonly P[],
): Promise<ReadonlyMap<P, readonly ReviewRow[]>> {
  const ids = products.map(({ id }) => id)
  const ranked = db
    .selectFrom('reviews')
    .selectAll()
    .select((eb) =>
      eb.fn
        .agg<number>('row_number')
        .over((over) => over.partitionBy('product_id').orderBy('id', 'desc'))
        .as('place'),
    )
    .where(idIn(db, 'reviews.product_id', ids))
  const rows = await db
    .selectFrom(ranked.as('ranked'))
    .selectAll()
    .where('place', '<=', maxEmbeddedReviews)
    .orderBy('place')
    .execute()
  const byProduct = Map.groupBy(rows, ({ product_id }) => product_id)
  return new Map(products.map((product) => [product, byProduct.get(product.id) ?? []]))
}

const purchaseAndReview = prepareQuery((db: Db, param: { productId: number; userId: number }) =>
  db.selectNoFrom((eb) => [
    eb.selectFrom('users').select('name').where('id', '=', param.userId).as('author'),
    eb
      .selectFrom('purchases')
      .select('id')
      .where('product_id', '=', param.productId)
      .where('user_id', '=', param.userId)
      .limit(eb.lit(1))
      .as('purchase_id'),
    eb
      .selectFrom('reviews')
      .select('id')
      .where('product_id', '=', param.productId)
      .where('user_id', '=', param.userId)
      .as('review_id'),
  ]),
)

/** Returns whether a user has bought and reviewed a product, and the user's name, in one query. */
export async function findPurchaseAndReview(
  db: Db,
  productId: number,
  userId: number,
): Promise<PurchaseAndReview & { readonly author: string | null }> {
  const found = await purchaseAndReview.first(db, { productId, userId })
  return {
    author: found?.author ?? null,
    has_bought: (found?.purchase_id ?? null) !== null,
    has_reviewed: (found?.review_id ?? null) !== null,
  }
}

/** The product and the author of a new review. */
export interface ReviewOrigin {
  readonly product_id: number
  readonly user_id: number
  readonly author: string | null
}

/** Inserts a review by a buyer. Throws 409/4092 when the user has reviewed the product. */
export async function insertReview(
  db: Db,
  reviewOrigin: ReviewOrigin,
  { rating, title = null, body = null }: ReviewBody,
  now: Instant,
): Promise<ReviewRow> {
  invalidate(reviewsCacheTag(reviewOrigin.product_id))
  const row = await db
    .insertInto('reviews')
    .values({
      ...reviewOrigin,
      rating,
      title,
      body,
      verified_purchase: 1,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.columns(['product_id', 'user_id']).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) throw problem('4092', 'review.duplicate')
  return row
}

const anonymizeAll = prepareQuery((db: Db, param: { userId: number; changedAt: Instant }) =>
  db
    .updateTable('reviews')
    .set((eb) => ({
      user_id: null,
      author: null,
      revision: eb('revision', '+', eb.lit(1)),
      created_at: dayOf('created_at'),
      updated_at: param.changedAt,
    }))
    .where('user_id', '=', param.userId)
    .returning('product_id'),
)

/** Removes the author from the reviews of a user and rounds their times to days. */
export async function anonymizeReviews(db: Db, userId: number, now: Instant): Promise<void> {
  const reviews = await anonymizeAll.all(db, { userId, changedAt: endOfDay(now) })
  invalidate(...reviews.map(({ product_id }) => reviewsCacheTag(product_id)))
}

const newestByUser = prepareQuery((db: Db, param: { userId: number; maxRows: number }) =>
  db
    .selectFrom('reviews')
    .selectAll()
    .where('user_id', '=', param.userId)
    .orderBy(withoutIndex('id'), 'desc')
    .limit(param.maxRows),
)

/** Returns the newest reviews by a user, up to a limit. */
export const reviewsForExport = (db: Db, userId: number, maxRows: number): Promise<ReviewRow[]> =>
  newestByUser.all(db, { userId, maxRows })
