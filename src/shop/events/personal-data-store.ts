import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#store/database.ts'
import { dialectOf } from '#store/query/dialect.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import { endOfDay, type Instant } from '#values/instant.ts'
import { eventColumns, type PublishedEvent } from './events-store.ts'
import { lockPublishing } from './feed-store.ts'
import type { DomainEvent } from './outbox-store.ts'
import { events, outbox } from './table.ts'

/** The fields of `data` that stay when a person is erased; every other becomes null. */
const impersonalFields = ['id', 'order_id', 'product_id']

/** Returns an event without the personal data in it. */
export function withoutPersonalData(event: DomainEvent): DomainEvent {
  const fields = Object.entries(JSON.parse(event.data) as object)
  const data = fields.map(([name, value]) => [name, impersonalFields.includes(name) ? value : null])
  return { ...event, user_id: null, data: JSON.stringify(Object.fromEntries(data)) }
}

function erasedData(db: Db): RawBuilder<string> {
  const names = sql.join(impersonalFields.map((name) => sql.lit(name)))
  return dialectOf(db) === 'sqlite'
    ? sql`(select json_group_object(key, case when key in (${names}) then value end)
        from json_each(data))`
    : sql`(select json_object_agg(key, case when key in (${names}) then value else 'null' end)::text
        from json_each(data::json))`
}

const eraseEvents = prepareQuery((db: Db, param: { userId: number; erasedAt: Instant }) =>
  db
    .updateTable('events')
    .set({ data: erasedData(db), user_id: null, data_erased_at: param.erasedAt })
    .where('user_id', '=', param.userId),
)

const eraseOutbox = prepareQuery((db: Db, param: { userId: number }) =>
  db
    .updateTable('outbox')
    .set({ data: erasedData(db), user_id: null })
    .where('user_id', '=', param.userId),
)

/** Removes the personal data of a user from all events. */
export async function anonymizeEvents(db: Db, userId: number, now: Instant): Promise<void> {
  await lockPublishing(db)
  await eraseOutbox.run(db, { userId })
  await eraseEvents.run(db, { userId, erasedAt: endOfDay(now) })
}

const reassignEvents = prepareQuery((db: Db, param: { from: number; to: number; own: string }) =>
  db
    .updateTable('events')
    .set({ user_id: param.to })
    .where('user_id', '=', param.from)
    .where('subject', '<>', param.own),
)

const reassignOutbox = prepareQuery((db: Db, param: { from: number; to: number; own: string }) =>
  db
    .updateTable('outbox')
    .set({ user_id: param.to })
    .where('user_id', '=', param.from)
    .where('subject', '<>', param.own),
)

/** Assigns a user's events to another user, except the events about the user itself. */
export async function mergeEvents(
  db: Db,
  users: { readonly from: number; readonly to: number },
): Promise<void> {
  await lockPublishing(db)
  const own = `/users/${users.from}`
  // Outbox first: an event that is published meanwhile is then found in the feed.
  await reassignOutbox.run(db, { ...users, own })
  await reassignEvents.run(db, { ...users, own })
}

/** Assigns the events about some resources to another user. */
export async function reassignEventsAbout(
  db: Db,
  subject: readonly string[],
  { from, to }: { readonly from: readonly number[]; readonly to: number },
): Promise<void> {
  await lockPublishing(db)
  const assigned = { subject, user_id: from }
  await outbox.update(db, assigned, { user_id: to })
  await events.update(db, assigned, { user_id: to })
}

const newestByUser = prepareQuery((db: Db, param: { userId: number; limit: number }) =>
  db
    .selectFrom('events')
    .select(eventColumns)
    .where('user_id', '=', param.userId)
    .orderBy('sequence', 'desc')
    .limit(param.limit),
)

/** Returns the newest published events that hold personal data of a user, at most `limit`. */
export const eventsForExport = (
  db: Db,
  userId: number,
  limit: number,
): Promise<readonly PublishedEvent[]> => newestByUser.all(db, { userId, limit })
