import { type Kysely, sql } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import { type CounterDefinition, createCounter } from './counter.ts'
import {
  createIndex,
  createTable,
  id,
  integer,
  optionalInteger,
  optionalText,
  text,
} from './table-builder.ts'

const one = integer((column) => column.defaultTo(1))

/** The counter from which the list of deliveries reads its length. */
const deliveryCounter: CounterDefinition = {
  table: 'webhook_deliveries',
  countTable: 'webhook_delivery_counts',
  key: { webhook_id: 'integer', status: 'text' },
  columns: ['webhook_id', 'status'],
  counters: [{ key: (row) => [`${row}.webhook_id`, `${row}.status`] }],
}

/** Creates the tables of webhooks and their deliveries. */
export async function createWebhooks(db: Kysely<Tables>): Promise<void> {
  await createTable(db, 'webhooks', {
    id,
    url: text(),
    types: text(),
    description: optionalText(),
    active: integer(),
    disabled_reason: optionalText(),
    secret: text(),
    replaced_secret: optionalText(),
    replaced_secret_expires_at: optionalInteger(),
    events_after: integer(),
    failing_since: optionalInteger(),
    stopped_at: optionalInteger(),
    api_key_id: optionalInteger(),
    revision: one,
    created_at: integer(),
    updated_at: integer(),
    deleted_at: optionalInteger(),
  })
  await createIndex(db, 'webhooks', ['active'], { where: sql`active = 1` })
  await createIndex(db, 'webhooks', ['stopped_at'], { where: sql`stopped_at is not null` })
  await createIndex(db, 'webhooks', ['api_key_id'], { where: sql`api_key_id is not null` })
  await createTable(db, 'webhook_deliveries', {
    id,
    webhook_id: integer(),
    event_sequence: optionalInteger(),
    event_time: integer(),
    status: text(),
    attempts: text((column) => column.defaultTo('[]')),
    responses: optionalText((column) => column.defaultTo('[]')),
    due_at: optionalInteger(),
    next_attempt_at: optionalInteger(),
    revision: one,
    created_at: integer(),
    updated_at: integer(),
  })
  await createIndex(db, 'webhook_deliveries', ['event_sequence', 'webhook_id'], {
    unique: true,
    where: sql`event_sequence is not null`,
  })
  await createIndex(db, 'webhook_deliveries', ['webhook_id', 'due_at'], {
    where: sql`due_at is not null`,
  })
  await createIndex(db, 'webhook_deliveries', ['webhook_id', 'id'])
  await createIndex(db, 'webhook_deliveries', ['webhook_id', 'status', 'id'])
  await createIndex(db, 'webhook_deliveries', ['created_at', 'id'])
  await createCounter(db, deliveryCounter)
}
