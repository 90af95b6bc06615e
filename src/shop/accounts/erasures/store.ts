import { sql } from 'kysely'
import { integer } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { dayOf } from '#store/query/day.ts'
import { prepareSql } from '#store/query/prepared.ts'
import { type Instant, startOfDay } from '#values/instant.ts'
import type { ErasureRow } from './table.ts'

type NewErasure = Pick<ErasureRow, 'user_id' | 'reason' | 'erase_at'>

/** Inserts an erasure; does nothing when the user already has one. */
export async function insertErasure(db: Db, row: NewErasure, now: Instant): Promise<void> {
  await insert.run(db, { ...row, now })
}

const insert = prepareSql(
  (_: Db, { user_id, reason, erase_at, now }: NewErasure & { now: Instant }) => sql`
    insert into erasures (user_id, reason, erase_at, created_at)
    values (${user_id}, ${reason}, ${erase_at}, ${now}) on conflict (user_id) do nothing`,
)

interface DueRows {
  readonly before: Instant
  readonly limit: number
}

const due = prepareSql(
  (_: Db, { before, limit }: DueRows) => sql`
    select user_id from erasures where erased_at is null and erase_at <= ${before}
    order by erase_at limit ${limit}`,
  { user_id: integer },
)

const unfinished = prepareSql(
  (_: Db, { before, limit }: DueRows) => sql`
    select user_id from erasures where settled_at is null and erased_at <= ${before}
    order by erased_at limit ${limit}`,
  { user_id: integer },
)

const claim = prepareSql(
  (_: Db, { userId, now }: { userId: number; now: Instant }) => sql`
    update erasures set erased_at = ${now}, reason = null
    where user_id = ${userId} and erased_at is null and erase_at <= ${now}`,
)

const finish = prepareSql(
  (_: Db, { userId, day }: { userId: number; day: Instant }) => sql`
    update erasures set settled_at = ${day}, erased_at = ${dayOf('erased_at')}
    where user_id = ${userId} and settled_at is null`,
)

const mark = prepareSql(
  (_: Db, { userId, now, day }: { userId: number; now: Instant; day: Instant }) => sql`
    insert into erasures (user_id, erase_at, erased_at, created_at)
    values (${userId}, ${day}, ${now}, ${day})
    on conflict (user_id) do update set erased_at = coalesce(erasures.erased_at, ${now}),
      erase_at = ${dayOf('erasures.erase_at')}, created_at = ${dayOf('erasures.created_at')},
      reason = null`,
)

/** Returns at most `limit` due erasures, the oldest first. */
export const listDueErasures = (db: Db, now: Instant, limit: number) =>
  due.all(db, { before: now, limit })

/** Marks a due erasure as done; returns false when another process has, or it was withdrawn. */
export const claimErasure = async (db: Db, userId: number, now: Instant): Promise<boolean> =>
  (await claim.run(db, { userId, now })) > 0

/** Returns at most `limit` unfinished erasures that were done at or before `before`. */
export const listUnfinishedErasures = (db: Db, before: Instant, limit: number) =>
  unfinished.all(db, { before, limit })

/** Marks an erasure as finished and rounds its times to days. */
export const finishErasure = (db: Db, userId: number, now: Instant): Promise<number> =>
  finish.run(db, { userId, day: startOfDay(now) })

/** Records that a user was erased, with or without a request, so that the erasure gets finished. */
export const markErased = (db: Db, userId: number, now: Instant): Promise<number> =>
  mark.run(db, { userId, now, day: startOfDay(now) })
