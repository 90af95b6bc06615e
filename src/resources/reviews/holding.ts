import type { Holding } from '#store/holding.ts'
import { blankReviews } from './store.ts'

/** What a user has written of products; the reviews stay, without an author. */
export const reviewHolding: Holding = {
  name: 'reviews',
  tables: ['reviews'],
  erase: (db, { id, now }) => blankReviews(db, id, now),
}
