import type { ExpressionBuilder } from 'kysely'
import type { Db } from '#store/database.ts'
import { dayOf } from '#store/query/day.ts'
import { withoutIndex } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { Tables } from '#store/tables.ts'
import type { Instant } from '#values/instant.ts'
import type { AuditEventFilters } from './schema.ts'
import type { AuditEventRow } from './table.ts'

/** An event, with the times at which its subject and actor were removed. */
export type AuditEventState = AuditEventRow & {
  readonly subject_deleted_at: Instant | null
  readonly actor_deleted_at: Instant | null
}

const deletionTimes = (eb: ExpressionBuilder<Tables, 'audit_events'>) =>
  (['subject', 'actor'] as const).map((role) =>
    eb
      .selectFrom('users')
      .select('users.deleted_at')
      .whereRef('users.id', '=', `audit_events.${role}_id`)
      .as(`${role}_deleted_at`),
  )

const byId = prepareQuery((db: Db, param: { id: number }) =>
  db.selectFrom('audit_events').selectAll().select(deletionTimes).where('id', '=', param.id),
)

/** Returns the event with this ID. */
export const findAuditEvent = (db: Db, id: number): Promise<AuditEventState | undefined> =>
  byId.first(db, { id })

/** Returns one page of the events that match all filters. */
export function listAuditEvents(
  db: Db,
  filters: AuditEventFilters,
  page: PageRequest,
): Promise<PageResult<AuditEventState>> {
  const { action, actor_id, subject_id, address, request_id, since, until } = filters
  let query = db.selectFrom('audit_events')
  if (action !== undefined) query = query.where('action', '=', action)
  if (actor_id !== undefined) query = query.where('actor_id', '=', actor_id)
  if (subject_id !== undefined) query = query.where('subject_id', '=', subject_id)
  if (address !== undefined) query = query.where('address', '=', address)
  if (request_id !== undefined) query = query.where('request_id', '=', request_id)
  if (since !== undefined) query = query.where('at', '>=', since)
  if (until !== undefined) query = query.where('at', '<', until)
  const columns = { id: 'id', at: 'at', created_at: 'at', updated_at: 'at' } as const
  return paginate(db, query, columns, page, (rows) =>
    rows.selectAll('audit_events').select(deletionTimes),
  )
}

const removeDetails = prepareQuery((db: Db, param: { userId: number }) =>
  db
    .updateTable('audit_events')
    .set({ details: null, at: dayOf('at') })
    .where((eb) => eb.or([eb('actor_id', '=', param.userId), eb('subject_id', '=', param.userId)])),
)

const removeOrigins = prepareQuery((db: Db, param: { userId: number }) =>
  db
    .updateTable('audit_events')
    .set({ address: null, request_id: null })
    .where((eb) =>
      eb.or([
        eb('actor_id', '=', param.userId),
        eb.and([eb('subject_id', '=', param.userId), eb('actor_id', 'is', null)]),
      ]),
    )
    .where('address', 'is not', null),
)

/**
 * Removes from a user's events the details, the time of day and, unless another user was the actor,
 * address and request ID.
 */
export async function anonymizeAuditEvents(db: Db, userId: number): Promise<void> {
  await removeDetails.run(db, { userId })
  await removeOrigins.run(db, { userId })
}

const newestByUser = prepareQuery((db: Db, param: { userId: number; limit: number }) =>
  db
    .selectFrom('audit_events')
    .selectAll()
    .where((eb) => eb.or([eb('subject_id', '=', param.userId), eb('actor_id', '=', param.userId)]))
    .orderBy(withoutIndex('id'), 'desc')
    .limit(param.limit),
)

/** Returns the newest events by or about a user, at most `limit`. */
export const auditEventsForExport = (
  db: Db,
  userId: number,
  limit: number,
): Promise<AuditEventRow[]> => newestByUser.all(db, { userId, limit })
