import { publishEvents } from '#shop/events/feed-store.ts'
import { expandTypes, isForAudience } from '#shop/events/types.ts'
import { webhooks } from '#shop/messages/webhooks/table.ts'
import type { Db } from '#store/database.ts'
import type { RunTransaction } from '#store/stale-write.ts'
import type { Instant } from '#values/instant.ts'
import * as store from './fan-out-store.ts'

/** About how many deliveries one transaction creates: SQLite blocks the event loop meanwhile. */
const maxDeliveries = 1000

/**
 * Creates the deliveries of the events that have none yet, and returns how many. Several processes may do
 * so concurrently: every event is given to each of its webhooks once.
 */
export async function createDeliveries(
  transaction: RunTransaction,
  db: Db,
  clock: () => Instant,
): Promise<number> {
  let created = 0
  const upTo = await publishEvents(db)
  while ((await store.position.find(db)) < upTo) {
    created += await transaction((transactionDb) => createBatch(transactionDb, upTo, clock()))
  }
  return created
}

async function createBatch(transactionDb: Db, upTo: number, now: Instant): Promise<number> {
  const position = await store.position.lock(transactionDb)
  if (position >= upTo) return 0
  // Read after the events were published: a webhook that is not here yet begins after them.
  const subscribers = await webhooks.findAll(transactionDb, { active: 1 })
  const firstAfter = Math.min(...subscribers.map(({ events_after }) => events_after))
  const after = Math.max(position, firstAfter)
  const limit = Math.max(1, Math.floor(maxDeliveries / Math.max(1, subscribers.length)))
  const events =
    after < upTo ? await store.readSummaries(transactionDb, { after, upTo, limit }) : []
  const deliveries = assignEvents(events, subscribers)
  await store.insertDeliveries(transactionDb, deliveries, now)
  const last = events.length < limit ? undefined : events.at(-1)
  await store.position.save(transactionDb, last?.sequence ?? upTo)
  return deliveries.length
}

/** Returns a delivery for each event and webhook that gets it, in the order of the events. */
function assignEvents(
  events: readonly store.EventSummary[],
  subscribers: readonly store.Subscriber[],
): readonly store.NewDelivery[] {
  const selections = subscribers.map((subscriber) => ({
    ...subscriber,
    types: new Set<string>(expandTypes(JSON.parse(subscriber.types) as string[])),
  }))
  return events.flatMap((event) => {
    const { sequence, type, time } = event
    return selections.flatMap(({ id, types, audience, events_after, activation }) =>
      types.has(type) && isForAudience(event, audience) && sequence > events_after
        ? [{ webhook_id: id, event_sequence: sequence, event_time: time, activation }]
        : [],
    )
  })
}
