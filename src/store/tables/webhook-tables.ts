import type { Generated } from 'kysely'

/** Why the server has disabled a webhook. */
export type DisabledReason = 'gone' | 'failing' | 'key_revoked'

/**
 * The columns of `webhooks`. `types` is a JSON array; `active` is 0 or 1; the secrets are encrypted. A removed
 * row stays, with `deleted_at`, and without secrets.
 */
export interface WebhookTable {
  id: Generated<number>
  url: string
  types: string
  description: string | null
  active: number
  /** Null unless the server has disabled it. */
  disabled_reason: DisabledReason | null
  secret: string
  /** The secret before the last rotation, which signs too until `replaced_secret_expires_at`. */
  replaced_secret: string | null
  replaced_secret_expires_at: number | null
  /** The sequence number of the last event before its creation or activation. */
  events_after: number
  /** When the first attempt failed since the last success; null after a success. */
  failing_since: number | null
  /** The number of its activation, or of the next one while it is inactive: a stop increments it. */
  activation: Generated<number>
  /** When it was stopped; null once the pending deliveries of former activations have ended. */
  stopped_at: number | null
  /** The API key that created it or set its URL, with whose revocation it is disabled. */
  api_key_id: number | null
  revision: Generated<number>
  created_at: number
  updated_at: number
  deleted_at: number | null
}

/** The state of a delivery. */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed'

/** The columns of `webhook_deliveries`: an event for a webhook. */
export interface WebhookDeliveryTable {
  id: Generated<number>
  webhook_id: number
  /** Null for a test, which is no event of the feed. */
  event_sequence: number | null
  event_time: number
  status: DeliveryStatus
  /** The activation in which it was created, or last retried by hand. */
  activation: Generated<number>
  /** The attempts without their responses, as a JSON array. */
  attempts: Generated<string>
  /** The response of each attempt, as a JSON array; null once the event lost its personal data. */
  responses: Generated<string | null>
  /**
   * When it may be claimed: the next attempt, or the end of the claim; 0 to come before all others. Null
   * once it has ended.
   */
  due_at: number | null
  next_attempt_at: number | null
  revision: Generated<number>
  created_at: number
  updated_at: number
}

/** The columns of `webhook_delivery_counts`: the number of deliveries by webhook and status. */
interface WebhookDeliveryCountRow {
  webhook_id: number
  status: DeliveryStatus
  number: number
}

/** The tables of webhooks. */
export interface WebhookTables {
  webhooks: WebhookTable
  webhook_deliveries: WebhookDeliveryTable
  webhook_delivery_counts: WebhookDeliveryCountRow
}
