import { sql } from 'kysely'
import { consumerPosition } from '#shop/events/position-store.ts'
import type { EventAudience } from '#shop/events/types.ts'
import type { Db } from '#store/database.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import { webhooksWithoutKey } from './key-store.ts'
import { type DeliveryRow, type WebhookRow, webhookDeliveries } from './table.ts'

/** Which kinds of webhooks there are. */
interface WebhookKinds {
  readonly hasActive: boolean
  /** Stopped ones, with deliveries to be ended. */
  readonly hasStopped: boolean
  /** Those whose API key no longer works. */
  readonly hasWithoutKey: boolean
}

const kinds = prepareQuery((db: Db, _: object) => {
  const active = sql<number>`exists (select 1 from webhooks where active = 1)`
  const stopped = sql<number>`exists (select 1 from webhooks where stopped_at is not null)`
  const withoutKey = sql<number>`exists ${webhooksWithoutKey(db)}`
  return db.selectNoFrom([
    active.as('hasActive'),
    stopped.as('hasStopped'),
    withoutKey.as('hasWithoutKey'),
  ])
})

/** Returns which kinds of webhooks there are. */
export async function findWebhookKinds(db: Db): Promise<WebhookKinds> {
  const { hasActive, hasStopped, hasWithoutKey } = (await kinds.first(db, {})) ?? {}
  return {
    hasActive: Boolean(hasActive),
    hasStopped: Boolean(hasStopped),
    hasWithoutKey: Boolean(hasWithoutKey),
  }
}

/** The columns of a webhook that decide which events it gets, and in which activation. */
export type Subscriber = Pick<
  WebhookRow,
  'id' | 'types' | 'audience' | 'events_after' | 'activation'
>

/** The position up to which events have their deliveries. */
export const position = consumerPosition('webhooks.position')

/**
 * Waits for the transactions that create deliveries or stop a webhook, and lets no other one begin until
 * this one ends: no delivery of an earlier activation appears after its end. Comes before the locks of webhooks
 * and deliveries.
 */
export const lockActivations = async (transactionDb: Db): Promise<void> => {
  await position.lock(transactionDb)
}

/** What of an event decides who gets it. */
export interface EventSummary {
  readonly sequence: number
  readonly type: string
  readonly time: Instant
  readonly audience: EventAudience | null
}

const summaries = prepareQuery((db: Db, param: { after: number; upTo: number; limit: number }) =>
  db
    .selectFrom('events')
    .select(['sequence', 'type', 'time', 'audience'])
    .where('sequence', '>', param.after)
    .where('sequence', '<=', param.upTo)
    .orderBy('sequence')
    .limit(param.limit),
)

/** Returns the oldest events of a range, in order. */
export const readSummaries = (
  db: Db,
  range: { readonly after: number; readonly upTo: number; readonly limit: number },
): Promise<readonly EventSummary[]> => summaries.all(db, range)

/** A delivery of an event of the feed to be created. */
export type NewDelivery = Pick<
  DeliveryRow,
  'webhook_id' | 'event_sequence' | 'event_time' | 'activation'
>

/** Creates deliveries that are due at once. */
export const insertDeliveries = (
  transactionDb: Db,
  deliveries: readonly NewDelivery[],
  now: Instant,
): Promise<void> => {
  const times = { due_at: now, created_at: now, updated_at: now }
  const rows = deliveries.map((each) => ({ ...each, ...times, status: 'pending' as const }))
  return webhookDeliveries.insertAll(transactionDb, rows)
}
