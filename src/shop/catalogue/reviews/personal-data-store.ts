import { invalidate } from '#store/changes.ts'
import type { Db } from '#store/database.ts'
import { dayOf } from '#store/query/day.ts'
import { withoutIndex } from '#store/query/dialect.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import { endOfDay, type Instant } from '#values/instant.ts'
import { reviewsCacheTag } from './rules.ts'
import type { ReviewRow } from './table.ts'

const deleteRemoved = prepareQuery((db: Db, param: { userId: number }) =>
  db.deleteFrom('reviews').where('user_id', '=', param.userId).where('deleted_at', 'is not', null),
)

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

/**
 * Removes the author from the reviews of a user and rounds their times to days; deletes what is left of
 * removed ones.
 */
export async function anonymizeReviews(db: Db, userId: number, now: Instant): Promise<void> {
  await deleteRemoved.run(db, { userId })
  const reviews = await anonymizeAll.all(db, { userId, changedAt: endOfDay(now) })
  invalidate(...reviews.map(({ product_id }) => reviewsCacheTag(product_id)))
}

const newestByUser = prepareQuery((db: Db, param: { userId: number; maxRows: number }) =>
  db
    .selectFrom('reviews')
    .selectAll()
    .where('user_id', '=', param.userId)
    .where('deleted_at', 'is', null)
    .orderBy(withoutIndex('id'), 'desc')
    .limit(param.maxRows),
)

/** Returns the newest reviews by a user, up to a limit. */
export const reviewsForExport = (db: Db, userId: number, maxRows: number): Promise<ReviewRow[]> =>
  newestByUser.all(db, { userId, maxRows })
