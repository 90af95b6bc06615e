import { sql } from 'kysely'
import { invalidate } from '#store/changes.ts'
import { integer } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { dayOf } from '#store/query/day.ts'
import { prepareSql } from '#store/query/prepared.ts'
import { endOfDay, type Instant } from '#values/instant.ts'
import { reviewsCacheTag } from './rules.ts'

const deleteRemoved = prepareSql(
  (_: Db, { userId }: { userId: number }) =>
    sql`delete from reviews where user_id = ${userId} and deleted_at is not null`,
)

const anonymizeAll = prepareSql(
  (_: Db, param: { userId: number; changedAt: Instant }) => sql`
    update reviews set user_id = null, author = null, revision = revision + 1,
      created_at = ${dayOf('created_at')}, updated_at = ${param.changedAt}
    where user_id = ${param.userId} returning product_id`,
  { product_id: integer },
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
