import { sql } from 'kysely'
import { findDeletedThrough } from '#shop/events/feed-store.ts'
import type { Db } from '#store/database.ts'
import { textIn } from '#store/query/dialect.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import { eventSinks, type SinkRow } from './table.ts'

const insertFirst = prepareQuery(
  (db: Db, param: { name: string; position: number; due_at: Instant }) =>
    db
      .insertInto('event_sinks')
      .values({ name: param.name, position: param.position, due_at: param.due_at })
      .onConflict((conflict) => conflict.column('name').doNothing()),
)

/** Returns the row of a sink, which begins with the oldest event of the feed. */
export async function findSink(db: Db, name: string, now: Instant): Promise<SinkRow | undefined> {
  const found = await eventSinks.find(db, { name })
  if (found) return found
  await insertFirst.run(db, { name, position: await findDeletedThrough(db), due_at: now })
  return eventSinks.find(db, { name })
}

/** How far a sink is, and what it waits for. */
export interface SinkState extends Omit<SinkRow, 'id' | 'due_at' | 'leased_until'> {
  /** The sequence number of the newest event that is published. */
  readonly newest: number
  /** The time of the oldest event that the broker has not confirmed; null without any. */
  readonly oldest_unsent_at: Instant | null
}

const states = prepareQuery((db: Db, param: { names: readonly string[] }) =>
  db
    .selectFrom('event_sinks as sink')
    .select(['sink.name', 'sink.position', 'sink.lost', 'sink.attempts'])
    .select(['sink.failing_since', 'sink.error'])
    .select((eb) => [
      eb
        .fn('coalesce', [
          eb.selectFrom('events').select((max) => max.fn.max('sequence').as('newest')),
          eb.ref('sink.position'),
        ])
        .$castTo<number>()
        .as('newest'),
      eb
        .selectFrom('events')
        .select('events.time')
        .whereRef('events.sequence', '>', 'sink.position')
        .orderBy('events.sequence')
        .limit(sql.lit(1))
        .as('oldest_unsent_at'),
    ])
    .where(textIn(db, 'sink.name', param.names))
    .orderBy('sink.name'),
)

/** Returns the states of sinks by their names; one that no process has begun with is missing. */
export const readSinkStates = (db: Db, names: readonly string[]): Promise<readonly SinkState[]> =>
  states.all(db, { names })
