import { type Holding, toldOf } from '#resources/personal-data.ts'
import { presentReview } from './rules.ts'
import { Review } from './schema.ts'
import { blankReviews, newestReviews } from './store.ts'

/** What a user has written of products; the reviews stay, without an author. */
export const reviewHolding: Holding = {
  name: 'reviews',
  description: 'What was written of products.',
  tables: ['reviews'],
  erase: (db, { id, now }) => blankReviews(db, id, now),
  tell: {
    schema: Review,
    read: async (db, userId, limit) => {
      const rows = await newestReviews(db, userId, limit + 1)
      return toldOf(rows.map(presentReview), limit)
    },
  },
}
