import type { ExpressionBuilder } from 'kysely'
import type { Db } from '#db/database.ts'
import { dayOf } from '#db/query/day.ts'
import { type PageRequest, type PageResult, paginate } from '#db/query/page.ts'
import { prepared } from '#db/query/prepared.ts'
import type { Tables } from '#db/tables/tables.ts'
import type { Instant } from '#values/instant.ts'
import type { AuditEventFilters } from './schema.ts'
import type { AuditEventRow } from './table.ts'

/** An event, and since when the users whom it names are gone. */
export type AuditEventState = AuditEventRow & {
  readonly subject_gone_at: Instant | null
  readonly actor_gone_at: Instant | null
}

const departures = (eb: ExpressionBuilder<Tables, 'audit_events'>) =>
  (['subject', 'actor'] as const).map((who) =>
    eb
      .selectFrom('users')
      .select('users.deleted_at')
      .whereRef('users.id', '=', `audit_events.${who}_id`)
      .as(`${who}_gone_at`),
  )

const byId = prepared((db: Db, param: { id: number }) =>
  db.selectFrom('audit_events').selectAll().select(departures).where('id', '=', param.id),
)

/** The event with this identifier. */
export const findEvent = (db: Db, id: number): Promise<AuditEventState | undefined> =>
  byId.first(db, { id })

/** One page of the events that pass every filter. */
export function listEvents(
  db: Db,
  { since, until, ...same }: AuditEventFilters,
  page: PageRequest,
): Promise<PageResult<AuditEventState>> {
  let query = db.selectFrom('audit_events')
  const { action, actor_id, subject_id, address, request_id } = same
  if (action !== undefined) query = query.where('action', '=', action)
  if (actor_id !== undefined) query = query.where('actor_id', '=', actor_id)
  if (subject_id !== undefined) query = query.where('subject_id', '=', subject_id)
  if (address !== undefined) query = query.where('address', '=', address)
  if (request_id !== undefined) query = query.where('request_id', '=', request_id)
  if (since !== undefined) query = query.where('at', '>=', since)
  if (until !== undefined) query = query.where('at', '<', until)
  return paginate(query, { id: 'id', at: 'at' } as const, page, (rows) =>
    rows.selectAll('audit_events').select(departures),
  )
}

const blankDetails = prepared((db: Db, param: { userId: number }) =>
  db
    .updateTable('audit_events')
    .set({ details: null, at: dayOf('at') })
    .where((eb) => eb.or([eb('actor_id', '=', param.userId), eb('subject_id', '=', param.userId)])),
)

const blankOrigins = prepared((db: Db, param: { userId: number }) =>
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
 * Takes out of the events of a user what could tell who that was: details, the time of day and,
 * except of what others did, where it came from. That it was done stays, and on which day.
 */
export async function blankEvents(db: Db, userId: number): Promise<void> {
  await blankDetails.run(db, { userId })
  await blankOrigins.run(db, { userId })
}

/** Forgets some of what was done before a moment, at most `limit` events at a time; tells how many. */
export async function deleteEvents(db: Db, before: Instant, limit = 500): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('audit_events')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('audit_events')
        .select('id')
        .where('at', '<', before)
        .orderBy('at')
        .limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

const newestAbout = prepared((db: Db, param: { userId: number; most: number }) =>
  db
    .selectFrom('audit_events')
    .selectAll()
    .where((eb) => eb.or([eb('subject_id', '=', param.userId), eb('actor_id', '=', param.userId)]))
    .orderBy('id', 'desc')
    .limit(param.most),
)

/** The newest events that concern a user or were brought about by one, at most so many. */
export const eventsForExport = (db: Db, userId: number, most: number): Promise<AuditEventRow[]> =>
  newestAbout.all(db, { userId, most })
