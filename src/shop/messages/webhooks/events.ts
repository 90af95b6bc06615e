import { entityEvents } from '#shop/events/entity-events.ts'
import type { WebhookRow } from './delivery/table.ts'
import { presentWebhook } from './rules.ts'
import { Webhook } from './schema.ts'

/** Creates an event about a webhook. */
export const webhookEvent = entityEvents<WebhookRow, 'webhook.disabled'>({
  schema: Webhook,
  present: presentWebhook,
  subject: ({ id }) => `/webhooks/${id}`,
})
