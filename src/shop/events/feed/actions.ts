import type { Context } from '#http/declare/context.ts'
import type { FeedPage, FeedPosition, FeedRequest } from '#http/declare/pages.ts'
import { requireScope } from '#http/declare/permissions.ts'
import { eventId, parseEventId } from '#shop/events/event-id.ts'
import { findEvent, type PublishedEvent, readEvents } from '#shop/events/events-store.ts'
import {
  findDeletedThrough,
  findFirstSince,
  publishEvents,
  publishToEnd,
  readHistoryAt,
} from '#shop/events/feed-store.ts'
import { audienceOf, isForAudience, readableTypes, readScopeOf } from '#shop/events/types.ts'
import { problem } from '#values/problem.ts'
import type { EventFilters } from './schema.ts'

/**
 * Returns the events after a position whose resources the caller may read, oldest first. Throws 410/4101 when
 * events after it have been deleted, and for a position of another history: a backup has been restored since.
 */
export async function listEvents(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  filters: EventFilters,
  { after: position, limit, upTo: end }: FeedRequest,
): Promise<FeedPage<PublishedEvent>> {
  const feedEnd = end ?? (await publishToEnd(db))
  const upTo = feedEnd.number
  const after = position?.number ?? (await findStart(db, filters.since, upTo, 0))
  requireReached(after, upTo)
  const { subject, since } = filters
  const types = readableTypes(actor, filters.type)
  const rows = await readEvents(db, {
    after,
    upTo,
    limit,
    since,
    types,
    subject,
    audience: audienceOf(actor),
  })
  // After the read, which may have missed events that a job was deleting.
  if (position !== undefined) await requireKept(db, position)
  const last = rows.length < limit ? undefined : rows.at(-1)
  const next = last ? { number: last.sequence, time: last.time } : feedEnd
  return { rows, next, end: feedEnd }
}

/**
 * Returns the position after which a stream begins: that of a cursor, else before the filter `since`,
 * else the end of the feed. Throws as `listEvents` does.
 */
export async function findStreamStart(
  { db }: Pick<Context, 'db'>,
  { since }: EventFilters,
  position: FeedPosition | undefined,
): Promise<number> {
  const upTo = await publishEvents(db)
  if (position === undefined) return findStart(db, since, upTo, upTo)
  requireReached(position.number, upTo)
  await requireKept(db, position)
  return position.number
}

/** Throws 410/4101 for a position that the feed has not reached: it is of another history. */
function requireReached(position: number, upTo: number): void {
  if (position > upTo) throw problem('4101', 'event.other_history')
}

async function requireKept(db: Context['db'], position: FeedPosition): Promise<void> {
  const { number, time } = position
  const found = await readHistoryAt(db, position)
  if (number < found.deletedThrough) throw problem('4101', 'event.past_retention')
  const isOther = found.time === null ? number > found.deletedThrough : found.time !== time
  if (time !== undefined && isOther) throw problem('4101', 'event.other_history')
}

/** Returns the position before the first event at or after an instant; a default without an instant. */
async function findStart(
  db: Context['db'],
  since: number | undefined,
  upTo: number,
  start: number,
): Promise<number> {
  if (since === undefined) return start
  const first = await findFirstSince(db, since)
  return first === undefined ? upTo : first - 1
}

/**
 * Returns the event with this ID; undefined if it never existed. Throws 410/4101 for one that has been
 * deleted, and 403/4033 for one whose resource the credential may not read.
 */
export async function loadEvent(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  id: string,
): Promise<PublishedEvent | undefined> {
  const key = parseEventId(id)
  if (!key || key.sequence === 0) return undefined
  await publishEvents(db)
  const event = await findEvent(db, key.sequence)
  if (event) {
    if (eventId(event) !== id || !isForAudience(event, audienceOf(actor))) return undefined
    const scope = readScopeOf(event.type)
    if (scope !== null) requireScope(scope, actor)
    return event
  }
  if (key.sequence <= (await findDeletedThrough(db))) throw problem('4101', 'event.past_retention')
  return undefined
}
