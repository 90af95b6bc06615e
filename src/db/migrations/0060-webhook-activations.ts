import type { Kysely } from 'kysely'
import type { Tables } from '#db/tables/tables.ts'
import { addColumn, integer } from './table-builder.ts'

const zero = integer((column) => column.defaultTo(0))

/** Adds the number of the activation to webhooks and to their deliveries. */
export async function addWebhookActivations(db: Kysely<Tables>): Promise<void> {
  await addColumn(db, 'webhooks', 'activation', zero)
  await addColumn(db, 'webhook_deliveries', 'activation', zero)
}
