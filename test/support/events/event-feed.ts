import { type PublishedEvent, readEvents } from '#shop/events/events-store.ts'
import { publishEvents } from '#shop/events/feed-store.ts'
import type { Db } from '#store/database.ts'

/** An event of the feed with its parsed data. */
export interface FeedEvent extends Omit<PublishedEvent, 'data'> {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into representations of every kind
  readonly data: any
}

/** Publishes and returns the events after a sequence number. */
async function eventsAfter(db: Db, after: number): Promise<readonly FeedEvent[]> {
  const upTo = await publishEvents(db)
  const events = await readEvents(db, { after, upTo, limit: 100_000 })
  return events.map((event) => ({ ...event, data: JSON.parse(event.data) }))
}

/** Returns a function that publishes and returns the events since its last call. */
export function eventReader(db: Db): () => Promise<readonly FeedEvent[]> {
  let last = 0
  return async () => {
    const events = await eventsAfter(db, last)
    last = events.at(-1)?.sequence ?? last
    return events
  }
}

/** Publishes all events and returns those about a resource, by its path. */
export const eventsOf = async (db: Db, subject: string): Promise<readonly FeedEvent[]> =>
  (await eventsAfter(db, 0)).filter((event) => event.subject === subject)
