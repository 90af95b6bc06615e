import { type PersonalData, toExportedData } from '#shop/personal-data.ts'
import { anonymizeReviews } from './personal-data-store.ts'
import { presentReview } from './rules.ts'
import { Review } from './schema.ts'
import { reviews } from './table.ts'

/** The reviews of a user; an erasure keeps them without the author. */
export const reviewPersonalData: PersonalData = {
  name: 'reviews',
  description: 'The reviews that the user wrote.',
  tables: ['reviews'],
  erase: (db, { id, now }) => anonymizeReviews(db, id, now),
  dataExport: {
    schema: Review,
    read: async (db, userId, limit) => {
      const rows = await reviews.findNewest(db, { user_id: userId, deleted_at: null }, limit + 1)
      return toExportedData(rows.map(presentReview), limit)
    },
  },
}
