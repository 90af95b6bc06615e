import type { Selectable } from 'kysely'
import { nullable } from '#schema/words.ts'
import { type ColumnsOf, columnDefault, integer, revised, text, textOf } from '#store/columns.ts'
import { type CountColumns, counter } from '#store/counter.ts'
import { queue } from '#store/due.ts'
import type { Tables } from '#store/tables.ts'
import { minuteMs } from '#values/instant.ts'

/** The state of a delivery. */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed'

/** The counts from which the list of deliveries reads its length. */
const deliveryCounts = counter({
  table: 'webhook_deliveries',
  countTable: 'webhook_delivery_counts',
  key: { webhook_id: 'integer', status: 'text' },
  columns: ['webhook_id', 'status'],
  counters: [{ key: (row) => [`${row}.webhook_id`, `${row}.status`] }],
})

/** An event for a webhook. */
export const webhookDeliveries = queue('webhook_deliveries', {
  // Longer than an attempt can take.
  leaseMs: minuteMs,
  columns: {
    ...revised,
    webhook_id: integer,
    /** Null for a test, which is no event of the feed. */
    event_sequence: nullable(integer),
    event_time: integer,
    status: textOf<DeliveryStatus>(),
    /** The activation in which it was created, or last retried by hand. */
    activation: columnDefault(integer, 0),
    /** The attempts without their responses, as a JSON array. */
    attempts: columnDefault(text, '[]'),
    /** The response of each attempt, as a JSON array; null once the event lost its personal data. */
    responses: columnDefault(nullable(text), '[]'),
  },
  unique: ['event_sequence, webhook_id where event_sequence is not null'],
  indexes: [
    'webhook_id, due_at where due_at is not null',
    'webhook_id, id',
    'webhook_id, status, id',
    'created_at, id',
  ],
  counters: [deliveryCounts],
  owner: null,
  encrypted: [],
  kept: { since: 'created_at' },
})

declare module '#store/tables.ts' {
  interface Tables {
    webhook_delivery_counts: CountColumns<typeof deliveryCounts>
    webhook_deliveries: ColumnsOf<(typeof webhookDeliveries)['schemas']>
  }
}

/** A row of `webhooks`. */
export type WebhookRow = Selectable<Tables['webhooks']>

/** A row of `webhook_deliveries`. */
export type DeliveryRow = Selectable<Tables['webhook_deliveries']>
