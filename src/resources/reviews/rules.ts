import { problem } from '#values/problem.ts'

/** What somebody has to do with a product. */
export interface PurchaseAndReview {
  readonly has_bought: boolean
  readonly has_reviewed: boolean
}

/** Refuses a second review of one product with 409, and that of who never bought it with 403. */
export function requireFirstHand({ has_bought, has_reviewed }: PurchaseAndReview): void {
  if (has_reviewed) throw problem('4092', 'review.duplicate')
  if (!has_bought) throw problem('4031', 'review.not_bought')
}

/** By what changes of the reviews of a product are announced. */
export const reviewChanges = (productId: number): string => `reviews ${productId}`

/** A review as it is told. */
export const presentReview = <R extends { readonly verified_purchase: number }>(review: R) => ({
  ...review,
  verified_purchase: review.verified_purchase === 1,
})
