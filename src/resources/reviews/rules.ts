import { problem } from '#values/problem.ts'

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

/** Converts the stored fields of a review to those of its representation. */
export const presentReview = <R extends { readonly verified_purchase: number }>(review: R) => ({
  ...review,
  verified_purchase: review.verified_purchase === 1,
})
