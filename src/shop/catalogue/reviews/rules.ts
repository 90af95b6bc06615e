import { problem } from '#values/problem.ts'
import type { ReviewPatch } from './schema.ts'
import type { ReviewRow } from './table.ts'

/** Whether a user has bought and reviewed a product. */
export interface PurchaseAndReview {
  readonly has_bought: boolean
  readonly has_reviewed: boolean
}

/** Throws 409/4092 when the user has reviewed the product and 403/4031 when they never bought it. */
export function requireReviewable({ has_bought, has_reviewed }: PurchaseAndReview): void {
  if (has_reviewed) throw problem('4092', 'review.duplicate')
  if (!has_bought) throw problem('4031', 'review.not_bought')
}

/** The cache tag of the reviews of a product. */
export const reviewsCacheTag = (productId: number): string => `reviews ${productId}`

/** The cache tag of lists of reviews that may be read under the path of a variant too. */
export const sharedReviewsCacheTag = 'shared reviews'
/** Whose hidden reviews a caller sees: `all`, those of a user by ID, or none. */
export type HiddenReviews = 'all' | number | 'none'

interface Caller {
  readonly userId: number | null
  readonly role: string | null
  readonly scopes: ReadonlySet<string>
}

/** Returns whose hidden reviews the caller sees; none without the scope to change them. */
export function visibleHiddenReviews({ userId, role, scopes }: Caller): HiddenReviews {
  if (userId === null || !scopes.has('reviews:write')) return 'none'
  return role === 'admin' ? 'all' : userId
}

/** True for a review that is published, or whose author is among those of the hidden reviews. */
export const isVisible = (
  { status, user_id }: Pick<ReviewRow, 'status' | 'user_id'>,
  hidden: HiddenReviews,
): boolean => status === 'published' || hidden === 'all' || hidden === user_id

/** The fields of a review that a PATCH changes. */
export type ReviewState = Pick<ReviewRow, 'rating' | 'title' | 'body' | 'status'>

/** Applies a patch. Throws 403/4031 when a caller who is no administrator changes the status. */
export function patchReviewState(
  { rating, title, body, status }: ReviewState,
  patch: ReviewPatch,
  role: string | null,
): ReviewState {
  if (patch.status !== undefined && patch.status !== status && role !== 'admin') {
    throw problem('4031', 'detail.admin_only')
  }
  return { rating, title, body, status, ...patch }
}

/** What a review contributes to the rating of its product. */
export interface RatingShare {
  readonly sum: number
  readonly count: number
}

/** Returns what a review contributes to the rating of its product: nothing while it is hidden. */
export const ratingShare = ({
  rating,
  status,
}: Pick<ReviewRow, 'rating' | 'status'>): RatingShare =>
  status === 'published' ? { sum: rating, count: 1 } : noShare

/** The share of a removed or hidden review. */
export const noShare: RatingShare = { sum: 0, count: 0 }

/** Returns the change of the rating of a product from one share of a review to another. */
export const shareChange = (from: RatingShare, to: RatingShare): RatingShare => ({
  sum: to.sum - from.sum,
  count: to.count - from.count,
})

/** Converts the stored fields of a review to those of its representation. */
export const presentReview = <R extends { readonly verified_purchase: number }>(review: R) => ({
  ...review,
  verified_purchase: review.verified_purchase === 1,
})
