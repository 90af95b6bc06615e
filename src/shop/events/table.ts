import { nullable } from '#schema/words.ts'
import { type ColumnsOf, identity, integer, text, textOf } from '#store/columns.ts'
import { table } from '#store/table.ts'
import type { EventAudience } from './types.ts'

/**
 * The function `publish_events`, which moves at most `most` events from the outbox to the feed
 * and returns their number, and the highest sequence number of the feed, 0 if it is empty. The lock is
 * held until the commit: whoever publishes next sees these events and draws higher numbers. Each
 * statement of the function sees what was committed before it.
 */
const publishEvents = `
  create function publish_events(most bigint, out moved bigint, out latest bigint)
    language plpgsql as $body$ begin
      moved := 0;
      if exists (select from outbox) then
        perform pg_advisory_xact_lock(7305118266);
        with published as (
          delete from outbox
          where id = any(array(select id from outbox order by id limit most))
          returning *
        )
        insert into events (type, subject, time, user_id, audience, data, latest_time)
        select type, subject, time, user_id, audience, data,
          greatest(
            max(time) over (order by id),
            (select latest_time from events order by sequence desc limit 1)
          )
        from published
        order by id;
        get diagnostics moved = row_count;
      end if;
      latest := coalesce((select max(sequence) from events), 0);
    end $body$`

/** A published event; no event with a lower `sequence` is published later. */
export const events = table('events', {
  columns: {
    sequence: identity,
    /** The latest `time` of this event and all before it. */
    latest_time: integer,
    /** The end of the day on which the personal data was erased; null if none was. */
    data_erased_at: nullable(integer),
    type: text,
    /** The path of the resource. */
    subject: text,
    time: integer,
    /** The user whose personal data `data` holds; null without any. */
    user_id: nullable(integer),
    /** Null for an event that is for everybody. */
    audience: nullable(textOf<EventAudience>()),
    /** The representation of the resource in version 1 of the API, as JSON. */
    data: text,
  },
  indexes: [
    'type, sequence',
    'subject, sequence',
    'user_id, sequence where user_id is not null',
    'latest_time, sequence',
  ],
  functions: [publishEvents],
  owner: { column: 'user_id', whenErased: 'own', whenMerged: 'own' },
  encrypted: [],
  kept: 'own',
})

/** An event that is committed with its effect and not yet published. */
export const outbox = table('outbox', {
  columns: {
    id: identity,
    type: text,
    /** The path of the resource. */
    subject: text,
    time: integer,
    /** The user whose personal data `data` holds; null without any. */
    user_id: nullable(integer),
    /** Null for an event that is for everybody. */
    audience: nullable(textOf<EventAudience>()),
    /** The representation of the resource in version 1 of the API, as JSON. */
    data: text,
  },
  owner: { column: 'user_id', whenErased: 'own', whenMerged: 'own' },
  encrypted: [],
  kept: 'own',
})

declare module '#store/tables.ts' {
  interface Tables {
    events: ColumnsOf<(typeof events)['schemas']>
    outbox: ColumnsOf<(typeof outbox)['schemas']>
  }
}
