import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { nullable } from '#schema/words.ts'
import type { StoredRating } from '#shop/catalogue/products/store.ts'
import { invalidate } from '#store/changes.ts'
import { integer, text } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { dialectOf, idInQuery, rowsFromJson, withoutIndex } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { prepareSql } from '#store/query/prepared.ts'
import { addTotals, countRows, sumCounts, type Total } from '#store/query/total.ts'
import { rejectDuplicate } from '#store/reject-duplicate.ts'
import type { Tables } from '#store/tables.ts'
import { isUnchanged } from '#store/unchanged.ts'
import type { Instant } from '#values/instant.ts'
import {
  type HiddenReviews,
  type PurchaseAndReview,
  type ReviewState,
  reviewsCacheTag,
} from './rules.ts'
import type { ReviewBody, ReviewFilters } from './schema.ts'
import { type ReviewRow, reviews } from './table.ts'

// The maximum number of reviews embedded in a product.
const maxEmbeddedReviews = 20

/** Returns one page of the visible reviews of a product that match every filter. */
export function listReviews(
  db: Db,
  { productId, hidden }: { readonly productId: number; readonly hidden: HiddenReviews },
  filters: ReviewFilters,
  page: PageRequest,
): Promise<PageResult<ReviewRow>> {
  const { user_id } = filters
  const query = filtered(db, productId, filters).where(isVisibleTo(hidden))
  const columns = {
    id: 'id',
    rating: 'rating',
    created_at: 'created_at',
    updated_at: 'updated_at',
  } as const
  return paginate(
    db,
    query,
    columns,
    page,
    (rows) => rows.selectAll('reviews'),
    user_id === undefined
      ? { length: countReviews(db, productId, hidden, filters) }
      : { isFew: true },
  )
}

function filtered(db: Db, productId: number, { rating, user_id }: ReviewFilters) {
  let query = db
    .selectFrom('reviews')
    .where('product_id', '=', productId)
    .where('deleted_at', 'is', null)
  if (rating !== undefined) query = query.where('rating', '=', rating)
  if (user_id !== undefined) query = query.where('user_id', '=', user_id)
  return query
}

type Condition = (eb: ExpressionBuilder<Tables, 'reviews'>) => Expression<SqlBool>

const isPublished: Condition = (eb) => eb('status', '=', sql.lit('published'))

/** True for published reviews and those hidden reviews that the caller sees. */
const isVisibleTo =
  (hidden: HiddenReviews): Condition =>
  (eb) => {
    if (hidden === 'all') return eb.lit(true)
    if (hidden === 'none') return isPublished(eb)
    return eb.or([isPublished(eb), eb(withoutIndex<number>('user_id'), '=', hidden)])
  }

/** Counts the published reviews by their counters and adds the hidden ones, which are few. */
async function countReviews(
  db: Db,
  productId: number,
  hidden: HiddenReviews,
  filters: ReviewFilters,
): Promise<Total> {
  const { rating } = filters
  const counters = db.selectFrom('review_counts').where('product_id', '=', productId)
  const published = sumCounts(
    rating === undefined ? counters : counters.where('rating', '=', rating),
  )
  if (hidden === 'none') return published
  const ofHidden = filtered(db, productId, {
    ...filters,
    ...(hidden === 'all' ? {} : { user_id: hidden }),
  }).where((eb) => eb('status', '=', sql.lit('hidden')))
  return addTotals(await published, await countRows(db, ofHidden))
}

/** The reviews of the product of a row of `listed` that are visible, the newest first. */
const visibleOfListed = (eb: ExpressionBuilder<Tables & Listed, 'listed'>, isVisible: Condition) =>
  eb
    .selectFrom('reviews')
    .whereRef('reviews.product_id', '=', 'listed.product_id')
    .where('reviews.deleted_at', 'is', null)
    .where(isVisible as never)
    .orderBy('reviews.id', 'desc')

interface Listed {
  readonly listed: { readonly product_id: number }
}

/** Selects up to `maxEmbeddedReviews` newest visible reviews of each listed product by an index. */
function newestReviews(db: Db, productIds: readonly number[], isVisible: Condition) {
  const products = productIds.map((product_id) => ({ product_id }))
  const listed = rowsFromJson(db, products, { product_id: 'integer' }).as('listed')
  if (dialectOf(db) === 'postgres') {
    // It cannot read the reviews of all products, as it might for a join without statistics.
    return db
      .selectFrom(listed)
      .innerJoinLateral(
        (eb) => visibleOfListed(eb, isVisible).selectAll().limit(maxEmbeddedReviews).as('newest'),
        (join) => join.onTrue(),
      )
      .selectAll('newest')
  }
  return db
    .with('wanted', (cte) =>
      cte.selectFrom(listed).select((eb) => [
        'listed.product_id',
        eb.fn
          .coalesce(
            visibleOfListed(eb, isVisible)
              .select('reviews.id')
              .limit(1)
              .offset(maxEmbeddedReviews - 1),
            eb.lit(0),
          )
          .as('oldest_id'),
      ]),
    )
    .selectFrom('wanted')
    .innerJoin('reviews', (join) =>
      join
        .onRef('reviews.product_id', '=', 'wanted.product_id')
        .onRef('reviews.id', '>=', 'wanted.oldest_id'),
    )
    .selectAll('reviews')
    .where('deleted_at', 'is', null)
    .where(isVisible)
}

/** Returns up to `maxEmbeddedReviews` newest visible reviews of each product, in one query. */
export async function loadReviewsOf<P extends { readonly id: number }>(
  db: Db,
  products: readonly P[],
  hidden: HiddenReviews,
): Promise<ReadonlyMap<P, readonly ReviewRow[]>> {
  const ids = products.map(({ id }) => id)
  const rows = await newestReviews(db, ids, isVisibleTo(hidden)).execute()
  // Sorted here, since PostgreSQL might read the reviews of all products in this order.
  const newestFirst = rows.toSorted((one, other) => other.id - one.id)
  const byProduct = Map.groupBy(newestFirst, ({ product_id }) => product_id)
  return new Map(products.map((product) => [product, byProduct.get(product.id) ?? []]))
}

const counts = prepareSql(
  (_: Db, { productId }: { productId: number }) =>
    sql`select rating, number from review_counts where product_id = ${productId}`,
  { rating: integer, number: integer },
)

/** Returns the rating of a product by its published reviews. */
export async function findRating(db: Db, productId: number): Promise<StoredRating> {
  const rows = await counts.all(db, { productId })
  const rating_count = rows.reduce((total, { number }) => total + number, 0)
  const rating_sum = rows.reduce((total, { rating, number }) => total + rating * number, 0)
  const rating_average = rating_count === 0 ? null : rating_sum / rating_count
  return { rating_sum, rating_count, rating_average }
}

const purchaseAndReview = prepareSql(
  (db: Db, { productId, userId }: { productId: number; userId: number }) => sql`
    select
      (select name from users where id = ${userId}) as author,
      (select id from purchases where user_id = ${userId} and ${idInQuery(
        db,
        'purchases.product_id',
        sql`(select id from products where id = ${productId}
          union all select id from products where variant_of = ${productId})`,
      )} limit 1) as purchase_id,
      (select id from reviews
        where product_id = ${productId} and user_id = ${userId} and deleted_at is null) as review_id,
      (select status from reviews
        where product_id = ${productId} and user_id = ${userId} and deleted_at is not null
        order by +id desc limit 1) as removed_status`,
  {
    ...{ author: nullable(text), purchase_id: nullable(integer) },
    ...{ review_id: nullable(integer), removed_status: nullable(text) },
  },
)

/** What is known of a user who is about to review a product. */
interface ReviewerState extends PurchaseAndReview {
  readonly author: string | null
  /** Whether the last review that the user removed was hidden. */
  readonly was_hidden: boolean
}

/** Returns whether a user has bought and reviewed a product, and the user's name, in one query. */
export async function findPurchaseAndReview(
  db: Db,
  productId: number,
  userId: number,
): Promise<ReviewerState> {
  const found = await purchaseAndReview.first(db, { productId, userId })
  return {
    author: found?.author ?? null,
    has_bought: (found?.purchase_id ?? null) !== null,
    has_reviewed: (found?.review_id ?? null) !== null,
    was_hidden: found?.removed_status === 'hidden',
  }
}

/** Inserts a review by a buyer. Throws 409/4092 when the user has reviewed the product. */
export function insertReview(
  db: Db,
  reviewOrigin: Pick<ReviewRow, 'product_id' | 'author' | 'status'> & { readonly user_id: number },
  { rating, title, body }: ReviewBody,
  now: Instant,
): Promise<ReviewRow> {
  invalidate(reviewsCacheTag(reviewOrigin.product_id))
  const text = { rating, title: title ?? null, body: body ?? null }
  const times = { created_at: now, updated_at: now }
  const inserted = reviews.insert(db, { ...reviewOrigin, ...text, verified_purchase: 1, ...times })
  return rejectDuplicate(inserted, 'review.duplicate')
}

/**
 * Updates a review to its next revision, if anything has changed. Throws StaleWriteError if it has
 * changed meanwhile.
 */
export async function saveReview(
  db: Db,
  current: ReviewRow,
  state: ReviewState,
  now: Instant,
): Promise<ReviewRow> {
  if (isUnchanged(current, state)) return current
  invalidate(reviewsCacheTag(current.product_id))
  return reviews.save(db, current, state, now)
}

/** Marks a review as removed and deletes its text. Throws StaleWriteError if it has changed meanwhile. */
export async function removeReview(db: Db, review: ReviewRow, now: Instant): Promise<void> {
  invalidate(reviewsCacheTag(review.product_id))
  const removed = { author: null, title: null, body: null, deleted_at: now }
  await reviews.save(db, review, removed, now)
}
