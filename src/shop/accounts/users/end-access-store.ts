import { sql } from 'kysely'
import type { Db } from '#store/database.ts'
import { prepareSql } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'

const endAll = prepareSql(
  (_: Db, { userId, exceptId, now }: { userId: number; exceptId: number; now: Instant }) => sql`
    update sessions set ended_at = ${now}, updated_at = ${now}, revision = revision + 1
    where user_id = ${userId} and ended_at is null and id <> ${exceptId}`,
)

/**
 * Ends the sessions of a user, except `exceptId`, and returns how many. The transaction must have
 * written the user's row.
 */
export const endUserSessions = (
  db: Db,
  { userId, exceptId = 0 }: { readonly userId: number; readonly exceptId?: number | undefined },
  now: Instant,
): Promise<number> => endAll.run(db, { userId, exceptId, now })

const revoke = prepareSql(
  (_: Db, { userId }: { userId: number }) =>
    sql`delete from oauth_artefacts where user_id = ${userId}`,
)

/** Ends a user's OAuth sessions and revokes all grants and tokens of clients for the user. */
export const revokeUserTokens = (db: Db, userId: number): Promise<number> =>
  revoke.run(db, { userId })
