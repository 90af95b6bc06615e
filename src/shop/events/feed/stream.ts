import type { Context } from '#http/declare/context.ts'
import type { EventStream, ServerSentEvent } from '#http/declare/event-stream.ts'
import type { FeedRequest } from '#http/declare/pages.ts'
import { createMessage } from '#i18n/message.ts'
import { cloudEvent } from '#shop/events/cloud-event.ts'
import { eventId, parseEventId } from '#shop/events/event-id.ts'
import { findEvent, type PublishedEvent } from '#shop/events/events-store.ts'
import type { EventFeed } from '#shop/events/feed.ts'
import { findDeletedThrough } from '#shop/events/feed-store.ts'
import { audienceOf, readableTypes } from '#shop/events/types.ts'
import { fieldProblem, problem } from '#values/problem.ts'
import { findStreamStart } from './actions.ts'
import type { EventFilters } from './schema.ts'

/** Where a stream begins. */
interface StreamRequest {
  readonly filters: EventFilters
  readonly feed: FeedRequest
  /** The `Last-Event-ID` of a client that connects again. */
  readonly lastEventId: string | undefined
}

/**
 * Opens a stream of events whose resources the caller may read: after `lastEventId`, else after the cursor, else from the time of the
 * filter `since`, else from now on. Throws 400/4001 for an unknown ID, 400/4003 for an invalid cursor
 * and 410/4101 past the retention.
 */
export async function openStream(
  ctx: Pick<Context, 'db' | 'actor'>,
  eventFeed: EventFeed,
  write: (event: PublishedEvent) => ServerSentEvent,
  { filters, feed, lastEventId }: StreamRequest,
): Promise<EventStream> {
  const after =
    lastEventId === undefined
      ? await findStreamStart(ctx, filters, feed.after)
      : await findLastEvent(ctx, lastEventId)
  const { subject, since } = filters
  const types = readableTypes(ctx.actor, filters.type)
  const before = await findEvent(ctx.db, after)
  let lastId = before && eventId(before)
  return {
    lastId: () => lastId,
    read: async function* (signal) {
      for await (const { events, last } of eventFeed.follow(
        { after, types, subject, since, audience: audienceOf(ctx.actor) },
        signal,
      )) {
        if (last) lastId = eventId(last)
        if (events.length > 0) yield events.map(write)
      }
    },
  }
}

async function findLastEvent({ db }: Pick<Context, 'db'>, id: string): Promise<number> {
  const key = parseEventId(id)
  const event = key && (await findEvent(db, key.sequence))
  if (event && eventId(event) === id) return event.sequence
  if (key && !event && key.sequence <= (await findDeletedThrough(db))) {
    throw problem('4101', 'event.past_retention')
  }
  if (key && key.sequence > 0) throw problem('4101', 'event.other_history')
  const message = createMessage('field.last_event_id')
  throw fieldProblem([{ field: 'Last-Event-ID', message, missing: true }])
}

/** Returns a function that writes each event once, for all streams. */
export function eventWriter(source: string): (event: PublishedEvent) => ServerSentEvent {
  const written = new WeakMap<PublishedEvent, ServerSentEvent>()
  return (event) => {
    const known = written.get(event)
    if (known) return known
    const body = cloudEvent(event, source)
    const made = { id: body.id, event: body.type, data: JSON.stringify(body) }
    written.set(event, made)
    return made
  }
}
