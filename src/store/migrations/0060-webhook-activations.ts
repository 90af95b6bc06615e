import type { Kysely } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import { addColumn, integer } from './table-builder.ts'

const zero = integer((column) => column.defaultTo(0))

/**
 * Adds the number of the activation to webhooks and to their deliveries. Inactive webhooks are stopped
 * once more: deliveries created around the stop may have stayed pending.
 */
export async function addWebhookActivations(db: Kysely<Tables>): Promise<void> {
  await addColumn(db, 'webhooks', 'activation', zero)
  await addColumn(db, 'webhook_deliveries', 'activation', zero)
  await db
    .updateTable('webhooks')
    .set((eb) => ({ activation: 1, stopped_at: eb.ref('updated_at') }))
    .where('active', '=', 0)
    .execute()
}
