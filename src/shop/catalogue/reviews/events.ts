import { entityEvents } from '#shop/events/entity-events.ts'
import { presentReview } from './rules.ts'
import { Review } from './schema.ts'
import type { ReviewRow } from './table.ts'

/** Creates an event about a review. */
export const reviewEvent = entityEvents<ReviewRow, 'review.created'>({
  schema: Review,
  present: presentReview,
  subject: ({ id, product_id }) => `/products/${product_id}/reviews/${id}`,
  userId: ({ user_id }) => user_id,
})
