import type { Context } from '#http/declare/context.ts'
import { reviewedProductId } from '#shop/catalogue/products/rules.ts'
import { changeRatingOfProduct, requireVisibleProduct } from '#shop/catalogue/products/store.ts'
import { recordEvents } from '#shop/events/outbox-store.ts'
import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import { reviewEvent } from './events.ts'
import {
  noShare,
  patchReviewState,
  type RatingShare,
  ratingShare,
  requireReviewable,
  shareChange,
} from './rules.ts'
import type { ReviewBody, ReviewPatch } from './schema.ts'
import * as store from './store.ts'
import type { ReviewRow } from './table.ts'

/**
 * Creates the caller's review of a product, which for a variant is that of its parent. Throws
 * 403/4031, 404/4041, 409/4092 and 410/4101. Where an administrator had hidden the caller's last
 * review of it, the new one is hidden too.
 */
export async function createReview(
  ctx: Context,
  pathId: number,
  body: ReviewBody,
): Promise<ReviewRow> {
  const { db, now, actor } = ctx
  const userId = actor.userId ?? 0
  const productId = reviewedProductId(await requireVisibleProduct(ctx, pathId))
  const { author, was_hidden, ...found } = await store.findPurchaseAndReview(db, productId, userId)
  requireReviewable(found)
  const status = was_hidden ? 'hidden' : 'published'
  const origin = { product_id: productId, user_id: userId, author, status } as const
  const row = await store.insertReview(db, origin, body, now)
  await changeRating(db, row, [noShare, ratingShare(row)], now)
  await recordEvents(db, [reviewEvent('review.created', row, now)])
  return row
}

/** Changes a review and the rating of its product. Throws 403/4031 as `patchReviewState`. */
export async function changeReview(
  { db, now, actor }: Context,
  current: ReviewRow,
  patch: ReviewPatch,
): Promise<ReviewRow> {
  const state = patchReviewState(current, patch, actor.role)
  const saved = await store.saveReview(db, current, state, now)
  await changeRating(db, saved, [ratingShare(current), ratingShare(saved)], now)
  return saved
}

/** Removes a review and its share of the rating of its product. */
export async function removeReview({ db, now }: Context, current: ReviewRow): Promise<void> {
  await store.removeReview(db, current, now)
  await changeRating(db, current, [ratingShare(current), noShare], now)
}

async function changeRating(
  db: Db,
  { product_id }: ReviewRow,
  [from, to]: readonly [RatingShare, RatingShare],
  now: Instant,
): Promise<void> {
  const { sum, count } = shareChange(from, to)
  if (sum === 0 && count === 0) return
  await changeRatingOfProduct(db, { id: product_id, sum, count, now })
}
