import { sql } from 'kysely'
import type { PublishedEvent } from '#shop/events/events-store.ts'
import { events } from '#shop/events/table.ts'
import { webhooks } from '#shop/messages/webhooks/table.ts'
import type { Db } from '#store/database.ts'
import { idIn, idInQuery } from '#store/query/dialect.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import type { DeliveryRow, WebhookRow } from './table.ts'

/** A delivery that is due. */
export interface DueDelivery {
  readonly id: number
  readonly webhook_id: number
}

/** Which due deliveries to find. */
export interface DueRequest {
  readonly now: Instant
  /** Webhooks whose deliveries are left out. */
  readonly excluded: readonly number[]
  readonly limit: number
}

/** Reads a few deliveries of each webhook by its index, however many are due. */
const dueQuery = (isFailing: boolean, perWebhook: number) =>
  prepareQuery((db: Db, param: DueRequest) =>
    db
      .selectFrom('webhooks')
      .innerJoin('webhook_deliveries as delivery', (join) =>
        join.on((eb) =>
          idInQuery(
            db,
            'delivery.id',
            eb
              .selectFrom('webhook_deliveries as due')
              .select('due.id')
              .whereRef('due.webhook_id', '=', 'webhooks.id')
              .where('due.due_at', '<=', param.now)
              .where('due.leased_until', '<=', param.now)
              // Those of an earlier activation are ended, not sent.
              .where((due) =>
                due.or([
                  due('webhooks.stopped_at', 'is', null),
                  due('due.activation', '>=', due.ref('webhooks.activation')),
                ]),
              )
              .orderBy('due.due_at')
              .limit(sql.lit(perWebhook)),
          ),
        ),
      )
      .select(['delivery.id', 'delivery.webhook_id'])
      .where('webhooks.active', '=', sql.lit(1))
      .where('webhooks.failing_since', isFailing ? 'is not' : 'is', null)
      .where((eb) => eb.not(idIn(db, 'webhooks.id', param.excluded)))
      .orderBy('delivery.due_at')
      .limit(param.limit),
  )

/** Finds due deliveries of webhooks whose last attempt has failed, or of the others. */
export function dueDeliveriesQuery(
  isFailing: boolean,
  perWebhook: number,
): (db: Db, request: DueRequest) => Promise<readonly DueDelivery[]> {
  const query = dueQuery(isFailing, perWebhook)
  return (db, request) => query.all(db, request)
}

/** Returns the webhooks and the events of deliveries, by ID and by sequence number. */
export async function loadSubjects(db: Db, deliveries: readonly DeliveryRow[]) {
  const ids = [...new Set(deliveries.map(({ webhook_id }) => webhook_id))]
  const sequences = new Set(deliveries.flatMap(({ event_sequence }) => event_sequence ?? []))
  const [hooks, published] = await Promise.all([
    webhooks.findAll(db, { id: ids }),
    sequences.size === 0 ? [] : events.findAll(db, { sequence: [...sequences] }),
  ])
  return {
    webhooks: new Map<number, WebhookRow>(hooks.map((row) => [row.id, row])),
    events: new Map<number, PublishedEvent>(published.map((row) => [row.sequence, row])),
  }
}
