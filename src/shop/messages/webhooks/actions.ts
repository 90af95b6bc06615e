import type { Actor } from '#http/declare/actor.ts'
import type { Context } from '#http/declare/context.ts'
import { resourceWord } from '#i18n/message.ts'
import { recordAuditEvent } from '#shop/audit/record.ts'
import { publishEvents } from '#shop/events/feed-store.ts'
import { audienceOf } from '#shop/events/types.ts'
import { apiKeyIdOf } from '#shop/key-id.ts'
import type { DestinationPolicy } from '#shop/outbound/destinations.ts'
import { requirePresent } from '#shop/require-present.ts'
import type { WebhookSecrets } from '#src/secrets/webhook-secrets.ts'
import type { PageRequest, PageResult } from '#store/query/page.ts'
import { requireWrittenRow } from '#store/stale-write.ts'
import { isUnchanged } from '#store/unchanged.ts'
import type { AuditAction } from '#values/audit.ts'
import { secondMs } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import { lockActivations } from './delivery/fan-out-store.ts'
import { makeWebhookSecret } from './delivery/sending/signature.ts'
import { type WebhookRow, webhookDeliveries } from './delivery/table.ts'
import {
  requireActiveWebhook,
  requireUnclaimedDelivery,
  requireUsableTarget,
  type ShownDelivery,
  showDelivery,
} from './rules.ts'
import type { DeliveryFilters, WebhookBody, WebhookPatch } from './schema.ts'
import * as store from './store.ts'
import { webhooks } from './table.ts'

/** What webhooks are created and changed with. */
export interface WebhookParts {
  readonly webhookDestinations: DestinationPolicy
  readonly webhookSecrets: Pick<WebhookSecrets, 'encrypt'>
}

/** A webhook, with its secret only in the response that creates or rotates it. */
export type IssuedWebhook = WebhookRow & { readonly shownSecret?: string }

/** Returns the columns with whoever decides what is sent, and where: a webhook ends with them. */
const setUpBy = (actor: Actor) => ({ api_key_id: apiKeyIdOf(actor), user_id: actor.userId })

const recordWebhookEvent = (
  { db, auditActor, actor }: Context,
  action: Extract<AuditAction, `webhook_${string}`>,
  { id }: Pick<WebhookRow, 'id'>,
): Promise<void> =>
  recordAuditEvent(db, auditActor(), { action, subjectId: actor.userId, details: { webhook: id } })

/** Creates a webhook, which gets the events from now on. Throws 422/4221. */
export async function createWebhook(
  { webhookDestinations, webhookSecrets }: WebhookParts,
  ctx: Context,
  body: WebhookBody,
): Promise<IssuedWebhook> {
  const { db, now } = ctx
  requireUsableTarget(webhookDestinations, body)
  const shownSecret = body.secret ?? makeWebhookSecret()
  const { id } = await webhooks.insert(db, {
    url: body.url,
    types: JSON.stringify([...new Set(body.types)]),
    description: body.description ?? null,
    audience: audienceOf(ctx.actor),
    active: body.active === false ? 0 : 1,
    events_after: await publishEvents(db),
    ...setUpBy(ctx.actor),
    // It is bound to the ID.
    secret: '',
    created_at: now,
    updated_at: now,
  })
  const secret = webhookSecrets.encrypt(shownSecret, id)
  const created = requireWrittenRow(await webhooks.updateRow(db, { id }, { secret }))
  await recordWebhookEvent(ctx, 'webhook_created', created)
  return { ...created, shownSecret }
}

/**
 * Changes a webhook. One that is activated gets the events from now on; the pending deliveries of one
 * that is deactivated end. Throws 422/4221.
 */
export async function changeWebhook(
  { webhookDestinations }: WebhookParts,
  ctx: Context,
  current: WebhookRow,
  patch: WebhookPatch,
): Promise<WebhookRow> {
  const { db, now } = ctx
  requireUsableTarget(webhookDestinations, patch)
  const change = {
    url: patch.url ?? current.url,
    types: patch.types ? JSON.stringify([...new Set(patch.types)]) : current.types,
    description: patch.description === undefined ? current.description : patch.description,
    active: patch.active === undefined ? current.active : Number(patch.active),
  }
  if (isUnchanged(current, change)) return current
  const { url, types } = change
  const isSameTarget = isUnchanged(current, { url, types })
  const changed = await webhooks.save(
    db,
    current,
    {
      ...change,
      // A webhook ends with the key that decided what is sent, and where.
      ...(isSameTarget ? {} : setUpBy(ctx.actor)),
      ...(await activation(ctx, current, change.active)),
    },
    now,
  )
  await recordWebhookEvent(ctx, 'webhook_changed', changed)
  return changed
}

/** Returns the columns that change with the activation of a webhook, or its end. */
async function activation(
  ctx: Context,
  current: WebhookRow,
  active: number,
): Promise<Partial<WebhookRow>> {
  if (active === current.active) return {}
  if (active === 0) return stop(ctx, current)
  return {
    disabled_reason: null,
    failing_since: null,
    events_after: await publishEvents(ctx.db),
    ...setUpBy(ctx.actor),
  }
}

/** Returns the columns that stop a webhook. */
async function stop(
  { db, now }: Context,
  { activation }: WebhookRow,
): Promise<Partial<WebhookRow>> {
  await lockActivations(db)
  return { active: 0, failing_since: null, stopped_at: now, activation: activation + 1 }
}

/** Removes a webhook and its secrets; its pending deliveries end. */
export async function removeWebhook(ctx: Context, current: WebhookRow): Promise<void> {
  const { db, now } = ctx
  const removed = {
    ...(await stop(ctx, current)),
    secret: '',
    replaced_secret: null,
    replaced_secret_expires_at: null,
    deleted_at: now,
  }
  await webhooks.save(db, current, removed, now)
  await recordWebhookEvent(ctx, 'webhook_removed', current)
}

/** Returns a webhook. Throws 404/4041 or, for a removed one, 410/4101. */
const requireWebhook = async (ctx: Pick<Context, 'db'>, id: number): Promise<WebhookRow> =>
  requirePresent('webhook', await webhooks.find(ctx.db, { id }))

/**
 * Replaces the secret of a webhook; the previous one signs too for `graceSeconds`. Throws 404/4041 and
 * 410/4101.
 */
export async function rotateSecret(
  { webhookSecrets }: WebhookParts,
  ctx: Context,
  { webhookId, graceSeconds }: { readonly webhookId: number; readonly graceSeconds: number },
): Promise<IssuedWebhook> {
  const { db, now } = ctx
  const current = await requireWebhook(ctx, webhookId)
  const shownSecret = makeWebhookSecret()
  const hasGrace = graceSeconds > 0
  const columns = {
    secret: webhookSecrets.encrypt(shownSecret, webhookId),
    replaced_secret: hasGrace ? current.secret : null,
    replaced_secret_expires_at: hasGrace ? now + graceSeconds * secondMs : null,
    // A webhook ends with the key that knows its secret.
    ...setUpBy(ctx.actor),
  }
  const rotated = await webhooks.save(db, current, columns, now)
  await recordWebhookEvent(ctx, 'webhook_rotated', rotated)
  return { ...rotated, shownSecret }
}

/** Sends a test to a webhook. Throws 404/4041, 410/4101, and 409/4091 for an inactive one. */
export async function testWebhook(ctx: Context, webhookId: number): Promise<ShownDelivery> {
  await lockActivations(ctx.db)
  const webhook = await requireWebhook(ctx, webhookId)
  requireActiveWebhook(webhook)
  return showDelivery(await store.insertTest(ctx.db, webhook, ctx.now), webhook)
}

/** The path parameters of a delivery. */
interface DeliveryPath {
  readonly webhookId: number
  readonly deliveryId: number
}

/**
 * Returns a delivery of a webhook; undefined if it has none with this ID. Throws 404/4041 and
 * 410/4101.
 */
export async function findDelivery(
  ctx: Pick<Context, 'db'>,
  { webhookId, deliveryId }: DeliveryPath,
): Promise<ShownDelivery | undefined> {
  const webhook = await requireWebhook(ctx, webhookId)
  const delivery = await webhookDeliveries.find(ctx.db, { id: deliveryId, webhook_id: webhookId })
  return delivery && showDelivery(delivery, webhook)
}

/** Returns a page of the deliveries of a webhook. Throws 404/4041 and 410/4101. */
export async function listDeliveries(
  ctx: Pick<Context, 'db'>,
  webhookId: number,
  filters: DeliveryFilters,
  page: PageRequest,
): Promise<PageResult<ShownDelivery>> {
  const webhook = await requireWebhook(ctx, webhookId)
  const found = await store.listDeliveries(ctx.db, webhookId, filters, page)
  return { ...found, rows: found.rows.map((row) => showDelivery(row, webhook)) }
}

/**
 * Sends a delivery once more. Throws 404/4041, 410/4101, and 409/4091 while an attempt is in
 * progress or the webhook is inactive.
 */
export async function retryDelivery(
  ctx: Context,
  { webhookId, deliveryId }: DeliveryPath,
): Promise<ShownDelivery> {
  const { db, now } = ctx
  await lockActivations(db)
  const webhook = await requireWebhook(ctx, webhookId)
  const delivery = await webhookDeliveries.find(db, { id: deliveryId, webhook_id: webhookId })
  if (!delivery) throw problem('4041', 'detail.no_resource', { name: resourceWord('delivery') })
  requireActiveWebhook(webhook)
  requireUnclaimedDelivery(delivery, now)
  const { activation } = webhook
  return showDelivery(await store.retryDelivery(db, delivery, { activation, now }), webhook)
}
