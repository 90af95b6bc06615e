import type { Selectable } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'

/** A row of `webhooks`. */
export type WebhookRow = Selectable<Tables['webhooks']>

/** A row of `webhook_deliveries`. */
export type DeliveryRow = Selectable<Tables['webhook_deliveries']>
