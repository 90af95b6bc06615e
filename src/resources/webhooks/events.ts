import { entityEvents } from '#src/events/entity-events.ts'
import type { WebhookRow } from '#src/events/webhooks/table.ts'
import { presentWebhook } from './rules.ts'
import { Webhook } from './schema.ts'

/** Creates an event about a webhook. */
export const webhookEvent = entityEvents<WebhookRow, 'webhook.disabled'>({
  schema: Webhook,
  present: presentWebhook,
  subject: ({ id }) => `/webhooks/${id}`,
})
