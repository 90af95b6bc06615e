import { afterCommit } from '#store/changes.ts'
import type { Db } from '#store/database.ts'
import { dialectOf, rowsFromJson } from '#store/query/dialect.ts'
import { type PreparedWrite, prepareQuery } from '#store/query/prepared.ts'
import { writeBatch } from '#store/query/write-batch.ts'
import type { Instant } from '#values/instant.ts'
import { outbox } from './table.ts'
import type { EventAudience, EventType } from './types.ts'

/** An event that the open transaction causes; `entityEvents` creates it. */
export interface DomainEvent {
  readonly type: EventType
  /** The path of the resource. */
  readonly subject: string
  readonly time: Instant
  /** The user whose personal data `data` holds; null without any. */
  readonly user_id: number | null
  /** By default, it is for everybody. */
  readonly audience?: EventAudience | null
  /** The representation of the resource in version 1 of the API, as JSON. */
  readonly data: string
  /** The money that was taken or returned; not stored. */
  readonly amount?: { readonly currency: string; readonly minor: number }
}

type CommittedEventsListener = (events: readonly DomainEvent[]) => void

const listeners = new Set<CommittedEventsListener>()

/** Calls `listener`, which must not throw, with the events of each transaction that this process commits. */
export const onCommittedEvents = (listener: CommittedEventsListener): void => {
  listeners.add(listener)
}

type StoredEvent = Omit<DomainEvent, 'amount' | 'audience'> & {
  readonly audience: EventAudience | null
}

const fields = {
  type: 'text',
  subject: 'text',
  time: 'integer',
  user_id: 'integer',
  audience: 'text',
  data: 'text',
} as const
const columns = ['type', 'subject', 'time', 'user_id', 'audience', 'data'] as const

const insertAll = prepareQuery((db: Db, param: { events: readonly StoredEvent[] }) =>
  db
    .insertInto('outbox')
    .columns(columns)
    .expression((eb) =>
      eb.selectFrom(rowsFromJson(db, param.events, fields).as('event')).select(columns),
    ),
)

const insertOne = prepareQuery((db: Db, param: StoredEvent) =>
  db.insertInto('outbox').values({
    type: param.type,
    subject: param.subject,
    time: param.time,
    user_id: param.user_id,
    audience: param.audience,
    data: param.data,
  }),
)

/**
 * Returns the statements that record events in the open transaction: one on PostgreSQL, one for each event
 * on SQLite, where a statement costs no round trip. They must be the last of a batch: after the rows that
 * they describe are locked, events of the same resource are numbered in the order of its changes.
 */
export function eventStatements(db: Db, events: readonly DomainEvent[]): readonly PreparedWrite[] {
  if (events.length === 0) return []
  afterCommit(() => {
    for (const listener of listeners) listener(events)
  })
  const rows = events.map((event) => ({ ...event, audience: event.audience ?? null }))
  return dialectOf(db) === 'postgres'
    ? [insertAll.write({ events: rows })]
    : rows.map((row) => insertOne.write(row))
}

/** Discards the events of a scratch database, which nobody publishes. */
export const discardEvents = (scratchDb: Db): Promise<number> => outbox.delete(scratchDb, {})

/** Records events in the open transaction, after the changes that they describe. */
export async function recordEvents(db: Db, events: readonly DomainEvent[]): Promise<void> {
  if (events.length > 0) await writeBatch(db, eventStatements(db, events))
}
