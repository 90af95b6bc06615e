import type { Db } from '#store/database.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'

const endAll = prepareQuery((db: Db, param: { userId: number; exceptId: number; now: Instant }) =>
  db
    .updateTable('sessions')
    .set((eb) => ({
      ended_at: param.now,
      updated_at: param.now,
      revision: eb('revision', '+', eb.lit(1)),
    }))
    .where('user_id', '=', param.userId)
    .where('ended_at', 'is', null)
    .where('id', '<>', param.exceptId),
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

const revoke = prepareQuery((db: Db, param: { userId: number }) =>
  db.deleteFrom('oauth_artefacts').where('user_id', '=', param.userId),
)

/** Ends a user's OAuth sessions and revokes all grants and tokens of clients for the user. */
export const revokeUserTokens = (db: Db, userId: number): Promise<number> =>
  revoke.run(db, { userId })
