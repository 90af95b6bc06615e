import { sql } from 'kysely'
import { consumerPosition } from '#shop/events/position-store.ts'
import type { Db } from '#store/database.ts'
import { rowsFromJson } from '#store/query/dialect.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import { webhooksWithoutKey } from './key-store.ts'
import type { WebhookRow } from './table.ts'

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
export type Subscriber = Pick<WebhookRow, 'id' | 'types' | 'events_after' | 'activation'>

const active = prepareQuery((db: Db, _: object) =>
  db
    .selectFrom('webhooks')
    .select(['id', 'types', 'events_after', 'activation'])
    .where('active', '=', 1),
)

/** Returns the active webhooks. */
export const listSubscribers = (db: Db): Promise<readonly Subscriber[]> => active.all(db, {})

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
}

const summaries = prepareQuery((db: Db, param: { after: number; upTo: number; limit: number }) =>
  db
    .selectFrom('events')
    .select(['sequence', 'type', 'time'])
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
export interface NewDelivery {
  readonly webhook_id: number
  readonly event_sequence: number
  readonly event_time: Instant
  readonly activation: number
}

const columns = ['webhook_id', 'event_sequence', 'event_time', 'activation'] as const
const insert = prepareQuery(
  (db: Db, param: { deliveries: readonly NewDelivery[]; now: Instant }) => {
    const now = sql<number>`cast(${param.now} as bigint)`
    return db
      .insertInto('webhook_deliveries')
      .columns([...columns, 'status', 'due_at', 'created_at', 'updated_at'])
      .expression((eb) =>
        eb
          .selectFrom(
            rowsFromJson(db, param.deliveries, {
              webhook_id: 'integer',
              event_sequence: 'integer',
              event_time: 'integer',
              activation: 'integer',
            }).as('delivery'),
          )
          .select(columns)
          .select([
            sql<'pending'>`'pending'`.as('status'),
            now.as('due_at'),
            now.as('created_at'),
            now.as('updated_at'),
          ]),
      )
  },
)

/** Creates deliveries that are due at once. */
export async function insertDeliveries(
  transactionDb: Db,
  deliveries: readonly NewDelivery[],
  now: Instant,
): Promise<void> {
  if (deliveries.length > 0) await insert.run(transactionDb, { deliveries, now })
}
