import { type Kysely, sql } from 'kysely'
import { dialectOf } from '#store/query/dialect.ts'
import type { Tables } from '#store/tables/tables.ts'
import { createIndex, createTable, id, integer, optionalInteger, text } from './table-builder.ts'

const columns = {
  type: text(),
  subject: text(),
  time: integer(),
  user_id: optionalInteger(),
  data: text(),
}

/** Creates the outbox, the feed of events and, on PostgreSQL, the function that publishes events. */
export async function createEvents(db: Kysely<Tables>): Promise<void> {
  await createTable(db, 'outbox', { id, ...columns })
  await createTable(db, 'events', { sequence: id, ...columns, latest_time: integer() })
  await createIndex(db, 'events', ['type', 'sequence'])
  await createIndex(db, 'events', ['subject', 'sequence'])
  await createIndex(db, 'events', ['user_id', 'sequence'], { where: sql`user_id is not null` })
  await createIndex(db, 'events', ['latest_time', 'sequence'])
  if (dialectOf(db) === 'postgres') await createPublishEvents(db)
}

/**
 * Creates the function `publish_events`, which moves at most `most` events from the outbox to the feed
 * and returns their number, and the highest sequence number of the feed, 0 if it is empty. The lock is
 * held until the commit: whoever publishes next sees these events and draws higher numbers. Each
 * statement of the function sees what was committed before it.
 */
async function createPublishEvents(db: Kysely<Tables>): Promise<void> {
  await sql`
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
          insert into events (type, subject, time, user_id, data, latest_time)
          select type, subject, time, user_id, data,
            greatest(
              max(time) over (order by id),
              (select latest_time from events order by sequence desc limit 1)
            )
          from published
          order by id;
          get diagnostics moved = row_count;
        end if;
        latest := coalesce((select max(sequence) from events), 0);
      end $body$`.execute(db)
}
