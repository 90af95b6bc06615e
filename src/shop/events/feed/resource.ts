import { adminOnly, privateCache } from '#http/declare/policy.ts'
import { collection, textItem } from '#http/declare/resource.ts'
import { follow, read } from '#http/declare/route.ts'
import { cloudEvent } from '#shop/events/cloud-event.ts'
import { eventId } from '#shop/events/event-id.ts'
import type { PublishedEvent } from '#shop/events/events-store.ts'
import type { EventFeed } from '#shop/events/feed.ts'
import { listEvents, loadEvent } from './actions.ts'
import { EventFilters, Event as EventSchema } from './schema.ts'
import { eventWriter, openStream } from './stream.ts'

const eventItem = (source: string) =>
  textItem({
    name: 'event',
    description: 'A change of a resource, as a CloudEvent.',
    path: '/events/:eventId',
    schema: EventSchema,
    load: (ctx, { eventId: id }) => loadEvent(ctx, id),
    pathParams: (event: PublishedEvent) => ({ eventId: eventId(event) }),
    revision: ({ sequence, data_erased_at }) => `${sequence}.${data_erased_at ?? 0}`,
    changedAt: ({ time, data_erased_at }) => [time, data_erased_at ?? time],
    present: (event) => cloudEvent(event, source),
    isUnlinked: true,
  })

/** The operations on the feed of events; `source` is the URL of the shop. */
export function eventRoutes(source: string, feed: EventFeed) {
  const write = eventWriter(source)
  const event = eventItem(source)
  const events = collection({ name: 'events', path: '/events', item: event })
  const access = adminOnly('events:read')
  return [
    follow(events, {
      summary: 'Returns the events after a cursor, oldest first.',
      description:
        'Only those of resources that the credential may read: `orders:read` for orders and payments, `users:read` for users, `carts:write` for carts, `imports:write` for imports, `webhooks:write` for webhooks.',
      access,
      rateLimit: 'default',
      cache: privateCache,
      filters: EventFilters,
      problems: ['4001', '4101', '5031'],
      find: (ctx, input) => listEvents(ctx, input.filters, input.feed),
      stream: (ctx, input) => openStream(ctx, feed, write, input),
    }),
    read(event, {
      summary: 'Reads an event.',
      access,
      rateLimit: 'default',
      cache: privateCache,
      problems: ['4101'],
    }),
  ]
}
