import type { Db } from '#db/database.ts'
import { dayOf } from '#db/query/day.ts'
import { prepared } from '#db/query/prepared.ts'
import { type Instant, startOfDay } from '#values/instant.ts'
import type { ErasureRow } from './table.ts'

const standing = prepared((db: Db, param: { userId: number }) =>
  db
    .selectFrom('erasures')
    .selectAll()
    .where('user_id', '=', param.userId)
    .where('erased_at', 'is', null),
)

/** When a user is to be erased; undefined where that is not asked for, or done. */
export const findErasure = (db: Db, userId: number): Promise<ErasureRow | undefined> =>
  standing.first(db, { userId })

/** What is kept of a new request. */
type NewErasure = Pick<ErasureRow, 'user_id' | 'reason' | 'erase_at'>

/** Keeps that a user is to be erased; nothing changes where that was asked for before. */
export async function insertErasure(db: Db, row: NewErasure, now: Instant): Promise<void> {
  await db
    .insertInto('erasures')
    .values({ ...row, created_at: now })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute()
}

/** Forgets that a user is to be erased; false where that has been done already. */
export async function cancelErasure(db: Db, userId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('erasures')
    .where('user_id', '=', userId)
    .where('erased_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Users whose time has come, the longest waiting first. */
export const dueErasures = (db: Db, now: Instant, most: number): Promise<{ user_id: number }[]> =>
  db
    .selectFrom('erasures')
    .select('user_id')
    .where('erased_at', 'is', null)
    .where('erase_at', '<=', now)
    .orderBy('erase_at')
    .limit(most)
    .execute()

/** Takes a due erasure for this transaction; false where another has done it, or it was withdrawn. */
export async function claimErasure(db: Db, userId: number, now: Instant): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('erasures')
    .set({ erased_at: now, reason: null })
    .where('user_id', '=', userId)
    .where('erased_at', 'is', null)
    .where('erase_at', '<=', now)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Users erased before a moment, of whom what came in late has not been swept yet. */
export const unsettledErasures = (
  db: Db,
  before: Instant,
  most: number,
): Promise<{ user_id: number }[]> =>
  db
    .selectFrom('erasures')
    .select('user_id')
    .where('settled_at', 'is', null)
    .where('erased_at', '<=', before)
    .orderBy('erased_at')
    .limit(most)
    .execute()

/** Says that nothing of a user can come any more; of when that was, the day is left. */
export async function settleErasure(db: Db, userId: number, now: Instant): Promise<void> {
  await db
    .updateTable('erasures')
    .set({ settled_at: startOfDay(now), erased_at: dayOf<number | null>('erased_at') })
    .where('user_id', '=', userId)
    .where('settled_at', 'is', null)
    .execute()
}

/** Keeps that a user has been erased at once, so that the sweep after it is not forgotten. */
export async function markErased(db: Db, userId: number, now: Instant): Promise<void> {
  const day = startOfDay(now)
  await db
    .insertInto('erasures')
    .values({ user_id: userId, reason: null, erase_at: day, erased_at: now, created_at: day })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet((eb) => ({
        erased_at: eb.fn.coalesce('erasures.erased_at', eb.val(now)),
        erase_at: dayOf('erasures.erase_at'),
        created_at: dayOf('erasures.created_at'),
        reason: null,
      })),
    )
    .execute()
}

const anyOf = prepared((db: Db, param: { userId: number }) =>
  db.selectFrom('erasures').selectAll().where('user_id', '=', param.userId),
)

/** What is kept of the wish of a user to be erased, if there was one. */
export const erasuresOf = (db: Db, userId: number): Promise<ErasureRow[]> =>
  anyOf.all(db, { userId })
