import { adminOnly, noStore } from '#http/declare/policy.ts'
import { collection, item } from '#http/declare/resource.ts'
import { accepted, created } from '#http/declare/results.ts'
import { create, list, modify, read, remove } from '#http/declare/route.ts'
import { NoFilters } from '#schema/words.ts'
import * as actions from './actions.ts'
import {
  mayRetry,
  presentDelivery,
  presentWebhook,
  type ShownDelivery,
  webhookAuthority,
} from './rules.ts'
import {
  Delivery,
  DeliveryFilters,
  EmptyBody,
  Webhook,
  WebhookBody,
  WebhookPatch,
  WebhookRotation,
} from './schema.ts'
import * as store from './store.ts'
import { webhooks as webhookTable } from './table.ts'

const webhook = item({
  name: 'webhook',
  description: 'A URL to which events are sent, signed as in Standard Webhooks.',
  path: '/webhooks/:webhookId',
  schema: Webhook,
  load: ({ db }, { webhookId }): Promise<actions.IssuedWebhook | undefined> =>
    webhookTable.find(db, { id: webhookId }),
  isGone: ({ deleted_at }) => deleted_at !== null,
  pathParams: ({ id }) => ({ webhookId: id }),
  revision: ({ revision }) => revision,
  changedAt: ({ created_at, updated_at }) => [created_at, updated_at],
  authority: webhookAuthority,
  present: ({ shownSecret, ...row }) => ({
    ...presentWebhook(row),
    ...(shownSecret === undefined ? {} : { secret: shownSecret }),
  }),
  links: {
    deliveries: { to: 'webhook_deliveries' },
    edit: { to: 'webhook', operation: 'modify' },
    rotate: {
      to: 'webhook_rotations',
      operation: 'create',
      body: () => ({ grace_seconds: 86_400 }),
    },
    test: { to: 'webhook_tests', operation: 'create', when: ({ active }) => active === 1 },
    delete: { to: 'webhook', operation: 'remove' },
  },
})

const webhooks = collection({ name: 'webhooks', path: '/webhooks', item: webhook })
const rotations = collection({
  name: 'webhook_rotations',
  path: '/webhooks/:webhookId/rotations',
  item: webhook,
})

const delivery = item({
  name: 'webhook_delivery',
  singular: 'delivery',
  description: 'An event that is sent to a webhook, until it answers 2xx.',
  path: '/webhooks/:webhookId/deliveries/:deliveryId',
  schema: Delivery,
  load: actions.findDelivery,
  pathParams: ({ webhook_id, id }: ShownDelivery) => ({ webhookId: webhook_id, deliveryId: id }),
  // The link `retry` depends on the webhook and on the time, which the revision does not count.
  revision: (shown, { now }) => `${shown.revision}-${mayRetry(shown, now) ? 1 : 0}`,
  changedAt: ({ created_at, updated_at }) => [created_at, updated_at],
  present: presentDelivery,
  links: {
    webhook: { to: 'webhook' },
    retry: {
      to: 'webhook_retries',
      operation: 'create',
      when: (shown, { now }) => mayRetry(shown, now),
    },
  },
})

const deliveries = collection({
  name: 'webhook_deliveries',
  path: '/webhooks/:webhookId/deliveries',
  item: delivery,
})
const tests = collection({
  name: 'webhook_tests',
  path: '/webhooks/:webhookId/tests',
  item: delivery,
})
const retries = collection({
  name: 'webhook_retries',
  path: '/webhooks/:webhookId/deliveries/:deliveryId/retries',
  item: delivery,
})

const access = adminOnly('webhooks:write')
const readPolicy = { access, rateLimit: 'default', cache: noStore } as const
const writePolicy = { access, rateLimit: 'default' } as const
// What limits the caller's credential: a webhook gets events without end.
const bounds = ['4012', '4031', '4033', '4091', '4101'] as const

/** The operations on webhooks and their deliveries, for administrators. */
export const webhookRoutes = (parts: actions.WebhookParts) => [
  ...subscriptionRoutes(parts),
  ...deliveryRoutes,
]

const subscriptionRoutes = (parts: actions.WebhookParts) => [
  list(webhooks, {
    summary: 'Lists the webhooks.',
    ...readPolicy,
    filters: NoFilters,
    sortFields: ['id', 'created_at', 'updated_at'],
    find: ({ db }, { page }) => store.listWebhooks(db, page),
  }),
  create(webhooks, {
    summary: 'Creates a webhook, whose secret only this response shows.',
    description:
      'It requires `events:read`, too, and the scopes that read the resources of its types (`orders:read` for orders and payments, `users:read`, `carts:write`, `imports:write`). Deliveries are the webhook `event` of this document; `/docs/tasks` shows how to verify them.',
    ...writePolicy,
    body: WebhookBody,
    problems: bounds,
    handle: async (ctx, { body }) => created(await actions.createWebhook(parts, ctx, body)),
  }),
  read(webhook, { summary: 'Reads a webhook.', ...readPolicy }),
  modify(webhook, {
    summary: 'Changes some fields of a webhook; its secret stays.',
    ...writePolicy,
    body: WebhookPatch,
    problems: bounds,
    handle: (ctx, { current, body }) => actions.changeWebhook(parts, ctx, current, body),
  }),
  remove(webhook, {
    summary: 'Removes a webhook; its pending deliveries end.',
    ...writePolicy,
    handle: (ctx, { current }) => actions.removeWebhook(ctx, current),
  }),
  create(rotations, {
    operationId: 'rotateWebhookSecret',
    summary: 'Replaces the secret of a webhook; only this response shows the new one.',
    ...writePolicy,
    body: WebhookRotation,
    problems: [...bounds, '4041'],
    handle: async (ctx, { params: { webhookId }, body: { grace_seconds: graceSeconds = 0 } }) =>
      created(await actions.rotateSecret(parts, ctx, { webhookId, graceSeconds })),
  }),
]

const deliveryRoutes = [
  create(tests, {
    operationId: 'testWebhook',
    summary: 'Sends `webhook.test` to this webhook only.',
    ...writePolicy,
    body: EmptyBody,
    statuses: [202],
    problems: ['4041', '4091', '4101'],
    handle: async (ctx, { params }) => accepted(await actions.testWebhook(ctx, params.webhookId)),
  }),
  list(deliveries, {
    summary: 'Lists the deliveries of a webhook, in the order of their creation.',
    ...readPolicy,
    filters: DeliveryFilters,
    sortFields: ['id', 'created_at'],
    problems: ['4041', '4101'],
    find: (ctx, { params: { webhookId }, filters, page }) =>
      actions.listDeliveries(ctx, webhookId, filters, page),
  }),
  read(delivery, { summary: 'Reads a delivery.', ...readPolicy, problems: ['4101'] }),
  create(retries, {
    operationId: 'retryWebhookDelivery',
    summary: 'Sends a delivery once more, also one that has arrived.',
    ...writePolicy,
    body: EmptyBody,
    statuses: [202],
    problems: ['4041', '4091', '4101'],
    handle: async (ctx, { params }) => accepted(await actions.retryDelivery(ctx, params)),
  }),
]
