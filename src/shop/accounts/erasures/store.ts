import type { Db } from '#store/database.ts'
import { dayOf } from '#store/query/day.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import { type Instant, startOfDay } from '#values/instant.ts'
import type { ErasureRow } from './table.ts'

const pendingByUser = prepareQuery((db: Db, param: { userId: number }) =>
  db
    .selectFrom('erasures')
    .selectAll()
    .where('user_id', '=', param.userId)
    .where('erased_at', 'is', null),
)

/** Returns the pending erasure of a user; undefined when there is none or it has been done. */
export const findErasure = (db: Db, userId: number): Promise<ErasureRow | undefined> =>
  pendingByUser.first(db, { userId })

type NewErasure = Pick<ErasureRow, 'user_id' | 'reason' | 'erase_at'>

/** Inserts an erasure; does nothing when the user already has one. */
export async function insertErasure(db: Db, row: NewErasure, now: Instant): Promise<void> {
  await db
    .insertInto('erasures')
    .values({ ...row, created_at: now })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute()
}

/** Deletes the pending erasure of a user; returns false when there is none or it has been done. */
export async function cancelErasure(db: Db, userId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('erasures')
    .where('user_id', '=', userId)
    .where('erased_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Returns at most `limit` due erasures, the oldest first. */
export const listDueErasures = (
  db: Db,
  now: Instant,
  limit: number,
): Promise<{ user_id: number }[]> =>
  db
    .selectFrom('erasures')
    .select('user_id')
    .where('erased_at', 'is', null)
    .where('erase_at', '<=', now)
    .orderBy('erase_at')
    .limit(limit)
    .execute()

/** Marks a due erasure as done; returns false when another process has, or it was withdrawn. */
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

/** Returns at most `limit` unfinished erasures that were done at or before `before`. */
export const listUnfinishedErasures = (
  db: Db,
  before: Instant,
  limit: number,
): Promise<{ user_id: number }[]> =>
  db
    .selectFrom('erasures')
    .select('user_id')
    .where('settled_at', 'is', null)
    .where('erased_at', '<=', before)
    .orderBy('erased_at')
    .limit(limit)
    .execute()

/** Marks an erasure as finished and rounds its times to days. */
export async function finishErasure(db: Db, userId: number, now: Instant): Promise<void> {
  await db
    .updateTable('erasures')
    .set({ settled_at: startOfDay(now), erased_at: dayOf<number | null>('erased_at') })
    .where('user_id', '=', userId)
    .where('settled_at', 'is', null)
    .execute()
}

/** Records that a user was erased, with or without a request, so that the erasure gets finished. */
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

const byUser = prepareQuery((db: Db, param: { userId: number }) =>
  db.selectFrom('erasures').selectAll().where('user_id', '=', param.userId),
)

/** Returns the erasure of a user, pending or done, as a list of at most one. */
export const erasuresForExport = (db: Db, userId: number): Promise<ErasureRow[]> =>
  byUser.all(db, { userId })
