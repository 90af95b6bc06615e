import type { Db } from '#store/database.ts'
import { idInQuery, withoutIndex } from '#store/query/dialect.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import type { DeliveryRow } from './table.ts'

const eraseOfUser = prepareQuery((db: Db, param: { userId: number; now: Instant }) =>
  db
    .updateTable('webhook_deliveries')
    .set((eb) => ({
      responses: null,
      revision: eb('revision', '+', eb.lit(1)),
      updated_at: param.now,
    }))
    .where((eb) =>
      idInQuery(
        db,
        'webhook_deliveries.event_sequence',
        eb.selectFrom('events').select('sequence').where('user_id', '=', param.userId),
      ),
    )
    .where('event_sequence', 'is not', null)
    .where('responses', 'is not', null),
)

/**
 * Removes the responses to the events that hold personal data of a user, which endpoints may repeat. It
 * must run before the events are anonymized.
 */
export const eraseResponses = (db: Db, userId: number, now: Instant): Promise<number> =>
  eraseOfUser.run(db, { userId, now })

const newestOfUser = prepareQuery((db: Db, param: { userId: number; limit: number }) =>
  db
    .selectFrom('webhook_deliveries')
    .selectAll('webhook_deliveries')
    .where(
      idInQuery(
        db,
        'webhook_deliveries.event_sequence',
        db
          .selectFrom('events')
          .select('sequence')
          .where('user_id', '=', param.userId)
          .orderBy('sequence', 'desc')
          .limit(param.limit),
      ),
    )
    .orderBy(withoutIndex('event_sequence'), 'desc')
    .orderBy('webhook_id', 'desc')
    .limit(param.limit),
)

/** Returns the deliveries of the newest events that hold personal data of a user, at most `limit`. */
export const deliveriesForExport = (
  db: Db,
  userId: number,
  limit: number,
): Promise<readonly DeliveryRow[]> => newestOfUser.all(db, { userId, limit })
