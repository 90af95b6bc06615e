import { nullable } from '#schema/words.ts'
import { type ColumnsOf, columnDefault, identity, integer, type Row, text } from '#store/columns.ts'
import { queue } from '#store/due.ts'
import { secondMs } from '#values/instant.ts'

/** The message brokers that get every event, and how far each has them. */
export const eventSinks = queue('event_sinks', {
  // Longer than a batch takes.
  leaseMs: 15 * secondMs,
  columns: {
    id: identity,
    /** The URL without credentials. */
    name: text,
    /** The sequence number of the last event that the broker has confirmed. */
    position: integer,
    /** The number of events that were deleted before they could be sent. */
    lost: columnDefault(integer, 0),
    /** The failed attempts since the last one that succeeded. */
    attempts: columnDefault(integer, 0),
    /** When the first of these attempts failed. */
    failing_since: nullable(integer),
    /** Why the last attempt failed. */
    error: nullable(text),
  },
  unique: ['name'],
  owner: null,
  encrypted: [],
  kept: 'forever',
})

/** A row of `event_sinks`. */
export type SinkRow = Row<(typeof eventSinks)['schemas']>

declare module '#store/tables.ts' {
  interface Tables {
    event_sinks: ColumnsOf<(typeof eventSinks)['schemas']>
  }
}
